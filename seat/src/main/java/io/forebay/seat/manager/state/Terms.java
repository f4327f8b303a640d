// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.ring.Group;
import java.util.ArrayList;
import java.util.List;

/**
 * Terms and the ring epochs in them. The epochs of term t begin at t million, so that an epoch
 * identifies its term, and two managers can never give the same epoch to different maps. The last
 * epoch of earlier terms is remembered: an epoch above it, or above the current one, was given by a
 * manager whose log had more entries than this one.
 */
final class Terms {
  /** The end of a term. */
  public record End(long term, long epoch) {}

  static final long EPOCHS_PER_TERM = 1_000_000;

  /** How many former terms are remembered. */
  static final int ENDS_MAX = 1024;

  private final List<End> ends = new ArrayList<>();
  private long term;
  private long epoch;

  void restore(long term, long epoch, List<End> ends) {
    this.term = term;
    this.epoch = epoch;
    this.ends.clear();
    this.ends.addAll(ends);
  }

  long term() {
    return term;
  }

  long epoch() {
    return epoch;
  }

  List<End> ends() {
    return List.copyOf(ends);
  }

  void begin() {
    ends.add(new End(term, epoch));
    if (ends.size() > ENDS_MAX) ends.removeFirst();
    term++;
    epoch = term * EPOCHS_PER_TERM;
  }

  /** The next epoch; a term that has used up its own is followed by another. */
  void raise() {
    if ((epoch + 1) % EPOCHS_PER_TERM == 0) begin();
    else epoch++;
  }

  /**
   * A group that has just been made, in its first epoch: 1, unless the manager was recovered. Then
   * all groups that were there have epochs of at least the ring epoch in which it was, and a new
   * one begins no lower (P36): a group of that number may have been made before, in what was lost.
   */
  static Group begun(Group made, List<Group> others) {
    long least = others.stream().mapToLong(Group::epoch).min().orElse(made.epoch());
    return least < EPOCHS_PER_TERM ? made : made.in(least);
  }

  /** Whether a manager with this log may have given that epoch. */
  boolean issued(long shown) {
    if (shown > epoch) return false;
    long shownTerm = shown / EPOCHS_PER_TERM;
    for (End end : ends) {
      if (end.term() == shownTerm) return shown <= end.epoch();
    }
    return true;
  }
}
