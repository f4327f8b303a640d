// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.base.MonotonicClock;
import io.forebay.store.StoreEvents;
import io.forebay.store.StoreOpening;
import io.forebay.store.disk.OwnerOnly;
import io.forebay.store.log.LogId;
import io.forebay.store.recovery.LogMismatch;
import io.forebay.store.recovery.RecoveryReport;
import io.forebay.store.tier.StoreConfig;
import io.forebay.store.tier.StoreConfig.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to open a log: checks everything, takes the lock, and only then writes. Belongs to
 * the thread that will own the log.
 */
final class LogOpening {
  /** The parts that the owner of a log supplies. */
  record Owner(MonotonicClock clock, RandomGenerator random, StoreEvents events, Runnable wakeUp) {}

  /** The result of the opening. */
  record Start(boolean created, boolean memorySurvived) {}

  private final LogDirectory.Options options;
  private final Path directory;
  private final Machine machine;
  private final Owner owner;
  private final StoreEvents events;

  LogOpening(LogDirectory.Options options, Machine machine, Owner owner) {
    this.options = options;
    this.directory = options.directory();
    this.machine = machine;
    this.owner = owner;
    this.events = new LoggedEvents(directory, owner.events());
  }

  LogDirectory open() throws LogUnavailable, IOException {
    check();
    if (options.create()) OwnerOnly.createDirectories(directory);
    DirectoryLock lock = DirectoryLock.toWrite(directory);
    boolean opened = false;
    try {
      // Again, since another process may have been here before the lock was granted.
      LogIdentity was = check();
      LogDirectory log = was == null ? begin(lock) : reopen(lock, was);
      opened = true;
      return log;
    } finally {
      if (!opened) giveUp(lock);
    }
  }

  /** Refuses a log that cannot be opened; returns the identity of an existing log. */
  private @Nullable LogIdentity check() throws LogUnavailable, IOException {
    requireDirectory(options.memoryRoot());
    requireDirectory(options.memoryFallback());
    LogIdentity identity =
        options.create() ? IdentityFile.read(directory) : IdentityFile.require(directory);
    if (identity == null) IdentityFile.requireVacant(directory);
    if (Files.exists(directory) && !Files.isWritable(directory)) {
      throw LogUnavailable.notWritable(directory);
    }
    if (identity != null) requireSame(identity);
    if (options.config() != null && !options.anonymousMemory()) {
      MemoryRoom.require(List.of(MemoryRoom.of(options, machine, identity)));
    }
    return identity;
  }

  /** Refuses a directory for memory segments that cannot be used. */
  static void requireDirectory(@Nullable Path path) throws LogUnavailable {
    if (path == null) return;
    if (Files.notExists(path)) throw LogUnavailable.missingMemory(path);
    if (!Files.isDirectory(path)) throw LogUnavailable.notADirectory(path);
    if (!Files.isWritable(path)) throw LogUnavailable.notWritable(path);
    if (!MemoryHome.fits(path)) throw LogUnavailable.longPath(path);
  }

  private void requireSame(LogIdentity identity) throws LogUnavailable {
    StoreConfig config = options.config();
    if (config != null && config.mode() != identity.mode()) {
      throw LogUnavailable.otherMode(directory, identity.mode(), config.mode());
    }
    if (config != null && config.segmentBytes() != identity.segmentBytes()) {
      throw LogUnavailable.otherSegmentBytes(
          directory, identity.segmentBytes(), config.segmentBytes());
    }
    MemoryHome.choose(options, machine, identity.log(), identity.mode(), identity);
  }

  private LogDirectory begin(DirectoryLock lock) throws LogUnavailable, IOException {
    StoreConfig config = options.config();
    if (config == null) throw new IllegalStateException("a new log without a configuration");
    LogId log = LogId.random(owner.random());
    MemoryHome home = MemoryHome.choose(options, machine, log, config.mode(), null);
    LogIdentity identity =
        new LogIdentity(
            log,
            config.mode(),
            config.segmentBytes(),
            machine.bootId(),
            MemoryHome.text(home.memory()),
            MemoryHome.text(home.fallback()),
            false,
            false);
    IdentityFile.write(directory, identity);
    return openStore(lock, identity, config, home, new Start(true, false));
  }

  private LogDirectory reopen(DirectoryLock lock, LogIdentity was)
      throws LogUnavailable, IOException {
    MemoryHome home = MemoryHome.choose(options, machine, was.log(), was.mode(), was);
    String loss = lossSince(was);
    LogIdentity identity =
        new LogIdentity(
            was.log(),
            was.mode(),
            was.segmentBytes(),
            machine.bootId(),
            MemoryHome.text(home.memory()),
            MemoryHome.text(home.fallback()),
            false,
            loss != null);
    // Before any memory is created: the next process must not take a loss for survival.
    if (!identity.equals(was)) IdentityFile.write(directory, identity);
    if (loss != null) events.warned(loss);
    if (machine.restartedSince(was.bootId())) dropStaleMemory(home);
    StoreConfig given = options.config();
    StoreConfig config = given == null ? asItIs(was, home) : given;
    return openStore(lock, identity, config, home, new Start(false, loss == null));
  }

  /** Why some data in memory may be lost, or null if all of it is there. */
  private @Nullable String lossSince(LogIdentity was) {
    if (!machine.sameBoot(was.bootId())) {
      return "the machine was restarted since this log was last open: what was not forced is lost";
    }
    if (was.anonymous()) {
      return "a part of its memory was anonymous and died with the process that had it open: what"
          + " was not forced may be lost";
    }
    if (!MemoryHome.allThere(was)) {
      return "the directory of its memory segments is gone: what was not forced is lost";
    }
    return was.lost() ? "an earlier loss of memory was not taken notice of yet" : null;
  }

  /**
   * Memory segments that survived a reboot are on a device after all. They were not forced, nor was
   * the clearing of freed ones: dead records would come alive.
   */
  private static void dropStaleMemory(MemoryHome home) throws IOException {
    for (Path place : home.directories()) {
      for (Path slot : SlotFiles.list(place, StoreOpening.MEMORY_PREFIX)) Files.delete(slot);
    }
  }

  private StoreConfig asItIs(LogIdentity identity, MemoryHome home) throws IOException {
    int segmentBytes = identity.segmentBytes();
    long memoryBytes = budget(home.slots(), segmentBytes);
    if (identity.mode() == Mode.MEMORY) return StoreConfig.memory(segmentBytes, memoryBytes);
    Path segments = LogDirectory.segmentsOf(directory);
    int ssdSlots = SlotFiles.list(segments, StoreOpening.SSD_PREFIX).size();
    long ssdBytes = budget(ssdSlots, segmentBytes);
    return identity.mode() == Mode.SSD
        ? StoreConfig.ssd(segmentBytes, ssdBytes)
        : StoreConfig.hybrid(segmentBytes, memoryBytes, ssdBytes);
  }

  private static long budget(int slots, int segmentBytes) {
    return (long) Math.max(slots, StoreConfig.SLOTS_MIN) * segmentBytes;
  }

  private LogDirectory openStore(
      DirectoryLock lock, LogIdentity identity, StoreConfig config, MemoryHome home, Start start)
      throws LogUnavailable, IOException {
    Path segments = LogDirectory.segmentsOf(directory);
    if (config.hasSsd()) OwnerOnly.createDirectories(segments);
    IdentityFile.force(directory);
    home.make();
    warnOfSlowMemory(config, home);
    MemoryClaim memory = MemoryClaim.take(home, directory);
    boolean opened = false;
    try {
      LogDirectory log = openVolumes(lock, identity, config, home, memory, start);
      opened = true;
      return log;
    } finally {
      if (!opened) memory.close();
    }
  }

  private LogDirectory openVolumes(
      DirectoryLock lock,
      LogIdentity identity,
      StoreConfig config,
      MemoryHome home,
      MemoryClaim memory,
      Start start)
      throws LogUnavailable, IOException {
    Path segments = LogDirectory.segmentsOf(directory);
    IdentityKeeper keeper = new IdentityKeeper(directory, identity);
    LogVolumes volumes =
        LogVolumes.open(config, segments, home, owner.wakeUp(), options.anonymousMemory());
    boolean opened = false;
    try {
      StoreOpening.Opened store =
          StoreOpening.open(
              config,
              identity.log(),
              volumes.forStore(keeper::anonymousMemoryInUse),
              owner.clock(),
              owner.random(),
              events);
      warnOfDamage(store.report());
      opened = true;
      return new LogDirectory(new LogDirectory.Held(lock, keeper, volumes, memory), store, start);
    } catch (LogMismatch mismatch) {
      throw new LogUnavailable(
          "'%s' cannot be opened: %s".formatted(directory, mismatch.getMessage()), mismatch);
    } finally {
      if (!opened) volumes.close();
    }
  }

  /** Logs the defects of the log, even if all live data was found. */
  private void warnOfDamage(RecoveryReport report) {
    if (report.findingsCount() == 0) return;
    events.warned(
        "%d %s of the log %s not as written, such as %s; records that are missing or damaged come back from other members of their groups, and 'forebay log verify' shows all while the server is stopped"
            .formatted(
                report.findingsCount(),
                report.findingsCount() == 1 ? "place" : "places",
                report.findingsCount() == 1 ? "is" : "are",
                report.findings().getFirst()));
  }

  /** The pool warns when memory runs short; this is for when there is none to begin with. */
  private void warnOfSlowMemory(StoreConfig config, MemoryHome home) {
    if (config.mode() == Mode.SSD) return;
    Path first = home.directories().isEmpty() ? null : home.directories().getFirst();
    if (first == null) {
      events.warned(
          "there is no memory file system such as /dev/shm, so memory segments are anonymous"
              + " memory: "
              + (config.hasSsd()
                  ? "each write goes to the SSD before it counts"
                  : "if this process ends, all of it is lost")
              + "; name a memory root on a tmpfs to keep data in memory");
    } else if (!Machine.isMemory(first)) {
      events.warned(
          "'%s' is not on a memory file system, so memory segments are as slow as its device"
              .formatted(first));
    }
  }

  /** A lock file that was made for a log that is not there goes again. */
  private void giveUp(DirectoryLock lock) throws IOException {
    if (Files.exists(directory.resolve(IdentityFile.NAME))) lock.close();
    else lock.remove();
  }
}
