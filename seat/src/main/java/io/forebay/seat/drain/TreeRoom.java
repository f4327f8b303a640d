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
 * Evicts a tree's data from the buffer, as its home: only drained data, and data that the
 * instance's {@link KeepPolicy} prefers last.
 */
final class TreeRoom {
  private static final int FILES_AT_ONCE = 1000;

  /** The minimum time between two searches for preferred files: a search goes through all names. */
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** With very many names, only this share of the time is spent on it. */
  private static final int LOOK_SHARE = 50;

  /** How long nothing else must be available before preferred data is evicted. */
  private static final long DRY_NANOS = 5_000_000_000L;

  /** Seats that still need room ask more often than this. */
  private static final long WANTED_NANOS = 2_000_000_000L;

  private final Timers timers;
  private final WallClock wallClock;
  private final TreeContext drain;
  private final KeepPolicy policy;
  private @Nullable Keeping keeping;
  private long lookedWallNanos;

  /** The time of the next search. */
  private long lookNanos;

  private long droppedIndex = -1;
  private long wantedNanos;

  /** Since when room has been needed and only preferred data was left. */
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
      // The manager refuses policies that it cannot read; one of another version may be unreadable
      // here.
      return KeepPolicy.UNTIL_NEEDED;
    }
  }

  /**
   * Evicts up to this many bytes; returns how many. Preferred data is spared while there is other
   * data, and for a while afterwards: drains in progress and recent evictions may free enough room
   * soon.
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

  /** Data drained since the last search may belong to the newest checkpoint. */
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

  /** Evicts data that is not preferred at once, if the policy says so. */
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
