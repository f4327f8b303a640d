// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.server.ring.LocalRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Several ranks that write a checkpoint into a ring, each a client of its own, and the ledger of
 * what was acknowledged. A first burst, smaller and not counted, warms the ring up.
 */
public final class Burst {
  /** The share of acknowledged bytes at which the crash comes, while more is arriving. */
  private static final double CRASH_AT = 0.75;

  /**
   * The share of a rank's records that it writes only after the crash, however fast the ring is.
   */
  private static final int AFTER_CRASH_SHARE = 8;

  /** Records in flight per rank. */
  private static final int WINDOW = 4;

  /** Longer than usual: this machine may be busy. */
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  private record Flight(ByteBuffer record, CompletableFuture<?> written) {}

  private final int recordsPerRank;
  private final String uri;
  private final ForebayOptions options;
  private final BurstPattern pattern;
  private final long seed;
  private final Ranks ranks = new Ranks();
  private final CountDownLatch ready = new CountDownLatch(DemoPlan.RANKS);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch crashed = new CountDownLatch(1);

  private Burst(int recordsPerRank, LocalRing ring, long seed) {
    this.recordsPerRank = recordsPerRank;
    this.uri = ring.uri();
    this.options = ring.operatorOptions().withTimeout(TIMEOUT);
    this.seed = seed;
    this.pattern = new BurstPattern(seed);
  }

  /** Lets the ranks connect and open their files; they write nothing yet. */
  public static Burst prepare(DemoPlan plan, LocalRing ring, long seed) {
    return prepare(plan.recordsPerRank(), ring, seed);
  }

  /** The same for the burst that warms the ring; its files are removed with {@link #remove}. */
  public static Burst prepareWarmUp(DemoPlan plan, LocalRing ring, long seed) {
    return prepare(plan.warmUpRecordsPerRank(), ring, seed);
  }

  private static Burst prepare(int recordsPerRank, LocalRing ring, long seed) {
    Burst burst = new Burst(recordsPerRank, ring, seed);
    burst.ranks.start(burst::run);
    return burst;
  }

  /** Whether all ranks have opened their files. */
  public boolean isReady() throws IOException {
    ranks.requireNoFailure();
    return ready.getCount() == 0;
  }

  public void begin() {
    begun.countDown();
  }

  /** Whether it is time for the crash. */
  public boolean isCrashTime() throws IOException {
    ranks.requireNoFailure();
    return ranks.doneBytes() >= (long) (bytes() * CRASH_AT);
  }

  /** Lets the ranks write the last of their records. */
  public void crashed() {
    crashed.countDown();
  }

  /** Whether everything is acknowledged and published; if that failed, this says why. */
  public boolean isFinished() throws IOException {
    return ranks.finished();
  }

  /** Removes its files, so that the next one finds an empty ring. */
  public void remove() throws IOException {
    try (Forebay client = Forebay.connect(uri, options)) {
      for (String name : Checkpoint.files()) client.unlink("/" + name);
    }
  }

  /** What all ranks write together. */
  public long bytes() {
    return (long) recordsPerRank * DemoPlan.RANKS * BurstPattern.RECORD_BYTES;
  }

  int recordsPerRank() {
    return recordsPerRank;
  }

  long seed() {
    return seed;
  }

  /** The bytes acknowledged so far, of all ranks. */
  public long acknowledgedBytes() {
    return ranks.doneBytes();
  }

  /** How long the application has waited so far. */
  public long waitedNanos() {
    return ranks.waitedNanos();
  }

  private void run(int rank) throws IOException {
    try (Forebay client = Forebay.connect(uri, options);
        ForebayFile shared = client.open("/" + Checkpoint.SHARED, WRITE, CREATE);
        ForebayFile own = client.open("/" + Checkpoint.ownFile(rank), WRITE, CREATE)) {
      ready.countDown();
      await(begun);
      write(rank, shared, own);
      ranks.waiting(rank, () -> publish(shared, own));
    }
  }

  private void write(int rank, ForebayFile shared, ForebayFile own) throws IOException {
    ArrayDeque<Flight> underWay = new ArrayDeque<>(WINDOW);
    int untilCrash = recordsPerRank - Math.max(1, recordsPerRank / AFTER_CRASH_SHARE);
    for (int number = 0; number < recordsPerRank; number++) {
      if (number == untilCrash) await(crashed);
      ByteBuffer record =
          underWay.size() < WINDOW ? BurstPattern.buffer() : land(rank, underWay.remove());
      pattern.fill(record, rank, number);
      Checkpoint.Spot spot = Checkpoint.spot(rank, number);
      ForebayFile file = spot.file().equals(Checkpoint.SHARED) ? shared : own;
      CompletableFuture<?> written =
          ranks
              .waiting(rank, () -> file.writeAsync(record, spot.offset()))
              .whenComplete((done, failure) -> settled(failure));
      underWay.add(new Flight(record, written));
    }
    while (!underWay.isEmpty()) land(rank, underWay.remove());
  }

  /** On the client's thread. */
  private void settled(@Nullable Throwable failure) {
    if (failure == null) ranks.done(BurstPattern.RECORD_BYTES);
    else ranks.failed(failure);
  }

  /** Waits until a record is acknowledged, and gives its buffer for the next. */
  private ByteBuffer land(int rank, Flight flight) throws IOException {
    ranks.waiting(rank, () -> get(flight.written));
    return flight.record;
  }

  private static boolean publish(ForebayFile shared, ForebayFile own) throws IOException {
    shared.sync();
    own.sync();
    return true;
  }

  private static boolean get(CompletableFuture<?> written) throws IOException {
    try {
      written.get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) throw failed;
      throw new IllegalStateException("a write failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
