// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** The number of faults by kind. */
public final class FaultCounts {
  private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
  private int sum;

  public void add(FaultKind kind) {
    counts.merge(kind, 1, Integer::sum);
    sum++;
  }

  /** An event that is not a fault: reported with the faults, but not counted as one. */
  public void note(FaultKind kind) {
    counts.merge(kind, 1, Integer::sum);
  }

  public int sum() {
    return sum;
  }

  public Map<FaultKind, Integer> all() {
    return Collections.unmodifiableMap(new EnumMap<>(counts));
  }
}
