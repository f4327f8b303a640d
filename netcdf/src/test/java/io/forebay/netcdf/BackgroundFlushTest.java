// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.logging.LogReader;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.ForwardingFile;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BackgroundFlushTest {
  private static final int LENGTH = 100;
  private static final int WRITE_BYTES = LENGTH * Integer.BYTES;

  @TempDir Path folder;

  private final AtomicBoolean fails = new AtomicBoolean();
  private final Semaphore mayWrite = new Semaphore(Integer.MAX_VALUE / 2);

  /** A store whose data can be held up, and that can fail; headers always pass. */
  private final NetcdfFiles files =
      new NetcdfFiles(
          (path, options) -> new TroubledFile(Storage.standard().open(path, options)),
          MonotonicClock.system());

  private final class TroubledFile extends ForwardingFile {

    TroubledFile(SharedFile file) {
      super(file);
    }

    @Override
    public void write(MemorySegment source, long offset) throws IOException {
      if (offset > 0 && source.byteSize() >= WRITE_BYTES) {
        mayWrite.acquireUninterruptibly();
        mayWrite.release();
        if (fails.get()) throw new IOException("the disk is on fire");
      }
      super.write(source, offset);
    }
  }

  private NetcdfFile create(Group group, long logBytesMax) throws IOException {
    NetcdfFile file =
        files.create(
            group,
            folder.resolve("file.nc").toString(),
            Format.CDF5,
            CreateMode.NEW,
            Hints.parse(
                "burst_buffer=enable;burst_buffer_background_flush=enable;burst_buffer_log_max="
                    + logBytesMax));
    DimensionId t = file.defineDimension("t", Dimension.UNLIMITED);
    DimensionId x = file.defineDimension("x", (long) LENGTH * group.size());
    file.defineVariable("v", ElementType.INT, t, x);
    file.endDefine();
    return file;
  }

  private static void put(NetcdfFile file, Group group, int record) throws IOException {
    int[] values = new int[LENGTH];
    java.util.Arrays.fill(values, 1000 * group.rank() + record);
    long[] start = {record, (long) LENGTH * group.rank()};
    file.putAll(file.variable("v"), Selection.of(start, new long[] {1, LENGTH}), Values.of(values));
  }

  private void check(int ranks, int records) throws IOException {
    int[] all = new int[records * ranks * LENGTH];
    ThreadRanks.run(
        1,
        group -> {
          String name = folder.resolve("file.nc").toString();
          NetcdfFile file = NetcdfFile.open(group, name, OpenMode.READ, Hints.none());
          assertThat(file.header().recordCount()).isEqualTo(records);
          file.get(file.variable("v"), Selection.all(), Values.of(all));
          file.close();
        });
    for (int i = 0; i < all.length; i++) {
      int record = i / (ranks * LENGTH);
      assertThat(all[i]).isEqualTo(1000 * (i / LENGTH % ranks) + record);
    }
  }

  @Test
  void writesReachTheFileWhileTheProgramGoesOn() throws IOException {
    Statistics[] told = new Statistics[1];
    ThreadRanks.run(
        3,
        group -> {
          // Each part takes four writes, and goes to the file from the first one on.
          NetcdfFile file = create(group, 8 * WRITE_BYTES);
          for (int record = 0; record < 50; record++) put(file, group, record);
          file.close();
          if (group.rank() == 0) told[0] = file.statistics();
        });
    check(3, 50);
    assertThat(told[0].flushes()).isGreaterThan(1);
    assertThat(told[0].backgroundNanos()).isPositive();
  }

  @Test
  void theLogIsBoundedAndReadersSeeIt() throws IOException, InterruptedException {
    CountDownLatch stuck = new CountDownLatch(1);
    mayWrite.drainPermits();
    AtomicBoolean done = new AtomicBoolean();
    Thread program =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    ThreadRanks.run(2, group -> writeMany(group, stuck));
                    done.set(true);
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
    // The file takes nothing, so no more than both parts of the log can be written.
    stuck.await();
    Path path = folder.resolve("file.nc");
    try (LogReader reader = LogReader.open(path, folder)) {
      assertThat(reader.header().recordCount()).isBetween(4L, 5L);
    }
    assertThat(logBytes()).isLessThanOrEqualTo(2L * 5 * WRITE_BYTES);
    mayWrite.release(Integer.MAX_VALUE / 2);
    program.join();
    assertThat(done).isTrue();
    check(2, 100);
  }

  @Test
  void readersGoOnWhileLogsAreFlushed() throws IOException, InterruptedException {
    int records = 400;
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    Thread program =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    ThreadRanks.run(
                        2,
                        group -> {
                          NetcdfFile file = create(group, 4 * WRITE_BYTES);
                          for (int record = 0; record < records; record++) {
                            put(file, group, record);
                            begun.countDown();
                          }
                          file.close();
                        });
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  } finally {
                    ended.set(true);
                  }
                });
    begun.await();
    Path path = folder.resolve("file.nc");
    int[] seen = new int[2 * LENGTH];
    long last = 0;
    try (LogReader reader = LogReader.open(path, folder)) {
      while (!ended.get() || last < records) {
        long record = reader.header().recordCount() - 1;
        assertThat(record + 1).isGreaterThanOrEqualTo(last);
        last = record + 1;
        Subarray part = Subarray.of(new long[] {record, 0}, new long[] {1, 2L * LENGTH});
        reader.get("v", part, Values.of(seen));
        // What a rank wrote is there as a whole, or not at all yet.
        assertThat(seen[0]).isIn(0, (int) record);
        assertThat(java.util.Arrays.copyOf(seen, LENGTH)).containsOnly(seen[0]);
      }
    }
    program.join();
    check(2, records);
  }

  private void writeMany(Group group, CountDownLatch stuck) throws IOException {
    NetcdfFile file = create(group, 8 * WRITE_BYTES);
    for (int record = 0; record < 100; record++) {
      put(file, group, record);
      // One write starts the flush, and three more fit the other part.
      if (record == 3) stuck.countDown();
    }
    file.close();
    assertThat(group.allReduce(1, Reduction.SUM)).isEqualTo(2);
  }

  private long logBytes() throws IOException {
    long bytes = 0;
    try (Stream<Path> all = Files.list(folder)) {
      for (Path path : all.filter(p -> p.toString().endsWith(".data")).toList()) {
        bytes += Files.size(path);
      }
    }
    return bytes;
  }

  @Test
  void whatGoesWrongIsToldByTheNextWriteAndTriedAgain() throws IOException {
    ThreadRanks.run(
        2,
        group -> {
          NetcdfFile file = create(group, 8 * WRITE_BYTES);
          if (group.rank() == 0) fails.set(true);
          group.barrier();
          boolean[] told = {false};
          int record = 0;
          while (!told[0]) {
            try {
              put(file, group, record);
            } catch (NetcdfException e) {
              assertThat(e.error()).isEqualTo(NetcdfError.STORAGE);
              assertThat(e).hasMessageContaining("on fire");
              told[0] = true;
            }
            record++;
          }
          assertThatThrownBy(file::sync).hasMessageContaining("on fire");
          group.barrier();
          if (group.rank() == 0) fails.set(false);
          group.barrier();
          // Nothing is lost, the write that told it included.
          for (; record < 20; record++) put(file, group, record);
          file.close();
        });
    check(2, 20);
  }
}
