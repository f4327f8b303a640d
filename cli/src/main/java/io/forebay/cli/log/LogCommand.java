// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.log;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands for a seat's log while no seat has it open. */
@Command(
    name = "log",
    description = "Look into a seat's log that is not in use, or for memory that logs left.",
    subcommands = {LogInspectCommand.class, LogVerifyCommand.class, LogOrphansCommand.class})
public final class LogCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    throw new ParameterException(
        spec.commandLine(), "missing command: 'inspect', 'verify' or 'orphans'");
  }
}
