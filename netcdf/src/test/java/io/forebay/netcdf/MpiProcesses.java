// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a class of the tests as ranks under {@code mpirun}. */
public final class MpiProcesses {
  private MpiProcesses() {}

  /** Skips the test unless the launcher is there. */
  public static void assumeInstalled(String launcher, String debianPackage) {
    assumeTrue(
        Tools.installed(launcher), launcher + " is not installed (Debian: " + debianPackage + ")");
  }

  /** Returns when all ranks have ended well; fails the test with what they printed if not. */
  public static void run(
      Path folder, String launcher, int ranks, Class<?> program, List<String> arguments)
      throws IOException {
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
    command.add(program.getName());
    command.addAll(arguments);
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
