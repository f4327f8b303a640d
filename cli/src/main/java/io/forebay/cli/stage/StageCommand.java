// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands for stages. */
@Command(
    name = "stage",
    description = {
      "Copy files between an instance and a file system that the servers see. The servers do it,",
      "also when this command has ended, below the directories they were given as --stage-root."
    },
    subcommands = {
      StageInCommand.class,
      StageOutCommand.class,
      StageQueryCommand.class,
      StageWaitCommand.class,
      StageCancelCommand.class
    })
public final class StageCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    throw new ParameterException(
        spec.commandLine(), "missing command: 'in', 'out', 'query', 'wait' or 'cancel'");
  }
}
