// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The child's side of {@link Child}: reports when it is ready, answers requests line by line, and
 * ends when its parent asks for it or ends.
 */
public final class ChildDesk {
  static final String READY = "ready ";
  static final String CPU = "cpu";
  static final String COMPILED = "compiled";

  private final PrintStream out = System.out;
  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  /**
   * Answers until standard input ends.
   *
   * @param where how this child is reached
   */
  public static void serve(String where) throws IOException {
    ChildDesk desk = new ChildDesk();
    desk.ready(where);
    while (true) {
      String line = desk.next();
      if (line == null) return;
      desk.say(answer(line));
    }
  }

  private static String answer(String line) {
    return switch (line) {
      case CPU -> Long.toString(CpuTime.nanos());
      case COMPILED -> Long.toString(CompileTime.millis());
      default -> "what is '" + line + "'?";
    };
  }

  /**
   * Reports that this child is ready; this is its first output.
   *
   * @param where how it is reached
   */
  public void ready(String where) {
    say(READY + where);
  }

  /** The next line of the parent; null when the parent has ended or closed the pipe. */
  public @Nullable String next() throws IOException {
    return in.readLine();
  }

  public void say(String line) {
    out.println(line);
    out.flush();
  }
}
