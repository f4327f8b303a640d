// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import java.time.Duration;

/**
 * The times and bounds of a group.
 *
 * @param electionMin a follower that heard nothing for this long may stand for election; a leader
 *     sends heartbeats twice as often
 * @param electionMax the longest that it waits, drawn at random; a leader that no majority answered
 *     for this long steps down
 * @param proposal after this long without an answer, the outcome of a proposal is unknown
 * @param question after this long without a majority, a node does not confirm that it leads
 * @param snapshotEntries a snapshot is written after this many entries
 * @param segmentBytes the log is cut into files of this size, which are deleted as a whole
 */
record GroupTimes(
    Duration electionMin,
    Duration electionMax,
    Duration proposal,
    Duration question,
    long snapshotEntries,
    int segmentBytes) {
  static final GroupTimes DEFAULT =
      new GroupTimes(
          Duration.ofMillis(1000),
          Duration.ofMillis(1700),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          8192,
          8 * 1024 * 1024);
}
