// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.netcdf.Figures.Case;
import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The paper's findings against its own driver, and whether they hold here, in sentences. */
final class Verdicts {
  private Verdicts() {}

  static List<String> of(Workload.Kind kind, List<Case> cases) {
    List<String> sentences = new ArrayList<>();
    switch (kind) {
      case IOR_STRIDED ->
          compare(cases, Mode.LOGFS, "The paper's LogFS had more than 4 x on strided.", sentences);
      case IOR_CONTIGUOUS ->
          compare(
              cases,
              Mode.ELEVATOR,
              "The paper's Data Elevator had 1.7 x on contiguous.",
              sentences);
      case FLASH ->
          compare(
              cases,
              Mode.DIRECT,
              "The paper saw no gain over blocking writes on FLASH: direct was slightly faster.",
              sentences);
      case BTIO_STRONG, BTIO_WEAK ->
          compare(
              cases,
              Mode.LOGFS,
              "The paper's LogFS did not finish BTIO on larger runs.",
              sentences);
    }
    return sentences;
  }

  /** Of the last case of the slow store: the largest transfers. */
  private static void compare(List<Case> cases, Mode other, String paper, List<String> sentences) {
    List<Case> slow =
        cases.stream()
            .filter(each -> each.store() == Store.SLOW)
            .filter(each -> each.has(other) && each.has(Mode.LOG_PROCESS))
            .toList();
    if (slow.isEmpty()) return;
    List<String> ratios =
        slow.stream()
            .map(each -> each.bandwidth(other).median() / each.bandwidth(Mode.LOG_PROCESS).median())
            .map(ratio -> String.format(Locale.ROOT, "%.2f", ratio))
            .toList();
    sentences.add(
        "%s Here %s by log/process on the slow profile: %s x."
            .formatted(paper, other.text(), String.join(", ", ratios)));
  }
}
