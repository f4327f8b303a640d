// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import io.forebay.base.Bytes;
import io.forebay.store.Store;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a log that may be broken still says: the newest whole snapshot, and the commands behind it
 * up to the first gap. A new log can be begun with the state that is made of it.
 *
 * @param snapshot null if there is none
 * @param complete whether no entry is known to be lost; what was lost behind the last one is not
 *     known
 */
public record SavedLog(@Nullable Bytes snapshot, List<Bytes> commands, boolean complete) {
  /** Nothing of a log. */
  public static final SavedLog NOTHING = new SavedLog(null, List.of(), false);

  /** How often a new log is asked for room. */
  private static final int ROOM_RETRIES_MAX = 10_000_000;

  public SavedLog {
    commands = List.copyOf(commands);
  }

  /** Reads the log of {@link LogConsensus}; changes nothing. Blocks while it reads. */
  public static SavedLog read(Store store) throws BrokenLog {
    LogReplay replay = LogReplay.readSound(store, LogConsensus.JOURNAL);
    List<Bytes> commands = replay.commands().stream().map(LogReplay.Command::content).toList();
    return new SavedLog(replay.snapshot(), commands, !replay.isBroken());
  }

  /** Begins the log of {@link LogConsensus} with that state. Blocks until it is forced. */
  public static void begin(Store store, Bytes state) throws BrokenLog {
    if (store.journalLast(LogConsensus.JOURNAL) >= 0) {
      throw new IllegalStateException("the log has entries");
    }
    Level level = store.config().hasSsd() ? Level.FORCED : Level.KEPT;
    int partBytes = LogEntry.contentBytesMax(store.config());
    long index = 0;
    for (LogEntry part : LogEntry.ofSnapshot(state, 0, partBytes)) {
      append(store, index++, part, level);
    }
    List<Waiter.Answer> answers = new ArrayList<>(1);
    if (store.reachJournals(level, answers::add) == Commit.DONE) return;
    while (answers.isEmpty()) store.poll();
    if (answers.getFirst() instanceof Waiter.Answer.Failed failed) {
      throw new BrokenLog("the new log cannot be forced: " + failed.detail());
    }
  }

  private static void append(Store store, long index, LogEntry part, Level level) throws BrokenLog {
    // The store was just opened: its first free segments may still be on their way.
    for (int i = 0; i < ROOM_RETRIES_MAX; i++) {
      Commit commit =
          store.journal(LogConsensus.JOURNAL, 1, index, part.encode(), level, answer -> {});
      if (commit != Commit.FULL) return;
      store.poll();
    }
    throw new BrokenLog("the new log has no room");
  }
}
