// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.backing;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands for a backing store alone. */
@Command(
    name = "backing",
    description = "Look at a backing store.",
    subcommands = {BackingCheckCommand.class, BackingPacksCommand.class})
public final class BackingCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    throw new ParameterException(spec.commandLine(), "missing command: 'check' or 'packs'");
  }
}
