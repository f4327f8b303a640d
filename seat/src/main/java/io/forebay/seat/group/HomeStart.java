// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.group;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.rule.Rule;
import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.GroupCommands;
import io.forebay.namespace.GroupState;
import io.forebay.ring.Group;
import io.forebay.seat.journal.GroupJournal;
import io.forebay.seat.journal.JournalEntry;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Groups;
import io.forebay.seat.part.Loop;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.Questions;
import io.forebay.store.record.Commit;
import io.forebay.store.record.ReadResult;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Message;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a seat becomes a group's home (P10): it asks every current member for its journal, adopts the
 * one with the highest last epoch, then the longest, and builds the group's state from it. Two
 * journals that agree on an entry's epoch agree on everything before it, so only the ends are
 * compared.
 */
final class HomeStart {
  /** Called once, when the state is built. */
  interface Ready {
    void ready(Built built);
  }

  /**
   * The state from the journal.
   *
   * @param restored whether it continues with forced data only, and the journal does not say so yet
   * @param grownBytes the commands after the last snapshot
   * @param snapshotBytes the last snapshot
   * @param snapshotIndex the index of its begin, before which nothing counts; 0 if there is none
   */
  record Built(
      GroupState state,
      boolean anyForced,
      boolean restored,
      long grownBytes,
      long snapshotBytes,
      long snapshotIndex) {}

  private enum State {
    ASKING,
    FETCHING,
    READING,
    OVER
  }

  private static final long ASK_NANOS = ProtocolTimes.DEFAULT.requests().startNanos();
  private static final int FETCH_BYTES = 256 * 1024;

  /** How far before our own end the first fetch looks for a common entry. */
  private static final int LOOK_BACK = 256;

  /** Entries read at one call, so that the loop can do other things. */
  private static final int READ_AT_ONCE = 1000;

  /** A device that did not give an entry may do so a little later. */
  private static final long READ_AGAIN_NANOS = 500_000_000L;

  /** After this many failed reads another member shall be home; reading is retried until one is. */
  private static final int READS_IN_VAIN_MAX = 3;

  private final Self seat;
  private final Groups groups;
  private final Timers timers;
  private final SeatEvents events;
  private final Loop loop;
  private final Questions questions;
  private final Group group;
  private final GroupJournal journal;
  private final Ready ready;
  private final Map<SeatId, Journals.JournalIs> answers = new TreeMap<>();
  private State state = State.ASKING;
  private long askedNanos;
  private GroupState built;
  private boolean anyForced;
  private @Nullable GroupState snapshot;
  private long beginIndex;
  private long partBytes;
  private long grownBytes;
  private long snapshotBytes;
  private long snapshotIndex;
  private long nextIndex;
  private long readEpoch;
  private boolean restoring;

  /**
   * Whether the journal so far begins with a complete base: the first entry, a snapshot, or a loss.
   */
  private boolean based;

  private boolean waiting;
  private int readsInVain;

  HomeStart(Basics basics, Questions questions, Group group, GroupJournal journal, Ready ready) {
    this.seat = basics.self();
    this.groups = basics.groups();
    this.timers = basics.timers();
    this.events = basics.events();
    this.loop = basics.loop();
    this.questions = questions;
    this.group = group;
    this.journal = journal;
    this.ready = ready;
    this.built = new GroupState(group.id());
  }

  /** A word for people. */
  String stage() {
    return switch (state) {
      case ASKING -> "waiting for members";
      case FETCHING -> "fetching the journal";
      case READING -> "reading the journal";
      case OVER -> "starting";
    };
  }

  void start() {
    ask();
  }

  /** The epoch is over. */
  void stop() {
    state = State.OVER;
  }

  void poll() {
    if (state == State.ASKING && timers.nanos() - askedNanos > ASK_NANOS) ask();
    if (state == State.READING && !waiting) read();
  }

  private void ask() {
    askedNanos = timers.nanos();
    boolean all = true;
    for (Group.Member member : group.members()) {
      if (!member.current() || member.seat().equals(seat.id())) continue;
      if (answers.containsKey(member.seat())) continue;
      all = false;
      Message question = new Journals.AskJournal(group.id(), group.epoch());
      questions.ask(member.seat(), question, ASK_NANOS, this::answered);
    }
    if (all) adopt();
  }

  private void answered(@Nullable Message message) {
    if (state != State.ASKING || !(message instanceof Journals.JournalIs answer)) return;
    if (!answer.group().equals(group.id()) || answer.epoch() != group.epoch()) return;
    answers.put(answer.member(), answer);
    for (Group.Member member : group.members()) {
      if (!member.current() || member.seat().equals(seat.id())) continue;
      if (!answers.containsKey(member.seat())) return;
    }
    adopt();
  }

  private void adopt() {
    Journals.JournalIs best = null;
    long bestEpoch = journal.epochAt(journal.last());
    long bestLast = journal.last();
    for (Journals.JournalIs answer : answers.values()) {
      if (!isBetter(answer, bestEpoch, bestLast)) continue;
      best = answer;
      bestEpoch = answer.lastEpoch();
      bestLast = answer.lastIndex();
    }
    if (best == null) {
      beginReading();
      return;
    }
    state = State.FETCHING;
    fetch(best, Math.max(best.firstIndex(), journal.last() - LOOK_BACK), true);
  }

  private void fetch(Journals.JournalIs from, long index, boolean first) {
    Message question = new Journals.FetchEntries(group.id(), group.epoch(), index, FETCH_BYTES);
    questions.ask(
        from.member(), question, 4 * ASK_NANOS, reply -> fetched(from, index, first, reply));
  }

  private void fetched(
      Journals.JournalIs from, long index, boolean first, @Nullable Message reply) {
    if (state != State.FETCHING) return;
    if (!(reply instanceof Journals.Entries entries) || entries.entries().isEmpty()) {
      timers.after(ASK_NANOS, () -> restart());
      return;
    }
    boolean agrees = journal.epochAt(index) == entries.entries().get(0).epoch();
    if (first && !agrees && index > from.firstIndex()) {
      fetch(from, from.firstIndex(), true);
      return;
    }
    long at = index;
    for (Journals.Entry entry : entries.entries()) {
      if (!place(at, entry)) {
        long again = at;
        timers.after(ASK_NANOS, () -> fetch(from, again, false));
        return;
      }
      at++;
    }
    if (at <= from.lastIndex()) fetch(from, at, false);
    else beginReading();
  }

  /**
   * A new home adopts the journal that goes furthest: that of the latest epoch, then length (P10).
   */
  @Rule("P10")
  private static boolean isBetter(Journals.JournalIs answer, long bestEpoch, long bestLast) {
    return answer.lastEpoch() > bestEpoch
        || (answer.lastEpoch() == bestEpoch && answer.lastIndex() > bestLast);
  }

  /** Something did not answer: begin again. */
  private void restart() {
    if (state != State.FETCHING) return;
    state = State.ASKING;
    answers.clear();
    ask();
  }

  private boolean place(long index, Journals.Entry entry) {
    long standing = journal.epochAt(index);
    if (standing == entry.epoch()) return true;
    if (standing >= 0 && journal.cut(entry.epoch(), index, answer -> {}) == Commit.FULL) {
      return false;
    }
    return journal.append(index, entry, answer -> {}) != Commit.FULL;
  }

  private void beginReading() {
    state = State.READING;
    nextIndex = journal.first();
    based = nextIndex == 1;
    // Each home begins with an entry of its own epoch, so that one follows the restored entries as
    // soon as those have been examined.
    restoring = group.restoration().epoch() > journal.epochAt(journal.last());
    loop.wake();
  }

  private void read() {
    for (int i = 0; i < READ_AT_ONCE && state == State.READING; i++) {
      if (restoring && !cutWhereItEnds()) break;
      if (nextIndex > journal.last()) {
        state = State.OVER;
        ready.ready(
            new Built(built, anyForced, restoring, grownBytes, snapshotBytes, snapshotIndex));
        return;
      }
      long index = nextIndex;
      waiting = true;
      journal.read(index, result -> apply(index, result));
      if (waiting) return;
    }
    loop.wake();
  }

  /**
   * All members lost their memory: the forced entries are here without a gap, and were committed.
   * Behind them there may be entries that were written and never forced: entries behind a gap, or
   * behind one that should have replaced them. They no longer count. Returns whether there was
   * room.
   */
  private boolean cutWhereItEnds() {
    long epoch = journal.epochAt(nextIndex);
    boolean goesOn = epoch >= readEpoch;
    if (goesOn) readEpoch = epoch;
    if (goesOn || nextIndex > journal.last()) return true;
    if (journal.cut(group.epoch(), nextIndex, answer -> {}) == Commit.FULL) return false;
    events.warned(
        "%s goes on from entry %d of its journal: what stood behind had not been forced"
            .formatted(group.id(), nextIndex - 1));
    return true;
  }

  private void apply(long index, ReadResult result) {
    waiting = false;
    if (state != State.READING) return;
    switch (result) {
      case ReadResult.Busy busy -> {}
      case ReadResult.Failed failed -> readLater(index, failed.detail());
      case ReadResult.Bytes bytes -> apply(index, bytes);
      case ReadResult.Absent absent -> fail(index, "it is not in the log");
      case ReadResult.Damaged damaged -> fail(index, "it is damaged");
    }
  }

  private void apply(long index, ReadResult.Bytes bytes) {
    readsInVain = 0;
    try {
      apply(index, JournalEntry.read(GroupJournal.contentOf(bytes).asBuffer()));
      nextIndex = index + 1;
      loop.wake();
    } catch (MalformedFields e) {
      fail(index, String.valueOf(e.getMessage()));
    }
  }

  private void readLater(long index, String detail) {
    if (++readsInVain == READS_IN_VAIN_MAX) groups.giveUp(group.id(), unusable(index, detail));
    waiting = true;
    timers.after(
        READ_AGAIN_NANOS,
        () -> {
          waiting = false;
          loop.wake();
        });
  }

  private void apply(long index, JournalEntry entry) throws MalformedFields {
    anyForced |= entry.forced();
    if (entry.kind() != JournalEntry.Kind.SNAPSHOT_PART
        && entry.kind() != JournalEntry.Kind.SNAPSHOT_END) {
      // A snapshot that its home did not finish says nothing; what stands before it still counts.
      snapshot = null;
    }
    GroupState whole = snapshot;
    switch (entry.kind()) {
      case NOTHING -> {}
      case COMMAND -> {
        GroupCommand command = GroupCommands.read(entry.content());
        // A journal that lost its snapshot is void up to the point where its group continued
        // without it.
        based |= command instanceof GroupCommand.Restored;
        if (!based) return;
        replay(index, command);
        grownBytes += entry.content().length();
      }
      case SNAPSHOT_BEGIN -> {
        snapshot = new GroupState(group.id());
        beginIndex = index;
        partBytes = 0;
      }
      case SNAPSHOT_PART -> {
        if (whole != null) whole.restore(entry.content());
        partBytes += entry.content().length();
      }
      case SNAPSHOT_END -> {
        if (whole != null) complete(whole);
        snapshot = null;
      }
    }
  }

  /** The state of a new home is all that its journal says, from its beginning to its end (P10). */
  @Rule("P10")
  private void replay(long index, GroupCommand command) {
    built.apply(index, command);
  }

  private void complete(GroupState whole) {
    built = whole;
    based = true;
    snapshotIndex = beginIndex;
    snapshotBytes = partBytes;
    grownBytes = 0;
  }

  /** It will not get better by waiting: another member must be home, if there is one. */
  private void fail(long index, String detail) {
    state = State.OVER;
    events.warned(group.id() + " cannot start: " + unusable(index, detail));
    groups.giveUp(group.id(), unusable(index, detail));
  }

  private static String unusable(long index, String detail) {
    return "entry " + index + " of its journal is unusable: " + detail;
  }

  /** Whether a member has been asked for its journal and has not answered. */
  boolean waitsFor(SeatId member) {
    return state == State.ASKING && !answers.containsKey(member);
  }

  /** A member can be reached. */
  void peerUp(SeatId peer, Lane lane) {
    if (state == State.ASKING && lane == Lane.CONTROL && !answers.containsKey(peer)) ask();
  }
}
