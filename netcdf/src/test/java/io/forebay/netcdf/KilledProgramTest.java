package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.logging.LogRecovery;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(100)
class KilledProgramTest {
  private static final int WRITES_BEFORE_KILL = 1000;

  @TempDir Path folder;

  @Test
  void whatHadReturnedIsRecovered() throws IOException, InterruptedException {
    Path path = folder.resolve("file.nc");
    Path logs = Files.createDirectory(folder.resolve("logs"));
    Path progress = folder.resolve("progress");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledProgramMain.class.getName(),
                path.toString(),
                logs.toString(),
                progress.toString())
            .inheritIO()
            .start();
    while (process.isAlive() && returned(progress, 0) < WRITES_BEFORE_KILL) Thread.sleep(5);
    process.destroyForcibly().waitFor();
    LogRecovery.Recovered recovered = LogRecovery.recover(path, logs, false);
    assertThat(recovered.logs()).isEqualTo(KilledProgramMain.RANKS);
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
      int done = returned(progress, rank);
      assertThat(done).isPositive();
      int row = rank * KilledProgramMain.LENGTH;
      for (int i = 0; i < done; i++) assertThat(all[row + i]).isEqualTo(i + 1);
      // One write may have been under way: it is there or it is not.
      assertThat(all[row + done]).isIn(0, done + 1);
      int end = row + KilledProgramMain.LENGTH;
      assertThat(java.util.Arrays.copyOfRange(all, row + done + 1, end)).containsOnly(0);
    }
  }

  private static int returned(Path progress, int rank) throws IOException {
    if (!Files.exists(progress) || Files.size(progress) == 0) return 0;
    return ByteBuffer.wrap(Files.readAllBytes(progress)).getInt(rank * Integer.BYTES);
  }
}
