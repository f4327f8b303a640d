// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import java.util.HashMap;
import java.util.Map;

/**
 * Segments of the log that stay in memory because copies are being sent from them. At most half of
 * the segments for records, so that arriving records find room even if other seats take their
 * copies slowly.
 */
final class HeldSegments {
  private final int segmentsMax;
  private final Map<Integer, Integer> holders = new HashMap<>();

  /** For a log with this many segments for records in memory. */
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
