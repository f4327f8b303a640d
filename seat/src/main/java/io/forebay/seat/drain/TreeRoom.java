// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import io.forebay.base.Timers;
import io.forebay.drain.policy.KeepPolicy;
import io.forebay.drain.policy.Keeping;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.BackingView;
import io.forebay.ring.Instance;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.TreeContext;
import io.forebay.seat.part.WallClock;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the buffer gives up of a tree, as its home: only what the backing store has, and of that
 * last what the instance's {@link KeepPolicy} prefers.
 */
final class TreeRoom {
  private static final int FILES_AT_ONCE = 1000;

  /** So long it is not looked again what is preferred: that goes through all names. */
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** Of very many names, only such a part of the time is spent on it. */
  private static final int LOOK_SHARE = 50;

  /** So long nothing else is to be had before what is preferred is given up. */
  private static final long DRY_NANOS = 5_000_000_000L;

  /** Who still wants room asks more often than that. */
  private static final long WANTED_NANOS = 2_000_000_000L;

  private final Timers timers;
  private final WallClock wallClock;
  private final TreeContext drain;
  private final KeepPolicy policy;
  private @Nullable Keeping keeping;
  private long lookedWallNanos;

  /** When it is looked again. */
  private long lookNanos;

  private long droppedIndex = -1;
  private long wantedNanos;

  /** Since then room has been wanted, and there was nothing but what is preferred. */
  private long drySinceNanos;

  TreeRoom(Basics basics, TreeContext drain, Instance instance) {
    this.timers = basics.timers();
    this.wallClock = basics.wallClock();
    this.drain = drain;
    this.policy = policyOf(instance);
    this.wantedNanos = timers.nanos() - WANTED_NANOS;
  }

  KeepPolicy policy() {
    return policy;
  }

  private static KeepPolicy policyOf(Instance instance) {
    try {
      return KeepPolicy.parse(instance.drain().keep());
    } catch (IllegalArgumentException e) {
      // The manager lets none in that it cannot read; another version's may be.
      return KeepPolicy.UNTIL_NEEDED;
    }
  }

  /**
   * Gives up so many bytes, or all that can be; says how many. What is preferred is not touched
   * while there is anything else, nor at once when there is not: what is being drained, and what
   * was given up a moment ago, may be room enough soon.
   */
  long free(BackingView view, long bytes) {
    if (!policy.prefers()) return free(view, view.releasable(), bytes);
    Keeping kept = keeping(view);
    List<Long> others = new ArrayList<>();
    List<Long> preferred = new ArrayList<>();
    for (long file : view.releasable()) (isOther(view, kept, file) ? others : preferred).add(file);
    long nanos = timers.nanos();
    boolean wantedStill = nanos - wantedNanos < WANTED_NANOS;
    wantedNanos = nanos;
    if (!others.isEmpty() || !wantedStill) drySinceNanos = nanos;
    if (!others.isEmpty()) return free(view, others, bytes);
    if (nanos - drySinceNanos < DRY_NANOS) return 0;
    preferred.sort(
        Comparator.comparingLong(
            file -> kept.prefers(file) ? kept.writtenNanos(file) : Long.MAX_VALUE));
    return free(view, preferred, bytes);
  }

  /** What was drained since it was looked may be the newest checkpoint. */
  private boolean isOther(BackingView view, Keeping kept, long file) {
    return !kept.prefers(file) && view.durableNanos(file) < lookedWallNanos;
  }

  private long free(BackingView view, List<Long> order, long bytes) {
    long freed = 0;
    List<Long> files = new ArrayList<>();
    for (long file : order) {
      if (freed >= bytes || files.size() >= FILES_AT_ONCE) break;
      Names.Attributes attributes = view.attributes(file);
      if (attributes == null) continue;
      files.add(file);
      freed += attributes.allocatedBytes();
    }
    release(files);
    return freed;
  }

  private Keeping keeping(BackingView view) {
    long nanos = timers.nanos();
    if (keeping == null || nanos - lookNanos >= 0) {
      lookedWallNanos = wallClock.nanos();
      keeping = Keeping.of(policy, view.root(), lookedWallNanos);
      long tookNanos = timers.nanos() - nanos;
      lookNanos = nanos + Math.max(LOOK_NANOS, LOOK_SHARE * tookNanos);
    }
    return keeping;
  }

  /** Gives up at once what is not preferred, if the policy says so. */
  void dropRest(BackingView view) {
    long index = drain.home().state().lastIndex();
    boolean ageing = policy.ageMillis() > 0;
    if (!policy.dropRest() || (index == droppedIndex && !ageing)) return;
    boolean looksAgain = keeping == null || timers.nanos() - lookNanos >= 0;
    if (!looksAgain) return;
    droppedIndex = index;
    Keeping kept = keeping(view);
    List<Long> files = new ArrayList<>();
    for (long file : view.releasable()) {
      if (files.size() >= FILES_AT_ONCE) break;
      if (isOther(view, kept, file)) files.add(file);
    }
    release(files);
  }

  private void release(List<Long> files) {
    if (files.isEmpty()) return;
    drain.propose(new GroupCommand.Release(drain.instance(), drain.tree(), files), applied -> {});
  }
}
