// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.operations;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link RunOperations} in a process of its own. A process that maps files of a mount that it
 * serves itself may wait for itself for ever: a page fault holds its address space, and whatever
 * serves the mount needs that, too. One thread uses it.
 */
final class OperatingProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final Writer in;
  private final List<String> said = new ArrayList<>();

  OperatingProcess(Path model, Path tested, int operations, long seed) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                RunOperations.class.getName(),
                model.toString(),
                tested.toString(),
                Integer.toString(operations),
                Long.toString(seed),
                RunOperations.PAUSE)
            .redirectErrorStream(true)
            .start();
    out = process.inputReader(StandardCharsets.UTF_8);
    in = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Waits for a line that begins so, and gives the rest of it; all it said if there is none. */
  String await(String beginning) throws IOException {
    while (true) {
      String line = out.readLine();
      if (line == null) throw new AssertionError(String.join("\n", said));
      said.add(line);
      if (line.startsWith(beginning)) return line.substring(beginning.length());
    }
  }

  /** Lets it go on after its pause. */
  void goOn() throws IOException {
    in.write("\n");
    in.flush();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    out.close();
  }
}
