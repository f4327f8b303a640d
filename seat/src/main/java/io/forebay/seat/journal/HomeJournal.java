// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.journal;

import io.forebay.base.Bytes;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Groups;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.Peers;
import io.forebay.store.record.Commit;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Waiter;
import io.forebay.wire.Limit;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Journals;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The home's side of a group's journal: appends entries, sends them to every member, and reports
 * when all current members have an entry. Entries are committed in order, and only committed
 * entries are visible to clients (P10). The journal of a member that is not current is discarded:
 * it starts again with a snapshot that is made in this epoch, so that none of its entries can be
 * newer.
 */
public final class HomeJournal {
  /** Gets committed entries, in order, each once. */
  public interface Listener {
    void committed(long index, JournalEntry entry);
  }

  private static final int BATCH_ENTRIES_MAX = 512;
  private static final int BATCH_BYTES_MAX = 512 * 1024;
  private static final long RESEND_NANOS = ProtocolTimes.DEFAULT.requests().resendNanos();

  /** How often to check whether entries that could not be kept are safe by now. */
  private static final long REACH_AGAIN_NANOS = 1_000_000_000L;

  /** The number of entries kept in memory after their commit, for members that lag a little. */
  private static final int RECENT_ENTRIES_MAX = 4096;

  /** And their bytes. */
  private static final long RECENT_BYTES_MAX = 64L * 1024 * 1024;

  /** Entries that wait for room, or for members. */
  private static final int UNCOMMITTED_MAX = Math.toIntExact(Limit.CHANGES.value());

  private static final long UNCOMMITTED_BYTES_MAX = 64L * 1024 * 1024;

  private static final class Follower {
    final SeatId seat;

    /** Whether nothing is committed without it. */
    boolean counts;

    /** Whether its journal agrees with the home's as far as it goes. */
    boolean begun;

    /** The index at which its journal starts again, or 0. */
    long beginsAt;

    long next;
    long match;
    boolean underWay;
    long sentNanos;

    Follower(SeatId seat, boolean current, long next) {
      this.seat = seat;
      this.counts = current;
      this.begun = current;
      this.next = next;
    }
  }

  private final Self seat;
  private final Groups groups;
  private final Timers timers;
  private final SeatEvents events;
  private final Peers peers;
  private final Group group;
  private final GroupJournal journal;
  private final Listener listener;
  private final List<Follower> followers = new ArrayList<>();
  private final TreeMap<Long, Journals.Entry> recent = new TreeMap<>();
  private final TreeMap<Long, JournalEntry> uncommitted = new TreeMap<>();
  private final ArrayDeque<JournalEntry> waiting = new ArrayDeque<>();
  private long last;
  private long uncommittedBytes;
  private long recentBytes;
  private long untrimmedBefore;
  private long localReached;
  private long committed;
  private boolean broken;

  /**
   * Entries that could not be kept may be safe by now, since the log moves them to another place.
   */
  private boolean unsafe;

  private long reachAgainNanos;

  /** Starts from a journal that all have been brought to agree on, or will be. */
  public HomeJournal(
      Basics basics, Peers peers, Group group, GroupJournal journal, Listener listener) {
    this.seat = basics.self();
    this.groups = basics.groups();
    this.timers = basics.timers();
    this.events = basics.events();
    this.peers = peers;
    this.group = group;
    this.journal = journal;
    this.listener = listener;
    this.last = journal.last();
    this.localReached = last;
    for (Group.Member member : group.members()) {
      if (!member.seat().equals(seat.id())) {
        followers.add(new Follower(member.seat(), member.current(), last + 1));
      }
    }
    // The entries that were found are committed by the first entry of this epoch, not before.
    this.committed = last;
  }

  public long last() {
    return last;
  }

  long committed() {
    return committed;
  }

  /** Entries that wait for room in the log. */
  public int waiting() {
    return waiting.size();
  }

  /** Whether another entry may be proposed; if not, its client is told to retry. */
  public boolean takesMore() {
    return waiting.size() + uncommitted.size() < UNCOMMITTED_MAX
        && uncommittedBytes < UNCOMMITTED_BYTES_MAX
        && !broken
        && !unsafe;
  }

  /** Appends the entry, as soon as there is room, behind all that were proposed before. */
  public void propose(JournalEntry entry) {
    waiting.add(entry);
    uncommittedBytes += entry.content().length();
    appendWaiting();
  }

  /** Tries again what found no room. */
  public void appendWaiting() {
    if (waiting.isEmpty()) return;
    while (!broken && !unsafe) {
      JournalEntry entry = waiting.peek();
      if (entry == null) break;
      long index = last + 1;
      Journals.Entry travelling = new Journals.Entry(group.epoch(), entry.forced(), entry.write());
      Commit commit = journal.append(index, travelling, answer -> reached(index, answer));
      if (commit == Commit.FULL) break;
      if (commit != Commit.DONE && commit != Commit.PENDING) {
        broken = true;
        groups.giveUp(group.id(), "its entry " + index + " was answered with " + commit);
        return;
      }
      waiting.remove();
      last = index;
      remember(index, travelling);
      uncommitted.put(index, entry);
      if (commit == Commit.DONE) localReached = Math.max(localReached, index);
    }
    sendAll();
    maybeCommit();
  }

  private void remember(long index, Journals.Entry entry) {
    recent.put(index, entry);
    recentBytes += entry.content().length();
  }

  private void forgetFirst() {
    recentBytes -= recent.pollFirstEntry().getValue().content().length();
  }

  private void reached(long index, Waiter.Answer answer) {
    if (answer instanceof Waiter.Answer.Failed failed) {
      // The manager shall give the group another home; if no other member holds everything, this
      // one continues as soon as it can.
      groups.giveUp(group.id(), "its entry " + index + " cannot be kept: " + failed.detail());
      if (!unsafe) reachAgainNanos = timers.nanos() + REACH_AGAIN_NANOS;
      unsafe = true;
      return;
    }
    localReached = Math.max(localReached, index);
    maybeCommit();
  }

  private void reachAgain() {
    reachAgainNanos = timers.nanos() + REACH_AGAIN_NANOS;
    long index = last;
    Waiter waiter =
        answer -> {
          if (answer instanceof Waiter.Answer.Failed) return;
          unsafe = false;
          reached(index, answer);
        };
    if (journal.reach(true, waiter) == Commit.DONE) waiter.answered(Waiter.Answer.Reached.NOW);
  }

  private void sendAll() {
    for (Follower follower : followers) send(follower);
  }

  private void send(Follower follower) {
    if (follower.underWay || !follower.begun || follower.next > last) return;
    List<Journals.Entry> batch = new ArrayList<>();
    int bytes = 0;
    for (long index = follower.next; index <= last; index++) {
      Journals.Entry entry = recent.get(index);
      if (entry == null) {
        if (batch.isEmpty()) readBack(follower, index);
        break;
      }
      bytes += entry.content().length();
      if (!batch.isEmpty() && bytes > BATCH_BYTES_MAX) break;
      batch.add(entry);
      if (batch.size() == BATCH_ENTRIES_MAX) break;
    }
    if (batch.isEmpty()) return;
    long previous = follower.next - 1;
    long previousEpoch = follower.next == follower.beginsAt ? -1 : journal.epochAt(previous);
    Journals.Append message =
        new Journals.Append(group.id(), group.epoch(), previous, previousEpoch, committed, batch);
    follower.underWay = peers.send(follower.seat, Lane.CONTROL, 0, message);
    follower.sentNanos = timers.nanos();
  }

  /** A member lags far behind: the entry is read from the log, and sent when it is here. */
  private void readBack(Follower follower, long index) {
    follower.underWay = true;
    follower.sentNanos = timers.nanos();
    journal.read(
        index,
        result -> {
          follower.underWay = false;
          if (!(result instanceof ReadResult.Bytes bytes)) {
            events.warned(group.id() + " cannot read its journal's entry " + index + ": " + result);
            return;
          }
          Bytes content = GroupJournal.contentOf(bytes);
          remember(index, new Journals.Entry(journal.epochAt(index), forced(content), content));
          send(follower);
        });
  }

  private static boolean forced(Bytes content) {
    try {
      return JournalEntry.read(content.asBuffer()).forced();
    } catch (MalformedFields e) {
      return true;
    }
  }

  public void appended(Journals.Appended answer) {
    for (Follower follower : followers) {
      if (!follower.seat.equals(answer.member())) continue;
      follower.underWay = false;
      long before = follower.next;
      if (answer.matched()) {
        follower.match = Math.max(follower.match, answer.lastIndex());
        follower.next = Math.max(follower.next, follower.match + 1);
      } else {
        // Its journal ends earlier, or has something else there: go back.
        long first = follower.beginsAt > 0 ? follower.beginsAt : journal.first();
        follower.next = Math.max(first, Math.min(follower.next - 1, answer.lastIndex() + 1));
      }
      // A full member answers at once, and is asked again at the next tick.
      if (follower.next != before) send(follower);
    }
    maybeCommit();
  }

  public void peerUp(SeatId peer) {
    for (Follower follower : followers) {
      if (!follower.seat.equals(peer)) continue;
      follower.underWay = false;
      send(follower);
    }
  }

  /** Resends unanswered entries. */
  public void poll() {
    if (untrimmedBefore > 0) trimHere(untrimmedBefore);
    if (unsafe && reachAgainNanos - timers.nanos() <= 0) reachAgain();
    for (Follower follower : followers) {
      if (follower.underWay && timers.nanos() - follower.sentNanos > RESEND_NANOS) {
        follower.underWay = false;
      }
      send(follower);
    }
  }

  /** An entry is shown when every current member has it (P10). */
  @Rule("P10")
  private static boolean isAwaited(Follower follower) {
    return follower.counts;
  }

  private void maybeCommit() {
    long all = localReached;
    for (Follower follower : followers) {
      if (isAwaited(follower)) all = Math.min(all, follower.match);
    }
    while (committed < all) {
      committed++;
      JournalEntry entry = uncommitted.remove(committed);
      if (entry == null) continue;
      uncommittedBytes -= entry.content().length();
      listener.committed(committed, entry);
    }
    // Entries that all have are kept a while, for members that answer late.
    while ((recent.size() > RECENT_ENTRIES_MAX || recentBytes > RECENT_BYTES_MAX)
        && recent.firstKey() <= committed) {
      forgetFirst();
    }
  }

  /** Drops entries that a committed snapshot contains, here and on the members. */
  public void trim(long beforeIndex) {
    trimHere(beforeIndex);
    while (!recent.isEmpty() && recent.firstKey() < beforeIndex) forgetFirst();
    Journals.Trim message = new Journals.Trim(group.id(), group.epoch(), beforeIndex);
    for (Follower follower : followers) peers.send(follower.seat, Lane.CONTROL, 0, message);
  }

  /** A snapshot of this epoch is committed: members that are not current begin with it. */
  public void beginAnew(long snapshotIndex) {
    for (Follower follower : followers) {
      boolean behind = follower.next < snapshotIndex || !follower.begun;
      if (follower.counts || !behind) continue;
      follower.begun = true;
      follower.beginsAt = snapshotIndex;
      follower.next = snapshotIndex;
      send(follower);
    }
  }

  /** Whether a member's journal agrees with this one as far as it goes, or will. */
  public boolean begun(SeatId member) {
    for (Follower follower : followers) {
      if (follower.seat.equals(member)) return follower.begun;
    }
    return false;
  }

  /** From now on nothing is committed without that member, or no longer so. */
  public void count(SeatId member, boolean counts) {
    for (Follower follower : followers) {
      if (follower.seat.equals(member)) follower.counts = counts;
    }
    maybeCommit();
  }

  /** Whether entries have been sent to a member that it has not confirmed. */
  public boolean waitsFor(SeatId member) {
    for (Follower follower : followers) {
      if (follower.seat.equals(member)) return follower.begun && follower.match < last;
    }
    return false;
  }

  /** How many of the committed entries a member lacks. */
  public long lacking(SeatId member) {
    for (Follower follower : followers) {
      if (!follower.seat.equals(member)) continue;
      return follower.begun ? Math.max(0, committed - follower.match) : committed;
    }
    return 0;
  }

  private void trimHere(long beforeIndex) {
    boolean full = journal.trim(beforeIndex, answer -> {}) == Commit.FULL;
    untrimmedBefore = full ? beforeIndex : 0;
  }
}
