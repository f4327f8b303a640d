// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The library and programs that use it, compiled and installed into a folder. */
final class LibraryPrograms {
  private static final int WAIT_SECONDS = 120;

  private final Path folder;
  private final Path socket;
  private final AtomicInteger runs = new AtomicInteger();

  private LibraryPrograms(Path folder, Path socket) {
    this.folder = folder;
    this.socket = socket;
  }

  /** Installs the library, as its page describes. */
  static LibraryPrograms install(Path folder, Path socket)
      throws IOException, InterruptedException {
    for (String program : List.of("/usr/bin/cc", "/usr/bin/pkg-config")) {
      boolean installed = Files.isExecutable(Path.of(program));
      assumeTrue(installed, "needs " + program + ": run dev/optional-packages");
    }
    Files.createDirectories(folder);
    LibraryPrograms programs = new LibraryPrograms(folder, socket);
    assertThat(programs.run(List.of("src/main/c/install", folder.toString()), Map.of())).isEmpty();
    return programs;
  }

  /** Compiles a program of the tests, by what pkg-config says. */
  Path compile(String name) throws IOException, InterruptedException {
    String program = folder.resolve(name).toString();
    String compile =
        "cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -o %s src/test/c/%s.c $(pkg-config %s)"
            .formatted(program, name, "--cflags --libs cray-datawarp");
    assertThat(run(List.of("sh", "-c", compile), Map.of())).isEmpty();
    return Path.of(program);
  }

  /** Starts a program; its output goes to a file. */
  Running start(List<String> words, Map<String, String> more) throws IOException {
    Path out = folder.resolve("out-" + runs.incrementAndGet());
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put("FOREBAY_AGENT_SOCKET", socket.toString());
    builder.environment().put("LD_LIBRARY_PATH", folder.resolve("lib").toString());
    builder.environment().put("PKG_CONFIG_PATH", folder.resolve("lib/pkgconfig").toString());
    builder.environment().putAll(more);
    return new Running(builder.start(), out);
  }

  /** Runs a program to its end; gives what it printed. */
  String run(List<String> words, Map<String, String> more)
      throws IOException, InterruptedException {
    return start(words, more).end();
  }

  /** Makes one call of the library. */
  String call(Path program, Object... words) throws IOException, InterruptedException {
    return begin(program, words).end();
  }

  Running begin(Path program, Object... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(program.toString()));
    for (Object word : words) all.add(word.toString());
    return start(all, Map.of());
  }

  /** A program that runs. */
  record Running(Process process, Path out) {
    /** Waits for its end; gives what it printed. */
    String end() throws IOException, InterruptedException {
      if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly();
      int code = process.waitFor();
      String text = Files.readString(out).strip();
      assertThat(code).as(text).isZero();
      return text;
    }
  }
}
