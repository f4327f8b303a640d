// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.journal;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.seat.map.MemoryKeeper;
import io.forebay.store.Store;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Waiter;
import io.forebay.wire.message.Journals;
import java.util.List;

/** A group's journal in this seat's log; the first entry has index 1. */
public final class GroupJournal {
  private final Store store;
  private final long journal;

  public GroupJournal(Store store, GroupId group) {
    this.store = store;
    this.journal = MemoryKeeper.JOURNAL + 1 + group.number();
  }

  /** The lowest index there is, or 1. */
  public long first() {
    long first = store.journalFirst(journal);
    return first < 0 ? 1 : first;
  }

  /** The highest index there is, or 0. */
  public long last() {
    return Math.max(0, store.journalLast(journal));
  }

  /** The epoch in which an entry was proposed, or -1 when it is not here. */
  public long epochAt(long index) {
    return index < 1 ? -1 : store.journalEpoch(journal, index);
  }

  /**
   * The index up to which a journal with a lost tail is usable: the last one before a gap, or
   * before an entry of a lower epoch, which another entry should have replaced.
   */
  public long usableLast() {
    long epoch = 0;
    long index = first();
    while (epochAt(index) >= epoch) epoch = epochAt(index++);
    return index - 1;
  }

  public Commit append(long index, Journals.Entry entry, Waiter waiter) {
    return store.journal(
        journal, entry.epoch(), index, entry.content().asBuffer(), level(entry.forced()), waiter);
  }

  /** Requests that everything appended so far is kept, or forced. */
  Commit reach(boolean forced, Waiter waiter) {
    return store.reachJournals(level(forced), waiter);
  }

  /**
   * Drops entries from an index on that were proposed before this epoch, which is that of the
   * replacing entry. A tail that diverges from the adopted journal is always older, since the
   * journal with the highest last epoch is adopted.
   */
  public Commit cut(long epoch, long fromIndex, Waiter waiter) {
    return store.kill(
        List.of(new Scope.JournalTail(journal, epoch, fromIndex)), level(true), waiter);
  }

  /** Drops entries before an index, which a snapshot contains. */
  Commit trim(long beforeIndex, Waiter waiter) {
    return store.kill(List.of(new Scope.JournalHead(journal, beforeIndex)), Level.KEPT, waiter);
  }

  /** Told the entry's content, or null when it cannot be read. */
  public interface Receiver {
    void received(ReadResult result);
  }

  public void read(long index, Receiver receiver) {
    store.readJournal(journal, index, receiver::received);
  }

  public static Bytes contentOf(ReadResult.Bytes bytes) {
    try (var slice = bytes.slice()) {
      return Bytes.copyOf(slice.bytes());
    }
  }

  /** The maximum length of an entry. */
  public int entryBytesMax() {
    return store.config().payloadBytesMax();
  }

  private Level level(boolean forced) {
    return forced && store.config().hasSsd() ? Level.FORCED : Level.KEPT;
  }
}
