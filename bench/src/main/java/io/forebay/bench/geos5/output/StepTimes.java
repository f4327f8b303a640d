// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The time of one step, and what it was spent on; the same on all ranks.
 *
 * @param totalNanos of the rank that was the slowest
 * @param createNanos creating and defining files
 * @param shuffleNanos moving elements between all ranks
 * @param aggregateNanos moving them within groups
 * @param writeNanos in writes, and in closing files
 * @param memoryBytes the most that any rank used, where that is known
 * @param scheme the one of this step
 * @param predictedNanos what was expected of each scheme
 */
public record StepTimes(
    long totalNanos,
    long createNanos,
    long shuffleNanos,
    long aggregateNanos,
    long writeNanos,
    long memoryBytes,
    Optional<Scheme> scheme,
    Map<Scheme, Long> predictedNanos) {
  private static final String SEPARATOR = " ";
  private static final String NONE = "-";
  private static final int NUMBERS = 6;

  public StepTimes {
    predictedNanos = Map.copyOf(predictedNanos);
  }

  /** Of ranks that only exchange and write: all but the named parts is communication. */
  public static StepTimes communicating(long totalNanos, long createNanos, long writeNanos) {
    long rest = Math.max(0, totalNanos - createNanos - writeNanos);
    return new StepTimes(
        totalNanos, createNanos, rest, 0, writeNanos, 0, Optional.empty(), Map.of());
  }

  /** As text without the separator of steps. */
  public String toText() {
    long[] numbers = {
      totalNanos, createNanos, shuffleNanos, aggregateNanos, writeNanos, memoryBytes
    };
    List<String> words =
        Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.toList());
    words.add(scheme.map(Scheme::name).orElse(NONE));
    for (Scheme each : Scheme.values()) {
      Long nanos = predictedNanos.get(each);
      words.add(nanos == null ? NONE : nanos.toString());
    }
    return String.join(SEPARATOR, words);
  }

  /** The reverse. */
  public static StepTimes parse(String text) {
    List<String> words = new ArrayList<>(List.of(text.split(SEPARATOR, -1)));
    if (words.size() != NUMBERS + 1 + Scheme.values().length) {
      throw new IllegalArgumentException("not the times of a step: " + text);
    }
    long[] numbers = words.subList(0, NUMBERS).stream().mapToLong(Long::parseLong).toArray();
    Map<Scheme, Long> predicted = new EnumMap<>(Scheme.class);
    int place = NUMBERS + 1;
    for (Scheme each : Scheme.values()) {
      String nanos = words.get(place++);
      if (!nanos.equals(NONE)) predicted.put(each, Long.parseLong(nanos));
    }
    String scheme = words.get(NUMBERS);
    return new StepTimes(
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        numbers[4],
        numbers[5],
        scheme.equals(NONE) ? Optional.empty() : Optional.of(Scheme.valueOf(scheme)),
        predicted);
  }
}
