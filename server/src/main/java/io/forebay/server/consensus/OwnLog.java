// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.consensus;

import io.forebay.base.Bytes;
import io.forebay.base.MonotonicClock;
import io.forebay.base.Timers;
import io.forebay.base.fields.MalformedFields;
import io.forebay.seat.consensus.BrokenLog;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.consensus.LogConsensus;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.store.StoreEvents;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of a manager that is alone: it agrees with itself. */
public final class OwnLog implements Agreement {
  /** Large enough for the map of a large ring in one record, a quarter of a segment. */
  private static final int SEGMENT_BYTES = 4 * 1024 * 1024;

  private static final long LOG_BYTES = 16L * SEGMENT_BYTES;

  private static final Logger LOG = LoggerFactory.getLogger(OwnLog.class);

  private final LogDirectory log;
  private final LogConsensus consensus;

  private OwnLog(LogDirectory log, LogConsensus consensus) {
    this.log = log;
    this.consensus = consensus;
  }

  /** Opens the log in a directory, or begins one; the message of an exception is a sentence. */
  public static OwnLog open(Path directory, RandomGenerator random, Timers timers, Runnable wakeUp)
      throws IOException {
    LogDirectory log = openOrTell(directory, random, wakeUp);
    try {
      LogConsensus consensus = LogConsensus.open(log.store(), timers);
      if (consensus.entriesCut() > 0) {
        LOG.warn(
            "{}: {} entries behind a gap were cut off, which were never acknowledged",
            directory,
            consensus.entriesCut());
      }
      return new OwnLog(log, consensus);
    } catch (BrokenLog e) {
      log.close();
      throw new IOException(
          "the manager's log in '"
              + directory
              + "' is broken ("
              + e.getMessage()
              + "); 'forebay manager recover --dir "
              + directory
              + "' brings it back from the maps of the servers",
          e);
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  /** Opens the files of the log there, or begins one. */
  public static LogDirectory openFiles(Path directory, RandomGenerator random, Runnable wakeUp)
      throws LogUnavailable, IOException {
    return LogDirectory.open(
        LogDirectory.Options.create(directory, StoreConfig.ssd(SEGMENT_BYTES, LOG_BYTES)),
        MonotonicClock.system(),
        random,
        StoreEvents.NONE,
        wakeUp);
  }

  private static LogDirectory openOrTell(Path directory, RandomGenerator random, Runnable wakeUp)
      throws IOException {
    try {
      return openFiles(directory, random, wakeUp);
    } catch (LogUnavailable e) {
      throw new IOException(e.sentence(), e);
    }
  }

  /** Whether a directory has such a log. */
  static boolean exists(Path directory) {
    return LogDirectory.exists(directory);
  }

  /** Brings a state to where the decisions in the log of a directory lead. */
  static void replay(Path directory, RandomGenerator random, ManagerState state)
      throws IOException {
    try (OwnLog log = open(directory, random, new Timers(MonotonicClock.system()), () -> {})) {
      Replay replay = new Replay(state);
      log.consensus.start(replay, replay);
    }
  }

  @Override
  public Consensus consensus() {
    return consensus;
  }

  @Override
  public boolean poll() {
    return consensus.poll();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }

  /** The state of a manager that does not run. */
  private record Replay(ManagerState state) implements Consensus.Machine, Consensus.Leadership {
    @Override
    public void apply(long index, Bytes command) {
      try {
        state.apply(Command.decode(command));
      } catch (MalformedFields e) {
        throw new IllegalStateException("entry " + index + " of the manager's log", e);
      }
    }

    @Override
    public Bytes snapshot() {
      return state.snapshot();
    }

    @Override
    public void restore(Bytes snapshot) {
      try {
        state.restore(snapshot);
      } catch (MalformedFields e) {
        throw new IllegalStateException("the snapshot in the manager's log", e);
      }
    }

    @Override
    public void leading() {
      // It proposes nothing.
    }

    @Override
    public void lost(String reason) {
      // It proposes nothing.
    }
  }
}
