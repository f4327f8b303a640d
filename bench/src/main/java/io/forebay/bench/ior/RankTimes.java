// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The times of a task, by the clock that all processes of a host share.
 *
 * @param wrong transfers with wrong content
 */
record RankTimes(
    long openNanos,
    long openedNanos,
    long moveNanos,
    long movedNanos,
    long closeNanos,
    long closedNanos,
    long wrong) {
  /** As another process can read it. */
  String toLine() {
    return Arrays.stream(
            new long[] {
              openNanos, openedNanos, moveNanos, movedNanos, closeNanos, closedNanos, wrong
            })
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" "));
  }

  static RankTimes parse(String line) {
    long[] all = Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    return new RankTimes(all[0], all[1], all[2], all[3], all[4], all[5], all[6]);
  }
}
