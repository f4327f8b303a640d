package io.forebay.cli.demo;

import io.forebay.base.MonotonicClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/** What the application would have waited for without a buffer: its bytes written to the disk. */
public final class DirectWrite {
  private DirectWrite() {}

  /**
   * Writes a burst's acknowledged bytes, each rank's to a file of its own in a directory that is
   * there, and forces them.
   *
   * @return nanoseconds without the making of the bytes
   */
  public static long measure(Burst burst, Path directory, LongConsumer progress)
      throws IOException {
    MonotonicClock clock = MonotonicClock.system();
    BurstPattern pattern = new BurstPattern(burst.seed());
    long nanos = 0;
    long written = 0;
    for (int rank = 0; rank < DemoPlan.RANKS; rank++) {
      try (FileChannel file =
          FileChannel.open(
              directory.resolve("rank-" + rank),
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.WRITE)) {
        long records = burst.acknowledgedBytes(rank) / BurstPattern.RECORD_BYTES;
        for (int number = 0; number < records; number++) {
          ByteBuffer record = pattern.record(rank, number);
          long startNanos = clock.nanos();
          while (record.hasRemaining()) written += file.write(record);
          nanos += clock.nanos() - startNanos;
          progress.accept(written);
        }
        long startNanos = clock.nanos();
        file.force(true);
        nanos += clock.nanos() - startNanos;
      }
    }
    return nanos;
  }
}
