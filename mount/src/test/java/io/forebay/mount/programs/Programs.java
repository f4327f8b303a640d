// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.programs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs programs that know nothing of Forebay. Any thread may use it. */
final class Programs {
  private static final long SECONDS_MAX = 60;

  private final Path scratch;

  /** Runs programs that may leave things behind in a directory. */
  Programs(Path scratch) {
    this.scratch = scratch;
  }

  /** Skips the test if one of these is not installed. */
  static void need(String... programs) {
    for (String program : programs) {
      assumeTrue(isInstalled(program), "needs " + program + " (dev/optional-packages)");
    }
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Runs one to its end, which must be a good one; gives what it said, errors included. */
  String run(Path directory, String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(scratch, "output", "");
    Process process =
        builder(directory, command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new AssertionError(
            "%s does not end; so far: %s".formatted(List.of(command), Files.readString(output)));
      }
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(output);
    if (process.exitValue() != 0) {
      throw new AssertionError(
          "%s ended with %d: %s".formatted(List.of(command), process.exitValue(), said));
    }
    return said;
  }

  /** One that is to be started, with nothing of the user's own settings. */
  ProcessBuilder builder(Path directory, String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "LC_ALL", "C.UTF-8",
                "TMPDIR", scratch.toString(),
                "GIT_CONFIG_NOSYSTEM", "1",
                "GIT_CONFIG_GLOBAL", "/dev/null"));
    return builder;
  }
}
