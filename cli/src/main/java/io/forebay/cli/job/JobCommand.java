// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.job;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands for jobs. */
@Command(
    name = "job",
    description = {
      "Begin, show and end jobs of a batch system. A job is known by a token, has an instance of",
      "its own if it asks for a capacity, and the instance ends with it."
    },
    subcommands = {
      JobBeginCommand.class,
      JobListCommand.class,
      JobShowCommand.class,
      JobNodesCommand.class,
      JobEndCommand.class
    })
public final class JobCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    throw new ParameterException(
        spec.commandLine(), "missing command: 'begin', 'list', 'show', 'nodes' or 'end'");
  }
}
