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
 * ends when its parent says so or ends.
 */
public final class ChildDesk {
  static final String READY = "ready ";
  static final String CPU = "cpu";

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
      desk.say(line.equals(CPU) ? Long.toString(CpuTime.nanos()) : "what is '" + line + "'?");
    }
  }

  /**
   * Says that this child is ready; nothing may be said before.
   *
   * @param where how it is reached
   */
  public void ready(String where) {
    say(READY + where);
  }

  /** What the parent says next; null when it is gone or wants this to end. */
  public @Nullable String next() throws IOException {
    return in.readLine();
  }

  public void say(String line) {
    out.println(line);
    out.flush();
  }
}
