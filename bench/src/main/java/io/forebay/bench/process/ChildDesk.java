package io.forebay.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The child's side of {@link Child}: says when it is ready, answers what it is asked line by line,
 * and ends when its parent says so or is gone.
 */
public final class ChildDesk {
  static final String READY = "ready ";
  static final String CPU = "cpu";

  private ChildDesk() {}

  /**
   * Answers until standard input ends.
   *
   * @param where how this child is reached
   */
  public static void serve(String where) throws IOException {
    PrintStream out = System.out;
    out.println(READY + where);
    out.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (true) {
      String line = in.readLine();
      if (line == null) return;
      out.println(line.equals(CPU) ? Long.toString(CpuTime.nanos()) : "what is '" + line + "'?");
      out.flush();
    }
  }
}
