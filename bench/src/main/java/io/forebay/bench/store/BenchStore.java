// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.base.FileId;
import io.forebay.base.MonotonicClock;
import io.forebay.base.RecordId;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.StoreOpening;
import io.forebay.store.disk.Disk;
import io.forebay.store.disk.FileDisk;
import io.forebay.store.disk.MemoryDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.store.recovery.LogMismatch;
import io.forebay.store.recovery.RecoveryReport;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store to be measured, with its disks. Records belong to passes, each an instance of its own;
 * ending a pass frees its segments, so that the next one uses recycled slots and does not time the
 * creation of new ones. Any failure of the store fails the benchmark.
 */
final class BenchStore implements AutoCloseable {
  private static final int DISK_THREADS = 2;
  private static final int REQUESTS_MAX = 4096;
  private static final LogId LOG = new LogId(0, 1);
  private static final int FILE = 1;

  /** The owner is not woken for upkeep that is due by the clock. */
  private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final Disk memory;
  private final @Nullable Disk ssd;
  private final Store store;
  private final RecoveryReport recovered;
  private final long openNanos;
  private int pass = 1;
  private long records;

  /**
   * Opens a store over directories that hold nothing, or a closed store of the same layout.
   *
   * @param memoryPath for memory segments; null if they are to be memory of this process only
   */
  BenchStore(StoreConfig config, @Nullable Path memoryPath, @Nullable Path ssdPath)
      throws IOException {
    Thread owner = Thread.currentThread();
    Runnable wakeUp = () -> LockSupport.unpark(owner);
    memory =
        memoryPath == null
            ? MemoryDisk.direct(config.memoryBytes(), REQUESTS_MAX, wakeUp)
            : new FileDisk(memoryPath, DISK_THREADS, REQUESTS_MAX, wakeUp);
    ssd = ssdPath == null ? null : new FileDisk(ssdPath, DISK_THREADS, REQUESTS_MAX, wakeUp);
    SlotPool.Place place = new SlotPool.Place(memory, memoryPath != null, "memory");
    long start = System.nanoTime();
    StoreOpening.Opened opened = open(config, new StoreOpening.Volumes(List.of(place), ssd));
    openNanos = System.nanoTime() - start;
    store = opened.store();
    recovered = opened.report();
    if (!recovered.sound()) throw new IllegalStateException("damaged log: " + recovered);
  }

  private static StoreOpening.Opened open(StoreConfig config, StoreOpening.Volumes volumes)
      throws IOException {
    try {
      return StoreOpening.open(
          config,
          LOG,
          volumes,
          MonotonicClock.system(),
          // Not the user's seed: a log that is opened again must not repeat its generations.
          new SplittableRandom(System.nanoTime()),
          new Complaints());
    } catch (LogMismatch foreign) {
      throw new IllegalStateException("the benchmark's own log", foreign);
    }
  }

  Store store() {
    return store;
  }

  /** How long opening it took, without starting the disks. */
  long openNanos() {
    return openNanos;
  }

  RecoveryReport recovered() {
    return recovered;
  }

  /** Waits until all memory slots are made. */
  void prepare() throws InterruptedException {
    await("memory slots", () -> store.stats().memory().ready() == store.config().memorySlots());
    settle();
  }

  /** The id of a record of the present pass. */
  RecordId id(long number) {
    return new RecordId(pass, number);
  }

  /** The header of the next record of the present pass. */
  RecordHeader next(int payloadBytes) {
    long number = records++;
    return RecordHeader.data(
        id(number), new FileId(pass, FILE), number * payloadBytes, payloadBytes);
  }

  /** Waits until everything appended is forced. */
  void forceAll() throws InterruptedException {
    boolean[] forced = new boolean[1];
    Waiter waiter = answer -> forced[0] = reached(answer);
    Commit commit = awaitAnswer("room to force", () -> unlessFull(store.forceAll(waiter)));
    await("force", () -> forced[0] || commit == Commit.DONE);
  }

  private static @Nullable Commit unlessFull(Commit commit) {
    return commit == Commit.FULL ? null : commit;
  }

  /** Lets all records of this pass die, and waits until their slots are free. */
  void endPass() throws InterruptedException {
    // Slots that this pass requested ahead are completed: later passes need no more.
    settle();
    store.seal();
    List<Scope> all = List.of(new Scope.WholeInstance(pass));
    Commit commit = store.kill(all, Level.KEPT, BenchStore::reached);
    if (commit == Commit.FULL) throw new IllegalStateException("no room for a tombstone");
    // Only the tombstone's own segment is left.
    await("free segments", () -> store.stats().segments() <= 1);
    settle();
    pass++;
    records = 0;
  }

  /** Waits until nothing is pending. */
  void settle() throws InterruptedException {
    await("an idle store", () -> !store.poll());
  }

  /** Polls until the condition holds. */
  void await(String what, BooleanSupplier condition) throws InterruptedException {
    awaitAnswer(what, () -> condition.getAsBoolean() ? Boolean.TRUE : null);
  }

  /** Retries and polls until there is an answer; sleeps while nothing happens. */
  <T> T awaitAnswer(String what, Supplier<@Nullable T> question) throws InterruptedException {
    T answer = question.get();
    if (answer != null) return answer;
    long start = System.nanoTime();
    while (true) {
      store.poll();
      // Checked before sleeping: the event may just have come, and then no wake-up follows.
      answer = question.get();
      if (answer != null) return answer;
      LockSupport.parkNanos(this, PARK_NANOS);
      if (Thread.interrupted()) throw new InterruptedException();
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new IllegalStateException("waited too long for " + what + ": " + store.stats());
      }
    }
  }

  static boolean reached(Waiter.Answer answer) {
    if (answer instanceof Waiter.Answer.Failed failed) {
      throw new IllegalStateException("the device failed: " + failed.detail());
    }
    return true;
  }

  @Override
  public void close() {
    memory.close();
    if (ssd != null) ssd.close();
  }

  /** A store with failures would make the figures meaningless. */
  private static final class Complaints implements StoreEvents {
    @Override
    public void segmentSuspect(long segment, String detail) {
      throw new IllegalStateException("segment " + segment + " is suspect: " + detail);
    }

    @Override
    public void recordDamaged(RecordId record, FileId file, long segment) {
      throw new IllegalStateException("record " + record + " is damaged");
    }

    @Override
    public void warned(String sentence) {
      throw new IllegalStateException(sentence);
    }
  }
}
