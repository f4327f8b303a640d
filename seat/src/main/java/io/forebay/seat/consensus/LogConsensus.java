// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import io.forebay.base.Bytes;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.store.Store;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Agreement of one node with itself: a command is committed when it is forced in the log. Now and
 * then a snapshot is written and the entries before it are trimmed.
 *
 * <p>When a force fails, it is unknown which entries will survive: the node stops leading, retries,
 * and leads again once all its entries are safe. Its owner calls {@link #poll}, or polls the store
 * itself.
 */
public final class LogConsensus implements Consensus {
  /** The journal of the store that holds the log. */
  static final long JOURNAL = 0;

  /** A snapshot is written when the log has this many entries more than it needs. */
  static final int SURPLUS_ENTRIES_MAX = 1024;

  private static final long RETRY_NANOS = 20_000_000;

  /** How often the first waiting proposal asks for room before it is rejected. */
  private static final int ROOM_RETRIES_MAX = 250;

  /** A command that is in the log and not yet safe, or not in the log yet. */
  private record Pending(long index, Bytes command, @Nullable Proposer proposer) {
    void decide(Outcome outcome) {
      if (proposer != null) proposer.decided(outcome);
    }
  }

  private final Store store;
  private final Timers timers;
  private final Level level;
  private final int surplusEntriesMax;
  private final long epoch;
  private final long entriesCut;
  private @Nullable LogReplay replay;
  private @Nullable Machine machine;
  private @Nullable Leadership leadership;

  private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
  private final ArrayDeque<Pending> written = new ArrayDeque<>();
  private boolean leading;
  private boolean doubtTold;
  private boolean retrying;
  private int roomRetries;
  private long nextIndex;

  /** Every entry below is safe. */
  private long safeBefore;

  private long neededFrom;
  private long snapshotFrom;
  private boolean snapshotting;

  /** Where the newest safe snapshot begins, until the entries before it are gone; or -1. */
  private long trimBefore = -1;

  private LogConsensus(Store store, Timers timers, LogReplay replay, int surplusEntriesMax) {
    this.store = store;
    this.timers = timers;
    this.surplusEntriesMax = surplusEntriesMax;
    this.level = store.config().hasSsd() ? Level.FORCED : Level.KEPT;
    this.replay = replay;
    this.epoch = replay.epoch();
    this.entriesCut = replay.entriesCut();
    this.nextIndex = replay.nextIndex();
    this.safeBefore = replay.safeBefore();
    this.neededFrom = replay.firstIndex();
  }

  /** Reads the log of a store that has just been opened. Blocks while it reads. */
  public static LogConsensus open(Store store, Timers timers) throws BrokenLog {
    return open(store, timers, SURPLUS_ENTRIES_MAX);
  }

  /** One that writes snapshots as often as a test wants. */
  static LogConsensus open(Store store, Timers timers, int surplusEntriesMax) throws BrokenLog {
    LogReplay replay = LogReplay.read(store, JOURNAL);
    return new LogConsensus(store, timers, replay, surplusEntriesMax);
  }

  /** How many entries were behind a gap when the log was opened, and were cut off. */
  public long entriesCut() {
    return entriesCut;
  }

  /** Polls the store; returns whether work was pending. */
  public boolean poll() {
    return store.poll();
  }

  @Override
  public void start(Machine machine, Leadership leadership) {
    LogReplay recovered = replay;
    if (recovered == null) throw new IllegalStateException("started already");
    replay = null;
    this.machine = machine;
    this.leadership = leadership;
    Bytes snapshot = recovered.snapshot();
    if (snapshot != null) machine.restore(snapshot);
    for (LogReplay.Command command : decided(recovered)) {
      machine.apply(command.index(), command.content());
    }
    // Entries of a dead process may be in the system's memory only.
    secure();
  }

  /** A restarted manager continues from all its earlier decisions (P16). */
  @Rule("P16")
  private static List<LogReplay.Command> decided(LogReplay recovered) {
    return recovered.commands();
  }

  @Override
  public void propose(Bytes command, Proposer proposer) {
    if (!leading) {
      later(() -> proposer.decided(new Outcome.Rejected("the log is not safe yet")));
    } else if (command.length() > contentBytesMax()) {
      String reason = "a command of " + command.length() + " bytes does not fit into the log";
      later(() -> proposer.decided(new Outcome.Rejected(reason)));
    } else if (waiting.size() + written.size() >= PROPOSALS_MAX) {
      later(() -> proposer.decided(Outcome.FULL));
    } else {
      waiting.add(new Pending(-1, command, proposer));
      write();
    }
  }

  /** No other node exists that could lead. */
  @Override
  public void confirm(Confirmation confirmation) {
    later(() -> confirmation.answered(leading));
  }

  @Override
  public List<Member> members() {
    return List.of(new Member("manager", "", "", leading, 0, 0));
  }

  private int contentBytesMax() {
    return LogEntry.contentBytesMax(store.config());
  }

  /** Moves waiting proposals into the log, as far as there is room. */
  private void write() {
    while (leading && !waiting.isEmpty()) {
      Pending first = waiting.peek();
      long index = nextIndex;
      // Recorded before, since a failure may be reported before the call returns.
      written.add(new Pending(index, first.command(), first.proposer()));
      Commit commit = append(new LogEntry(safeBefore, 0, 0, first.command()), reached(index));
      if (commit == Commit.FULL) {
        written.removeLast();
        awaitRoom();
        return;
      }
      waiting.remove();
      roomRetries = 0;
      if (commit == Commit.DONE) later(() -> safe(index));
    }
  }

  private Commit append(LogEntry entry, Waiter waiter) {
    ByteBuffer bytes = entry.encode();
    Commit commit = store.journal(JOURNAL, epoch, nextIndex, bytes, level, waiter);
    if (commit == Commit.DUPLICATE || commit == Commit.DEAD) {
      throw new IllegalStateException("entry " + nextIndex + " of the log: " + commit);
    }
    if (commit != Commit.FULL) nextIndex++;
    return commit;
  }

  private void awaitRoom() {
    if (roomRetries++ < ROOM_RETRIES_MAX) {
      timers.after(RETRY_NANOS, this::write);
      return;
    }
    roomRetries = 0;
    rejectWaiting("the log has no room");
  }

  /** The answers come from within the store, which must not be called back from there. */
  private Waiter reached(long index) {
    return answer -> {
      switch (answer) {
        case Waiter.Answer.Reached r -> later(() -> safe(index));
        case Waiter.Answer.Failed failed -> later(() -> doubt(failed.detail()));
      }
    };
  }

  /** An entry is safe, and so is every one before it. */
  private void safe(long index) {
    safeBefore = Math.max(safeBefore, index + 1);
    while (!written.isEmpty() && written.peek().index() < safeBefore) {
      Pending done = written.remove();
      started(machine).apply(done.index(), done.command());
      done.decide(new Outcome.Committed(done.index()));
    }
    tidy();
  }

  /** The log could not be forced: whether the written entries count is decided later. */
  private void doubt(String detail) {
    String reason = "the manager's log cannot be forced: " + detail;
    leading = false;
    if (!doubtTold) started(leadership).lost(reason);
    doubtTold = true;
    ArrayDeque<Pending> unknown = new ArrayDeque<>(written);
    written.clear();
    for (Pending entry : unknown) written.add(new Pending(entry.index(), entry.command(), null));
    for (Pending entry : unknown) entry.decide(new Outcome.Unknown(reason));
    rejectWaiting(reason);
    if (retrying) return;
    retrying = true;
    timers.after(
        RETRY_NANOS,
        () -> {
          retrying = false;
          secure();
        });
  }

  private void rejectWaiting(String reason) {
    while (!waiting.isEmpty()) waiting.remove().decide(new Outcome.Rejected(reason));
  }

  /** Leads when everything in the log is safe. */
  private void secure() {
    long last = nextIndex - 1;
    Waiter waiter =
        answer -> {
          switch (answer) {
            case Waiter.Answer.Reached r -> later(() -> lead(last));
            case Waiter.Answer.Failed failed -> later(() -> doubt(failed.detail()));
          }
        };
    if (store.reachJournals(level, waiter) == Commit.DONE) later(() -> lead(last));
  }

  private void lead(long last) {
    safe(last);
    if (leading) return;
    leading = true;
    doubtTold = false;
    started(leadership).leading();
  }

  /** Writes a snapshot when the log has become long, and trims earlier entries. */
  private void tidy() {
    if (trimBefore >= 0) trim();
    boolean due = nextIndex - neededFrom > surplusEntriesMax && nextIndex >= snapshotFrom;
    if (due && leading && written.isEmpty() && !snapshotting && trimBefore < 0) writeSnapshot();
  }

  private void writeSnapshot() {
    Bytes state = started(machine).snapshot();
    long first = nextIndex;
    snapshotFrom = nextIndex + surplusEntriesMax;
    for (LogEntry part : LogEntry.ofSnapshot(state, safeBefore, contentBytesMax())) {
      // Parts without the rest mean nothing: it is tried again later.
      if (append(part, answer -> {}) == Commit.FULL) return;
    }
    snapshotting = true;
    long last = nextIndex - 1;
    Waiter waiter =
        answer -> {
          switch (answer) {
            case Waiter.Answer.Reached r -> later(() -> snapshotSafe(first, last));
            case Waiter.Answer.Failed failed -> later(() -> snapshotFailed(failed.detail()));
          }
        };
    if (store.reachJournals(level, waiter) == Commit.DONE) later(() -> snapshotSafe(first, last));
  }

  private void snapshotSafe(long first, long last) {
    snapshotting = false;
    neededFrom = first;
    trimBefore = first;
    safe(last);
  }

  private void snapshotFailed(String detail) {
    snapshotting = false;
    doubt(detail);
  }

  /** Trims only what a safe snapshot replaces: a trim that outlived it would lose everything. */
  private void trim() {
    Scope head = new Scope.JournalHead(JOURNAL, trimBefore);
    if (store.kill(List.of(head), Level.KEPT, answer -> {}) != Commit.FULL) trimBefore = -1;
  }

  private void later(Runnable action) {
    timers.after(0, action);
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) throw new IllegalStateException("not started");
    return part;
  }
}
