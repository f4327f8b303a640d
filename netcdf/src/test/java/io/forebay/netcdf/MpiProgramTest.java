// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.store.FileNames;
import io.forebay.parallel.ThreadRanks;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks as processes of MPI write the same files as ranks that are threads, in every mode. */
@Timeout(400)
class MpiProgramTest {
  private static final long SEED = 11;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "mpirun.openmpi, openmpi-bin, 4",
    "mpirun.openmpi, openmpi-bin, 9",
    "mpirun.mpich, mpich, 4"
  })
  void filesAreTheSame(String launcher, String debianPackage, int ranks)
      throws IOException, StartFailed {
    MpiProcesses.assumeInstalled(launcher, debianPackage);
    String expected = folder.resolve("expected.nc").toString();
    ThreadRanks.run(
        ranks,
        MpiProgramMain.RANKS_PER_NODE,
        group ->
            RandomProgram.run(group, expected, Hints.none(), SEED, MpiProgramMain.STEPS, false));
    byte[] bytes = Files.readAllBytes(Path.of(expected));
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().servers(1).copies(1).start()) {
      List<String> arguments = List.of(folder.toString(), cluster.uri(), "" + SEED);
      MpiProcesses.run(folder, launcher, ranks, MpiProgramMain.class, arguments);
      for (int mode = 0; mode < MpiProgramMain.MODES.size(); mode++) {
        Path file = Path.of(MpiProgramMain.file(folder.toString(), mode));
        assertThat(Files.readAllBytes(file)).as(MpiProgramMain.MODES.get(mode)).isEqualTo(bytes);
      }
      Path onInstance = FileNames.parse(cluster.uri() + "/direct.nc");
      assertThat(Files.readAllBytes(onInstance)).isEqualTo(bytes);
      onInstance.getFileSystem().close();
    }
  }
}
