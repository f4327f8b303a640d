// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import java.util.List;
import java.util.TreeMap;

/** Bytes by instance, until they are taken. Adding costs a comparison while the instance stays. */
public final class InstanceBytes {
  private static final class Count {
    long bytes;
  }

  private final TreeMap<Integer, Count> counts = new TreeMap<>();
  private int lastInstance;
  private Count last = new Count();

  public void add(int instance, long bytes) {
    if (instance != lastInstance || counts.isEmpty()) {
      last = counts.computeIfAbsent(instance, key -> new Count());
      lastInstance = instance;
    }
    last.bytes += bytes;
  }

  public long of(int instance) {
    Count count = counts.get(instance);
    return count == null ? 0 : count.bytes;
  }

  /** The instances that something was added for, and not taken. */
  public List<Integer> instances() {
    return List.copyOf(counts.keySet());
  }

  public boolean isEmpty() {
    return counts.isEmpty();
  }

  /** Returns the bytes of an instance, which begins at 0 again. */
  public long take(int instance) {
    Count count = counts.remove(instance);
    if (instance == lastInstance) lastInstance = 0;
    return count == null ? 0 : count.bytes;
  }
}
