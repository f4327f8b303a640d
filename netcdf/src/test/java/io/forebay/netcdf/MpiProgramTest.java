// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.netcdf.store.FileNames;
import io.forebay.parallel.ThreadRanks;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
    boolean found =
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, launcher)));
    assumeTrue(found, launcher + " is not installed (Debian: " + debianPackage + ")");
    String expected = folder.resolve("expected.nc").toString();
    ThreadRanks.run(
        ranks,
        MpiProgramMain.RANKS_PER_NODE,
        group ->
            RandomProgram.run(group, expected, Hints.none(), SEED, MpiProgramMain.STEPS, false));
    byte[] bytes = Files.readAllBytes(Path.of(expected));
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().servers(1).copies(1).start()) {
      run(launcher, ranks, cluster.uri());
      for (int mode = 0; mode < MpiProgramMain.MODES.size(); mode++) {
        Path file = Path.of(MpiProgramMain.file(folder.toString(), mode));
        assertThat(Files.readAllBytes(file)).as(MpiProgramMain.MODES.get(mode)).isEqualTo(bytes);
      }
      Path onInstance = FileNames.parse(cluster.uri() + "/direct.nc");
      assertThat(Files.readAllBytes(onInstance)).isEqualTo(bytes);
      onInstance.getFileSystem().close();
    }
  }

  private void run(String launcher, int ranks, String instance) throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher));
    if (launcher.endsWith("openmpi")) {
      command.addAll(List.of("--allow-run-as-root", "--oversubscribe"));
    }
    command.addAll(List.of("-n", "" + ranks));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Many small processes on few cores: they should start quickly and take little.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-ea"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MpiProgramMain.class.getName());
    command.addAll(List.of(folder.toString(), instance, "" + SEED));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(300, TimeUnit.SECONDS)) process.destroyForcibly();
      int code = process.waitFor();
      assertThat(code).as(Files.readString(output, StandardCharsets.UTF_8)).isZero();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException(e);
    }
  }
}
