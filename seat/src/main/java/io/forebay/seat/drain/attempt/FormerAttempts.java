// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.Attempt;
import io.forebay.backing.Backing;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.RetryPace;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.BackingView;
import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Questions;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Aborts attempts without a job: those of the previous home, and those of this one that the store
 * could not abort at first (P22). Called by its seat's loop only.
 */
public final class FormerAttempts {
  /** The maximum number at a time, so that an unavailable store is not asked about all of them. */
  private static final int UNDER_WAY_MAX = 4;

  private final Timers timers;
  private final Basics basics;
  private final Questions questions;
  private final DrainedTree tree;

  /** Files whose attempt is being aborted. */
  private final Set<Long> underWay = new TreeSet<>();

  /** Files of which that failed: how often, and not before when it is tried again. */
  private final Map<Long, RetryPace> paces = new TreeMap<>();

  private final Map<Long, Long> notBeforeNanos = new TreeMap<>();

  public FormerAttempts(Basics basics, Questions questions, DrainedTree tree) {
    this.basics = basics;
    this.questions = questions;
    this.timers = basics.timers();
    this.tree = tree;
  }

  /** The operator may have removed the obstacle. */
  public void hurry() {
    notBeforeNanos.clear();
  }

  public void takeBack() {
    BackingView view = tree.view();
    Backing backing = tree.backing();
    if (view == null || backing == null) return;
    for (BackingView.UnderWay left : view.underWay()) {
      if (tree.worksAt(left.file()) || underWay.contains(left.file()) || waits(left.file())) {
        continue;
      }
      if (backing.room() == 0 || underWay.size() >= UNDER_WAY_MAX) return;
      underWay.add(left.file());
      tree.leftovers().suspect(left.attempt());
      abort(left, backing);
    }
  }

  /** Before the next attempt begins, the one before is taken back in the store (P22). */
  @Rule("P22")
  private void abort(BackingView.UnderWay left, Backing backing) {
    Attempt former = tree.attempt(left.file(), left.attempt(), FileAttributes.NONE);
    backing.abort(
        former,
        answer -> {
          if (answer instanceof Backing.Answer.Failed<Backing.Nothing> failed) {
            underWay.remove(left.file());
            tree.troubled(failed.failure());
            RetryPace pace = paces.computeIfAbsent(left.file(), key -> tree.newPace());
            long pauseNanos = pace.failed(failed.failure().advice());
            notBeforeNanos.put(left.file(), timers.nanos() + pauseNanos);
          } else {
            BackingAttempts.tellAllOver(basics.maps(), questions, former);
            end(left);
          }
        });
  }

  private boolean waits(long file) {
    Long until = notBeforeNanos.get(file);
    return until != null && timers.nanos() - until < 0;
  }

  private void end(BackingView.UnderWay left) {
    paces.remove(left.file());
    notBeforeNanos.remove(left.file());
    tree.propose(
        new GroupCommand.EndDrain(
            tree.instance(), tree.tree(), left.file(), left.attempt().number()),
        applied -> underWay.remove(left.file()));
  }
}
