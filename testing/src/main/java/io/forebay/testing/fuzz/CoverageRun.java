// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A search by Jazzer, in a process of its own: it instruments Forebay's classes, and keeps and
 * changes inputs that reach new code. All is below {@code target/fuzz/NAME} of the module: the
 * inputs, which the next run continues with, the log, and the inputs that failed.
 */
final class CoverageRun {
  private static final String MAIN = "com.code_intelligence.jazzer.Jazzer";

  /** Surefire starts its processes with a class path of one jar, and tells the real one here. */
  private static final String CLASS_PATH = "surefire.test.class.path";

  /** The first input also loads and instruments classes. */
  private static final int SECONDS_PER_INPUT_MAX = 60;

  private static final int LOG_LINES_SHOWN = 60;

  private final Class<?> test;
  private final Path folder;

  CoverageRun(Class<?> test, String name) {
    this.test = test;
    this.folder = Path.of("target", "fuzz", name).toAbsolutePath();
  }

  /** Searches for so long, or until an input fails; then so does this. */
  void run(List<byte[]> inputs, double minutes) {
    try {
      Path corpus = Files.createDirectories(folder.resolve("inputs"));
      for (int i = 0; i < inputs.size(); i++) {
        Files.write(corpus.resolve("first-" + i), inputs.get(i));
      }
      Path log = folder.resolve("log");
      Process process =
          new ProcessBuilder(command(corpus, minutes))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      int code = process.waitFor();
      List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      String end =
          String.join(
              "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
      if (code != 0) {
        throw new AssertionError("Jazzer ended with %d; see %s\n%s".formatted(code, log, end));
      }
      System.out.println(end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private List<String> command(Path corpus, double minutes) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx1g", "-XX:+EnableDynamicAgentLoading"));
    command.add("--enable-native-access=ALL-UNNAMED");
    String classPath = System.getProperty(CLASS_PATH, System.getProperty("java.class.path", ""));
    command.addAll(List.of("-cp", classPath, MAIN));
    command.add("--target_class=" + test.getName());
    command.add("--instrumentation_includes=io.forebay.**");
    command.add("--reproducer_path=" + folder);
    command.add("-artifact_prefix=" + folder + "/");
    command.add("-max_total_time=" + Math.max(1, Math.round(minutes * 60)));
    command.add("-timeout=" + SECONDS_PER_INPUT_MAX);
    command.add("-max_len=" + Mutations.BYTES_MAX);
    command.add("-rss_limit_mb=0");
    command.add("-print_final_stats=1");
    command.add(corpus.toString());
    return command;
  }
}
