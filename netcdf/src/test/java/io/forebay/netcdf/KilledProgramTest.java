// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.logging.LogRecovery;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.FileNames;
import io.forebay.parallel.ThreadRanks;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever a program wrote before it was killed is there after recovery, and nothing else. */
@Timeout(200)
class KilledProgramTest {
  private static final int WRITES_BEFORE_KILL = 700;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "'', false",
    "burst_buffer_shared_logs=enable, false",
    "burst_buffer_background_flush=enable;burst_buffer_log_max=800, true"
  })
  void whatHadReturnedIsRecovered(String settings, boolean together)
      throws IOException, InterruptedException {
    String logs = Files.createDirectory(folder.resolve("logs")).toString();
    run(logs, settings, together);
    check(logs);
  }

  @Test
  void whatHadReturnedIsRecoveredFromAnInstance()
      throws IOException, InterruptedException, StartFailed {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().servers(1).copies(1).start()) {
      String logs = cluster.uri() + "/logs";
      run(logs, "", false);
      check(logs);
      FileNames.parse(logs).getFileSystem().close();
    }
  }

  private void run(String logs, String settings, boolean together)
      throws IOException, InterruptedException {
    Path progress = folder.resolve("progress");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledProgramMain.class.getName(),
                folder.resolve("file.nc").toString(),
                logs,
                progress.toString(),
                settings,
                "" + together)
            .inheritIO()
            .start();
    while (process.isAlive() && returned(progress, 0) < WRITES_BEFORE_KILL) Thread.sleep(5);
    process.destroyForcibly().waitFor();
  }

  private void check(String logs) throws IOException, InterruptedException {
    Path path = folder.resolve("file.nc");
    LogRecovery.Recovered recovered = recover(path, FileNames.parse(logs));
    assertThat(recovered.logs()).isGreaterThanOrEqualTo(KilledProgramMain.RANKS);
    assertThat(recovered.damaged()).isZero();
    int[] all = new int[KilledProgramMain.RANKS * KilledProgramMain.LENGTH];
    ThreadRanks.run(
        1,
        group -> {
          NetcdfFile file = NetcdfFile.open(group, path.toString(), OpenMode.READ, Hints.none());
          file.get(file.variable("v"), Selection.all(), Values.of(all));
          file.close();
        });
    for (int rank = 0; rank < KilledProgramMain.RANKS; rank++) {
      int done = returned(folder.resolve("progress"), rank);
      assertThat(done).isPositive();
      int row = rank * KilledProgramMain.LENGTH;
      for (int i = 0; i < done; i++) assertThat(all[row + i]).isEqualTo(i + 1);
      // One write may have been under way: it is there or it is not.
      assertThat(all[row + done]).isIn(0, done + 1);
      int end = row + KilledProgramMain.LENGTH;
      assertThat(Arrays.copyOfRange(all, row + done + 1, end)).containsOnly(0);
    }
  }

  /** An instance notices only after some seconds that the program is gone. */
  private static LogRecovery.Recovered recover(Path file, Path logs)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return LogRecovery.recover(file, logs, false);
      } catch (NetcdfException e) {
        boolean waits = e.error() == NetcdfError.LOG && e.getMessage().contains("in use");
        if (!waits || FileNames.absolute(logs).startsWith("/")) throw e;
        Thread.sleep(100);
      }
    }
  }

  private static int returned(Path progress, int rank) throws IOException {
    if (!Files.exists(progress) || Files.size(progress) == 0) return 0;
    return ByteBuffer.wrap(Files.readAllBytes(progress)).getInt(rank * Integer.BYTES);
  }
}
