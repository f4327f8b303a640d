// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.base.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The C tools for netCDF, where they are installed. */
public final class Tools {
  /** How a tool ended and all it printed. */
  public record Outcome(int exitCode, Bytes output) {}

  private Tools() {}

  public static boolean installed(String tool) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(path -> Files.isExecutable(Path.of(path, tool)));
  }

  /** Skips the test unless all of them are there. */
  public static void assumeInstalled(String... tools) {
    for (String tool : tools) {
      assumeTrue(installed(tool), tool + " is not installed: run dev/optional-packages");
    }
  }

  public static Outcome run(Path folder, String... command) throws IOException {
    Path output = Files.createTempFile(folder, "tool", ".output");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return new Outcome(process.exitValue(), Bytes.copyOf(Files.readAllBytes(output)));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      Files.delete(output);
    }
  }
}
