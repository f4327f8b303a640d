// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** How a command ended and what it printed. */
public record CommandOutcome(int exitCode, String out, String err) {
  /** Runs {@code forebay} in this process. */
  public static CommandOutcome run(String... arguments) {
    return run(RootCommand.commandLine(), arguments);
  }

  public static CommandOutcome run(CommandLine commandLine, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = commandLine.execute(arguments);
    return new CommandOutcome(exitCode, out.toString(), err.toString());
  }

  /** The same for a command that prints while it runs; gives its exit code. */
  public static int run(StringWriter out, String... arguments) {
    return RootCommand.commandLine().setOut(new PrintWriter(out)).execute(arguments);
  }
}
