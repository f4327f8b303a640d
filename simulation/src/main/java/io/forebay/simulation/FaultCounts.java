package io.forebay.simulation;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** How often what happened. */
final class FaultCounts {
  private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
  private int sum;

  void add(FaultKind kind) {
    counts.merge(kind, 1, Integer::sum);
    sum++;
  }

  /** Something that happened which is no fault: told with the others, and not counted as one. */
  void note(FaultKind kind) {
    counts.merge(kind, 1, Integer::sum);
  }

  int sum() {
    return sum;
  }

  Map<FaultKind, Integer> all() {
    return Collections.unmodifiableMap(new EnumMap<>(counts));
  }
}
