// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.geos5.output.StepTimes;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of one trial.
 *
 * @param setupNanos making ranks ready before the first step, and ending behind the last
 * @param steps one for each; the program in C gives one for all of them
 */
record TrialTimes(long setupNanos, List<StepTimes> steps) {
  private static final String SEPARATOR = ";";

  TrialTimes {
    steps = List.copyOf(steps);
  }

  /** The time that the application spends on output. */
  long totalNanos() {
    return setupNanos + sum(StepTimes::totalNanos);
  }

  long sum(ToLongFunction<StepTimes> part) {
    return steps.stream().mapToLong(part).sum();
  }

  /** What belongs to no part, such as waiting until all groups are done. */
  long restNanos() {
    long parts = 0;
    for (StepTimes step : steps) {
      parts += step.createNanos() + step.shuffleNanos();
      parts += step.aggregateNanos() + step.writeNanos();
    }
    return Math.max(0, sum(StepTimes::totalNanos) - parts);
  }

  /** The time of all steps but the first. */
  long laterNanos() {
    return sum(StepTimes::totalNanos) - steps.getFirst().totalNanos();
  }

  /** The most memory that any rank used in any step; 0 where that is not known. */
  long memoryBytes() {
    return steps.stream().mapToLong(StepTimes::memoryBytes).max().orElse(0);
  }

  String toLine() {
    return Stream.concat(
            Stream.of(Long.toString(setupNanos)), steps.stream().map(StepTimes::toText))
        .collect(Collectors.joining(SEPARATOR));
  }

  static TrialTimes parse(String line) {
    List<String> parts = List.of(line.split(SEPARATOR, -1));
    return new TrialTimes(
        Long.parseLong(parts.getFirst()), parts.stream().skip(1).map(StepTimes::parse).toList());
  }
}
