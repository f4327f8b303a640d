// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import org.jspecify.annotations.Nullable;

/**
 * One figure, with its baseline and its target if it has them.
 *
 * @param aim a bound of the ratio, or of the value where there is no baseline: a lower bound if
 *     more is better, an upper bound if less is
 */
public record Result(
    String name,
    String unit,
    Better better,
    Samples value,
    @Nullable Baseline baseline,
    @Nullable Double aim) {
  /** In which direction a figure improves. */
  public enum Better {
    HIGHER,
    LOWER
  }

  /** What the value is compared with, measured in turn with it. */
  public record Baseline(String name, Samples samples) {}

  /** A result with neither baseline nor aim. */
  public static Result of(String name, String unit, Better better, Samples value) {
    return new Result(name, unit, better, value, null, null);
  }

  public Result against(String baselineName, Samples samples) {
    return new Result(name, unit, better, value, new Baseline(baselineName, samples), aim);
  }

  public Result aimingAt(double bound) {
    return new Result(name, unit, better, value, baseline, bound);
  }

  /** Value by baseline, of the medians; null without a baseline. */
  public @Nullable Double ratio() {
    return baseline == null ? null : value.median() / baseline.samples().median();
  }

  /** Whether the aim was met; null without an aim. */
  public @Nullable Boolean met() {
    if (aim == null) return null;
    Double ratio = ratio();
    double judged = ratio == null ? value.median() : ratio;
    return better == Better.HIGHER ? judged >= aim : judged <= aim;
  }
}
