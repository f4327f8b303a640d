// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.namespace.set.SequenceSet;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.wire.message.Data;
import java.util.Map;
import java.util.TreeMap;

/**
 * Joins the records of a file that die in one operation into ranges, so that the deletion of a long
 * file that was written sequentially takes few bytes. A range covers, of its file and group, every
 * record between its ends, so it spans only consecutive pieces that all die now; pieces of other
 * groups among them do no harm.
 */
final class DeadRanges {
  private static final class Range {
    private final long from;
    private long to;

    Range(long from) {
      this.from = from;
      this.to = from;
    }
  }

  private final FileId file;
  private final Effects effects;

  /** By group: the current run of pieces. */
  private final Map<Integer, Range> run = new TreeMap<>();

  private long session;
  private long last;

  DeadRanges(FileId file, Effects effects) {
    this.file = file;
    this.effects = effects;
  }

  void add(int group, long session, long sequence) {
    boolean goesOn = session == this.session && SequenceSet.follows(last, sequence);
    if (!goesOn) finish();
    this.session = session;
    last = sequence;
    run.computeIfAbsent(group, g -> new Range(sequence)).to = sequence;
  }

  /** Reports the remaining ranges. */
  void finish() {
    run.forEach(
        (group, range) ->
            effects.dead(
                new GroupId(group), Data.Dead.records(file, session, range.from, range.to)));
    run.clear();
  }
}
