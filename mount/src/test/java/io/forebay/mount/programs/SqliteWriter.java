// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The {@code sqlite3} program, told one statement at a time, so that each answer is known before
 * the next. One thread uses it; any may kill it.
 */
final class SqliteWriter implements AutoCloseable {
  private static final String DONE = "-- done";

  private final Process process;
  private final Writer statements;
  private final BufferedReader answers;

  SqliteWriter(Programs programs, Path database) throws IOException {
    process =
        programs
            .builder(
                database.getParent(),
                "stdbuf",
                "-oL",
                "sqlite3",
                "-batch",
                "-bail",
                "-init",
                "/dev/null",
                database.getFileName().toString())
            .redirectErrorStream(true)
            .start();
    statements = process.outputWriter(StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    // Long enough for a server that is killed and comes back.
    ask(".timeout 60000");
  }

  /** What a statement answers, its lines joined by commas; an error if the program is gone. */
  String ask(String statement) throws IOException {
    statements.write(statement + "\n.print " + DONE + "\n");
    statements.flush();
    StringBuilder answer = new StringBuilder();
    while (true) {
      String line = answers.readLine();
      if (line == null) throw new IOException("sqlite3 has ended; it said: " + answer);
      if (line.equals(DONE)) return answer.toString();
      answer.append(answer.isEmpty() ? "" : ",").append(line);
    }
  }

  /** Ends it at once, with SIGKILL. */
  void kill() {
    // The process is stdbuf's, which has become sqlite3 itself.
    process.destroyForcibly();
  }

  @Override
  public void close() throws IOException {
    kill();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    statements.close();
    answers.close();
  }
}
