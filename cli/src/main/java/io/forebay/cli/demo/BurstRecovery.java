package io.forebay.cli.demo;

import io.forebay.base.FileId;
import io.forebay.base.MonotonicClock;
import io.forebay.base.RecordId;
import io.forebay.store.ReadResult;
import io.forebay.store.Slice;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.files.LocalFiles;
import io.forebay.store.log.LogId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** Brings back the log of a holder that was killed, and compares it with what it acknowledged. */
public final class BurstRecovery implements AutoCloseable {
  private static final long PAUSE_NANOS = 20_000;

  private final Burst burst;
  private final LogDirectory log;
  private final LocalFiles files;
  private final BurstPattern pattern;
  private final long nanos;
  private long soundBytes;

  private BurstRecovery(Burst burst, LogDirectory log, LocalFiles files, long nanos) {
    this.burst = burst;
    this.log = log;
    this.files = files;
    this.pattern = new BurstPattern(burst.seed());
    this.nanos = nanos;
  }

  /** Opens the log and its files. */
  public static BurstRecovery recover(Burst burst, Path directory, Path memory)
      throws IOException, LogUnavailable, LocalFiles.BrokenJournal {
    MonotonicClock clock = MonotonicClock.system();
    BurstOrder order = new BurstOrder(directory, memory, burst.plan(), burst.seed());
    long startNanos = clock.nanos();
    LogDirectory log =
        LogDirectory.open(
            order.options(), clock, new SplittableRandom(), StoreEvents.NONE, () -> {});
    LocalFiles files;
    try {
      files = LocalFiles.open(log.store());
    } catch (LocalFiles.BrokenJournal broken) {
      log.close();
      throw broken;
    }
    return new BurstRecovery(burst, log, files, clock.nanos() - startNanos);
  }

  public LogId log() {
    return log.id();
  }

  /** How long opening took. */
  public long nanos() {
    return nanos;
  }

  /** Records that were found. */
  public long records() {
    return log.report().records();
  }

  /** How much was found in memory, in segments. */
  public int memorySegments() {
    return log.report().memorySegments();
  }

  /** How much was found on the disk only, in segments. */
  public int ssdSegments() {
    return log.report().ssdSegments();
  }

  /**
   * Compares everything acknowledged, byte for byte, and says how much of it is there and right.
   *
   * @param progress told how much of it, now and then
   */
  public long verify(LongConsumer progress) {
    for (int rank = 0; rank < DemoPlan.RANKS; rank++) {
      long records = burst.acknowledgedBytes(rank) / BurstPattern.RECORD_BYTES;
      for (int number = 0; number < records; number++) {
        verify(rank, number);
        progress.accept(soundBytes);
      }
    }
    return soundBytes;
  }

  @Override
  public void close() throws IOException {
    log.close();
  }

  private void verify(int rank, int number) {
    FileId file = BurstHolder.fileOf(rank);
    ByteBuffer expected = pattern.record(rank, number);
    long from = (long) number * BurstPattern.RECORD_BYTES;
    Comparison comparison = new Comparison(from, expected);
    files.read(file, from, BurstPattern.RECORD_BYTES, comparison);
    Store store = log.store();
    while (comparison.pending > 0 && files.sizeBytes(file) >= from + BurstPattern.RECORD_BYTES) {
      if (!store.poll()) LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Compares what a file shows with what it should. */
  private final class Comparison implements LocalFiles.ReadVisitor {
    private final long from;
    private final ByteBuffer expected;
    private long pending = BurstPattern.RECORD_BYTES;

    Comparison(long from, ByteBuffer expected) {
      this.from = from;
      this.expected = expected;
    }

    @Override
    public void hole(long offset, long lengthBytes) {
      pending -= lengthBytes;
    }

    @Override
    public void piece(long offset, int lengthBytes, RecordId record, ReadResult result) {
      pending -= lengthBytes;
      if (!(result instanceof ReadResult.Bytes read)) return;
      try (Slice slice = read.slice()) {
        ByteBuffer wanted = expected.slice((int) (offset - from), lengthBytes);
        if (slice.bytes().equals(wanted)) soundBytes += lengthBytes;
      }
    }
  }
}
