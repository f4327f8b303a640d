// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Prints the completion script; generated from the commands themselves, so it is never out of date.
 */
@Command(
    name = "completion",
    description = "Print a completion script for bash and zsh.",
    footer = {"", "It completes commands, options and their words in the shell that reads it."})
final class CompletionCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    out.print(CompletionScript.of(RootCommand.commandLine()));
    out.flush();
  }
}
