// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.journal;

import io.forebay.base.Bytes;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Groups;
import io.forebay.seat.part.Self;
import io.forebay.store.record.Commit;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Waiter;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;

/**
 * A member's side of a group's journal: takes entries in order only, cuts off a tail that diverges
 * from the home's, and answers when its entries are safe.
 */
public final class MemberJournal {
  private final Self seat;
  private final Groups groups;
  private final Group group;
  private final GroupJournal journal;
  private final boolean current;
  private long begunAt;

  public MemberJournal(Basics basics, Group group, GroupJournal journal) {
    this.seat = basics.self();
    this.groups = basics.groups();
    this.group = group;
    this.journal = journal;
    this.current = group.members().get(group.indexOf(seat.id())).current();
  }

  public void append(Connection connection, long request, Journals.Append message) {
    if (!current && !begun(message)) {
      answer(connection, request, false, 0);
      return;
    }
    long previous = message.previousIndex();
    // Entries before our first one are contained in a snapshot of the home: they agree.
    boolean matched =
        previous == 0
            || previous == begunAt - 1
            || previous < journal.first()
            || journal.epochAt(previous) == message.previousEpoch();
    if (matched && previous > 0 && message.previousEpoch() < 0) {
      // The home's journal begins here, with a snapshot: what we have before it is contained in it.
      journal.trim(previous + 1, answer -> {});
    }
    if (!matched) {
      answer(connection, request, false, Math.min(journal.last(), previous - 1));
      return;
    }
    long index = previous;
    boolean forced = false;
    for (Journals.Entry entry : message.entries()) {
      forced |= entry.forced();
      if (index + 1 >= journal.first() && !take(index + 1, entry)) break;
      index++;
    }
    // Entries that were here before may not be safe yet: the wait is for all of them.
    long lastIndex = index;
    Waiter waiter =
        answer -> {
          if (answer instanceof Waiter.Answer.Failed failed) {
            groups.giveUp(group.id(), "its journal cannot be kept: " + failed.detail());
          } else {
            answer(connection, request, true, lastIndex);
          }
        };
    if (journal.reach(forced, waiter) == Commit.DONE) waiter.answered(Waiter.Answer.Reached.NOW);
  }

  /**
   * A member that is not current may have lost entries, and may have some that no other member has:
   * in this epoch, only entries from where the home lets it begin count.
   */
  private boolean begun(Journals.Append message) {
    long from = message.previousIndex() + 1;
    if (message.previousEpoch() >= 0 || from <= begunAt) return begunAt > 0;
    boolean dropped = dropAround(from);
    if (dropped) begunAt = from;
    return dropped;
  }

  /** A member that was not current keeps nothing of its own journal (P10). */
  @Rule("P10")
  private boolean dropAround(long from) {
    return taken(journal.trim(from, answer -> {}))
        && taken(journal.cut(group.epoch(), from, answer -> {}));
  }

  /** Puts an entry into its place and returns whether it is there; if not, there is no room. */
  private boolean take(long index, Journals.Entry entry) {
    long standing = journal.epochAt(index);
    if (isSame(standing, entry.epoch())) return true;
    if (standing >= 0 && !taken(journal.cut(entry.epoch(), index, answer -> {}))) return false;
    return taken(journal.append(index, entry, answer -> {}));
  }

  /** Where the home has another entry, the member's gives way with all behind it (P10). */
  @Rule("P10")
  private static boolean isSame(long standingEpoch, long epoch) {
    return standingEpoch == epoch;
  }

  private static boolean taken(Commit commit) {
    return commit == Commit.DONE || commit == Commit.PENDING || commit == Commit.DUPLICATE;
  }

  private void answer(Connection connection, long request, boolean matched, long lastIndex) {
    connection.send(
        request, new Journals.Appended(group.id(), group.epoch(), seat.id(), matched, lastIndex));
  }

  public void ask(Connection connection, long request) {
    long last = journal.last();
    connection.send(
        request,
        new Journals.JournalIs(
            group.id(), group.epoch(), seat.id(), journal.first(), last, journal.epochAt(last)));
  }

  /** Sends entries from an index on, as many as fit; none if the first is not here. */
  public void fetch(Connection connection, long request, Journals.FetchEntries message) {
    new Fetch(connection, request, message).readOn();
  }

  /**
   * Entries that are read one after the other. A read may be answered before it returns, so that
   * the next one is begun by a loop: begun by each answer, thousands of them would fill the stack.
   */
  private final class Fetch {
    /** The state of a fetch: between reads, in a pending read, or at its end. */
    private enum State {
      READY,
      READING,
      OVER
    }

    private final Connection connection;
    private final long request;
    private final Journals.FetchEntries message;
    private final List<Journals.Entry> entries = new ArrayList<>();
    private State state = State.READY;
    private boolean looping;
    private long index;
    private int bytes;

    Fetch(Connection connection, long request, Journals.FetchEntries message) {
      this.connection = connection;
      this.request = request;
      this.message = message;
      this.index = message.fromIndex();
    }

    void readOn() {
      if (looping) return;
      looping = true;
      while (state == State.READY) {
        if (isEnough()) {
          state = State.OVER;
          connection.send(
              request,
              new Journals.Entries(group.id(), group.epoch(), message.fromIndex(), entries));
        } else {
          state = State.READING;
          journal.read(index, this::read);
        }
      }
      looping = false;
    }

    private boolean isEnough() {
      return index > journal.last() || bytes >= Math.min(message.bytesMax(), FETCHED_BYTES_MAX);
    }

    private void read(ReadResult result) {
      if (!(result instanceof ReadResult.Bytes found)) {
        state = State.OVER;
        fail(result);
        return;
      }
      Bytes content = GroupJournal.contentOf(found);
      entries.add(new Journals.Entry(journal.epochAt(index), true, content));
      bytes += Math.max(content.length(), ENTRY_BYTES_COUNTED);
      index++;
      state = State.READY;
      readOn();
    }

    private void fail(ReadResult result) {
      String why = group.id() + "'s entry " + index + ": " + result;
      connection.send(request, new Replies.Failed(ErrorCode.FAILED, why));
      boolean here = index >= journal.first() && index <= journal.last();
      boolean forGood =
          result instanceof ReadResult.Damaged || (result instanceof ReadResult.Absent && here);
      // Otherwise the home would ask for it forever. Its own journal has everything that counts.
      if (forGood) groups.giveUp(group.id(), why);
    }
  }

  private static final int FETCHED_BYTES_MAX = 512 * 1024;

  /** The minimum size that an entry counts for, so that a batch of empty ones stays short. */
  private static final int ENTRY_BYTES_COUNTED = 256;

  public void trim(Journals.Trim message) {
    journal.trim(message.beforeIndex(), answer -> {});
  }
}
