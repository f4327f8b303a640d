// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import io.forebay.drain.policy.FillGate;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.MapView;

/**
 * Whether an instance fills its buffer with undrained data. Drained data does not count: it is
 * evicted when room is needed.
 */
final class FillLevel {
  private static final int PERCENT = 100;

  private final MapView maps;
  private final FillGate gate;

  FillLevel(MapView maps, int fillPercent) {
    this.maps = maps;
    this.gate = new FillGate(fillPercent);
  }

  /** Whether the level is reached with this many bytes of a tree. */
  boolean isReached(Instance instance, long dirtyBytes) {
    long capacityBytes = capacityBytes(instance);
    if (capacityBytes == 0) return false;
    return gate.update((int) Math.min(PERCENT, dirtyBytes * PERCENT / capacityBytes));
  }

  /**
   * The capacity of the tree: the instance's, or its share of the room of all its seats. A private
   * tree is one of many, and no home knows the others.
   */
  private long capacityBytes(Instance instance) {
    RingMap map = maps.map();
    if (map == null) return 0;
    long bytes = instance.capacityBytes();
    if (bytes == 0) {
      for (SeatEntry entry : map.seats()) {
        if (!instance.seats().contains(entry.id())) continue;
        bytes += instance.forced() ? entry.ssdBytes() : entry.memoryBytes() + entry.ssdBytes();
      }
      bytes /= instance.copies();
    }
    return !instance.hasSharedTree() ? bytes / Math.max(1, instance.seats().size()) : bytes;
  }
}
