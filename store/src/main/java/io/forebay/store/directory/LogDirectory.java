// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.base.MonotonicClock;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.StoreOpening;
import io.forebay.store.log.LogId;
import io.forebay.store.recovery.RecoveryReport;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A seat's log in a directory of its own, open:
 *
 * <pre>
 *   forebay.log          the log's identity and the place of its memory ({@link LogIdentity})
 *   lock                 held while the log is open; names the process
 *   segments/segment-N   the SSD tier, unless the mode is memory only
 * </pre>
 *
 * <p>Memory segments are {@code forebay-ID/memory-N} below a directory in memory, by default {@code
 * /dev/shm}, where a restarted process finds them; if there is no room, below a configured
 * fallback; as a last resort, if allowed, in anonymous memory, with a warning. Without a memory
 * tier (mode SSD) anonymous memory is enough for the write buffers.
 *
 * <p>Opening blocks. An open log belongs to one thread.
 */
public final class LogDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogDirectory.class);
  private static final String SEGMENTS = "segments";

  /**
   * Which log, and how to open it.
   *
   * <p>Anonymous memory is bounded by {@code -XX:MaxDirectMemorySize}, by default the largest heap:
   * a memory tier that has to fall back to it stays smaller than its budget beyond that, and the
   * write buffers of mode SSD have to fit.
   *
   * @param directory the log's own directory
   * @param create whether to begin a new log if there is none; an existing directory must be empty
   * @param memoryRoot where the directory of memory segments is made, {@code /dev/shm} unless given
   * @param memoryFallback the same for memory segments that find no room there
   * @param anonymousMemory whether memory segments that find no room there may be anonymous memory,
   *     which dies with the process; else a log is refused that finds too little room
   * @param config tiers and budgets; without it a log is opened as it is, with no room to grow
   */
  public record Options(
      Path directory,
      boolean create,
      @Nullable Path memoryRoot,
      @Nullable Path memoryFallback,
      boolean anonymousMemory,
      @Nullable StoreConfig config) {
    public Options {
      directory = directory.toAbsolutePath();
      if (create && config == null) {
        throw new IllegalArgumentException("a log cannot be created without a configuration");
      }
    }

    /** Opens the log there, or begins one. */
    public static Options create(Path directory, StoreConfig config) {
      return new Options(directory, true, null, null, false, config);
    }

    /** Opens the log that must be there, with these budgets. */
    public static Options existing(Path directory, StoreConfig config) {
      return new Options(directory, false, null, null, false, config);
    }

    /** Opens the log that must be there as it is. */
    public static Options existing(Path directory) {
      return new Options(directory, false, null, null, false, null);
    }

    public Options withMemoryRoot(@Nullable Path root) {
      return new Options(directory, create, root, memoryFallback, anonymousMemory, config);
    }

    public Options withMemoryFallback(@Nullable Path fallback) {
      return new Options(directory, create, memoryRoot, fallback, anonymousMemory, config);
    }

    public Options withAnonymousMemory(boolean allowed) {
      return new Options(directory, create, memoryRoot, memoryFallback, allowed, config);
    }
  }

  /** What an open log holds until it is closed. */
  record Held(
      DirectoryLock lock, IdentityKeeper identity, LogVolumes volumes, MemoryClaim memory) {}

  private final Path directory;
  private final DirectoryLock lock;
  private final IdentityKeeper identity;
  private final LogVolumes volumes;
  private final MemoryClaim memory;
  private final StoreOpening.Opened opened;
  private final LogOpening.Start start;

  /** Built by {@link LogOpening}. */
  LogDirectory(Held held, StoreOpening.Opened opened, LogOpening.Start start) {
    this.directory = held.identity.directory();
    this.lock = held.lock;
    this.identity = held.identity;
    this.volumes = held.volumes;
    this.memory = held.memory;
    this.opened = opened;
    this.start = start;
  }

  /**
   * Opens a log, or begins one. What the store says without being asked is logged here already; the
   * events are for owners that act on it.
   *
   * @param random draws the ids of logs and segments, so its seed must not be a repeated one
   * @param wakeUp called from other threads whenever {@link Store#poll} has something to do
   */
  public static LogDirectory open(
      Options options,
      MonotonicClock clock,
      RandomGenerator random,
      StoreEvents events,
      Runnable wakeUp)
      throws LogUnavailable, IOException {
    LogOpening.Owner owner = new LogOpening.Owner(clock, random, events, wakeUp);
    return new LogOpening(options, Machine.current(), owner).open();
  }

  public Path directory() {
    return directory;
  }

  public LogId id() {
    return identity.identity().log();
  }

  public Store store() {
    return opened.store();
  }

  /** What opening recovered and which defects it found. */
  public RecoveryReport report() {
    return opened.report();
  }

  /** Whether this log is new. */
  public boolean created() {
    return start.created();
  }

  /**
   * Whether everything that earlier openings kept in memory was found: its directories exist, the
   * machine was not restarted, and no anonymous memory was in use. Only then may a seat continue in
   * its incarnation. Once false, it stays so in later openings, until {@link #acknowledgeLoss}.
   * False for a new log.
   */
  public boolean memorySurvived() {
    return start.memorySurvived();
  }

  /**
   * The owner has acknowledged the loss and has durably recorded a new incarnation. If a process
   * dies before that, the next one sees the loss.
   */
  public void acknowledgeLoss() throws IOException {
    identity.lossAcknowledged();
  }

  /**
   * Closes the files and releases the lock. Kept data stays in the directories, and memory segments
   * stay in memory. Data in anonymous memory is moved to lasting segments, as far as there is room;
   * if all of it is, the next opening misses nothing.
   */
  @Override
  public void close() throws IOException {
    try (lock;
        memory) {
      // Seal open segments, so that a record that is missing later is noticed.
      store().seal();
      boolean saved = store().saveDying();
      volumes.close();
      if (saved) identity.nothingInAnonymousMemory();
      else LOG.warn("{}: what stood in anonymous memory only is lost with this process", directory);
    }
  }

  /** Closes the log and deletes its memory, which is lost. */
  public void closeWithoutMemory() throws IOException {
    volumes.close();
    try (lock;
        memory) {
      MemoryHome.standing(identity.identity()).remove();
    }
  }

  /**
   * Closes the log and removes it with all its files, in memory too; the directory itself stays.
   */
  public void destroy() throws IOException {
    volumes.close();
    try (memory) {
      remove(identity.identity(), lock, directory);
    }
  }

  /** Whether a directory has a log. */
  public static boolean exists(Path directory) {
    return Files.exists(directory.resolve(IdentityFile.NAME));
  }

  /** Removes a log that is not open. */
  public static void destroy(Path directory) throws LogUnavailable, IOException {
    Path absolute = directory.toAbsolutePath();
    IdentityFile.require(absolute);
    DirectoryLock lock = DirectoryLock.toWrite(absolute);
    boolean removed = false;
    try {
      remove(IdentityFile.require(absolute), lock, absolute);
      removed = true;
    } finally {
      if (!removed) lock.close();
    }
  }

  /**
   * Deletes the identity last: until then, the remaining files can still be removed as this log's.
   */
  private static void remove(LogIdentity identity, DirectoryLock lock, Path directory)
      throws IOException {
    MemoryHome.standing(identity).remove();
    SlotFiles.remove(segmentsOf(directory), StoreOpening.SSD_PREFIX);
    IdentityFile.delete(directory);
    lock.remove();
  }

  public static Path segmentsOf(Path directory) {
    return directory.resolve(SEGMENTS);
  }
}
