// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.store.Storage;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StatisticsTest {
  private static final int RANKS = 2;
  private static final int WRITES = 3;
  private static final int LENGTH = 100;

  @TempDir Path folder;

  /** A clock that shows a later time whenever it is looked at. */
  private final AtomicLong time = new AtomicLong();

  private final AtomicInteger opened = new AtomicInteger();
  private final NetcdfFiles files =
      new NetcdfFiles(
          (path, options) -> {
            opened.incrementAndGet();
            return Storage.standard().open(path, options);
          },
          () -> time.addAndGet(1000));

  private Statistics write(String hints) throws IOException {
    Statistics[] all = new Statistics[RANKS];
    ThreadRanks.run(
        RANKS,
        group -> {
          NetcdfFile file =
              files.create(
                  group,
                  folder.resolve("file.nc").toString(),
                  Format.CDF5,
                  CreateMode.REPLACE,
                  Hints.parse(hints));
          DimensionId x = file.defineDimension("x", (long) WRITES * RANKS * LENGTH);
          VariableId v = file.defineVariable("v", ElementType.INT, x);
          file.endDefine();
          for (int i = 0; i < WRITES; i++) {
            long[] start = {(long) (i * RANKS + group.rank()) * LENGTH};
            Selection part = Selection.of(start, new long[] {LENGTH});
            file.putAll(v, part, Values.of(new int[LENGTH]));
          }
          file.close();
          all[group.rank()] = file.statistics();
        });
    assertThat(opened.getAndSet(0)).isEqualTo(RANKS);
    return all[0].plus(all[1]);
  }

  @Test
  void whatIsDoneIsCounted() throws IOException {
    long bytes = (long) RANKS * WRITES * LENGTH * Integer.BYTES;
    Statistics direct = write("cb_nodes=1");
    assertThat(direct.logWrites()).isZero();
    assertThat(direct.flushNanos()).isZero();
    assertThat(direct.putNanos()).isPositive();
    assertThat(direct.reorderNanos()).isPositive();
    // Each collective write, and the header.
    assertThat(direct.fileWrites()).isEqualTo(WRITES + 1);
    assertThat(direct.fileWriteBytes()).isBetween(bytes, bytes + 500);

    Statistics logged = write("cb_nodes=1;burst_buffer=enable");
    assertThat(logged.logWrites()).isEqualTo(RANKS * WRITES);
    assertThat(logged.logBytes()).isEqualTo(bytes);
    assertThat(logged.logCreateNanos()).isPositive();
    assertThat(logged.logWriteNanos()).isPositive();
    assertThat(logged.flushes()).isEqualTo(RANKS);
    assertThat(logged.flushRounds()).isEqualTo(RANKS);
    assertThat(logged.flushNanos()).isPositive();
    assertThat(logged.fileWrites()).isEqualTo(2);
    assertThat(logged.fileWriteNanos()).isPositive();
  }
}
