// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import java.util.HashMap;
import java.util.Map;

/**
 * Segments of the log that stay in memory because copies are being sent from them. Half of those
 * that records can be in is the most, so that records which arrive find room however long other
 * seats take theirs.
 */
final class HeldSegments {
  private final int segmentsMax;
  private final Map<Integer, Integer> holders = new HashMap<>();

  /** Of a log in whose memory records have that many segments. */
  HeldSegments(int segments) {
    this.segmentsMax = segments / 2;
  }

  /** Holds the segment once more, if that is possible. */
  boolean hold(int segment) {
    if (holders.size() >= segmentsMax && !holders.containsKey(segment)) return false;
    holders.merge(segment, 1, Integer::sum);
    return true;
  }

  void letGo(int segment) {
    holders.computeIfPresent(segment, (key, count) -> count == 1 ? null : count - 1);
  }
}
