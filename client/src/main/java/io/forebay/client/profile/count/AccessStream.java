// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.Order;

/** The reads, or the writes, of one process in one file: names the order of each. One owner. */
final class AccessStream {
  /** Nested loops over an array make a few distances in turn. */
  private static final int DISTANCES_KEPT = 4;

  /** So many steps forward after one backwards, and it is a movement forward again. */
  private static final int FORWARD_STEPS = 4;

  private final CutWrites cuts = new CutWrites();
  private final long[] distances = new long[DISTANCES_KEPT];
  private int kept;
  private int oldest;
  private boolean begun;
  private int forwardSteps;
  private long lastOffset;
  private long lastEnd;
  private long distance;

  Order next(long offset, long lengthBytes) {
    Order order = order(offset);
    begun = true;
    distance = offset - lastOffset;
    lastOffset = offset;
    lastEnd = offset + lengthBytes;
    return order;
  }

  CutWrites cuts() {
    return cuts;
  }

  /** From the access before to the last one. */
  long distance() {
    return distance;
  }

  private Order order(long offset) {
    if (!begun) {
      forwardSteps = FORWARD_STEPS;
      return Order.FIRST;
    }
    if (offset == lastEnd && offset > lastOffset) {
      forwardSteps++;
      return Order.CONSECUTIVE;
    }
    if (offset < lastEnd) {
      forwardSteps = 0;
      kept = 0;
      return Order.RANDOM;
    }
    forwardSteps++;
    if (isKnown(offset - lastOffset)) return Order.STRIDED;
    return forwardSteps > FORWARD_STEPS ? Order.SEQUENTIAL : Order.RANDOM;
  }

  /** Whether the distance occurred a moment ago; it is kept from now on. */
  private boolean isKnown(long step) {
    for (int i = 0; i < kept; i++) if (distances[i] == step) return true;
    if (kept < DISTANCES_KEPT) {
      distances[kept++] = step;
    } else {
      distances[oldest] = step;
      oldest = (oldest + 1) % DISTANCES_KEPT;
    }
    return false;
  }
}
