// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract under a real {@code mpirun}, where there is one. */
@Timeout(120)
class MpiRanksTest {
  @TempDir Path folder;

  private record Ended(int code, String output) {}

  private Ended run(String launcher, String debianPackage, int ranks, String... arguments)
      throws IOException {
    boolean found =
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, launcher)));
    assumeTrue(found, launcher + " is not installed (Debian: " + debianPackage + ")");
    List<String> command = new ArrayList<>(List.of(launcher));
    if (launcher.endsWith("openmpi")) {
      command.addAll(List.of("--allow-run-as-root", "--oversubscribe"));
    }
    command.addAll(List.of("-n", "" + ranks));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Many small processes on few cores: they should start quickly and take little.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-ea"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MpiContractMain.class.getName());
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(100, TimeUnit.SECONDS)) process.destroyForcibly();
      return new Ended(process.waitFor(), Files.readString(output, StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mpirun.openmpi, openmpi-bin, 4",
    "mpirun.openmpi, openmpi-bin, 9",
    "mpirun.mpich, mpich, 3"
  })
  void contract(String launcher, String debianPackage, int ranks) throws IOException {
    Ended ended = run(launcher, debianPackage, ranks);
    assertThat(ended.code).as(ended.output).isZero();
    for (String name : GroupContract.programs().keySet()) {
      assertThat(ended.output).contains("done: " + name);
    }
  }

  @Test
  void aRankThatFailsEndsTheJobWithItsReason() throws IOException {
    Ended ended = run("mpirun.openmpi", "openmpi-bin", 2, "fail");
    assertThat(ended.code).isNotZero();
    assertThat(ended.output).contains("the disk is on fire");
  }

  @ParameterizedTest
  @CsvSource({"mpirun.openmpi, openmpi-bin", "mpirun.mpich, mpich"})
  void javaKeepsItsSignals(String launcher, String debianPackage) throws IOException {
    Ended ended = run(launcher, debianPackage, 1, "null");
    assertThat(ended.code).as(ended.output).isZero();
    assertThat(ended.output).contains("null pointers caught: " + MpiContractMain.NULL_POINTERS / 2);
  }

  @Test
  void withoutALauncherRanksAreThreads() throws IOException {
    assumeTrue(!MpiRanks.isLaunched(), "this test itself runs under mpirun");
    assertThatThrownBy(() -> MpiRanks.run(world -> {})).hasMessageContaining("mpirun");
    List<Integer> sizes = new ArrayList<>();
    Ranks.run(
        3,
        0,
        world -> {
          if (world.rank() == 0) sizes.add(world.size());
        });
    assertThat(sizes).containsExactly(3);
  }
}
