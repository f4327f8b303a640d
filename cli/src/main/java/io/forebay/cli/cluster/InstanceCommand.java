// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.cli.pool.InstanceResizeCommand;
import io.forebay.cli.use.InstanceAccessCommand;
import io.forebay.cli.use.InstanceProtectCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands for instances. */
@Command(
    name = "instance",
    description =
        "Create, list, change and destroy instances, the separate allocations of a cluster.",
    subcommands = {
      InstanceCreateCommand.class,
      InstanceListCommand.class,
      InstanceResizeCommand.class,
      InstanceProtectCommand.class,
      InstanceAccessCommand.class,
      InstanceDestroyCommand.class
    })
public final class InstanceCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    throw new ParameterException(
        spec.commandLine(),
        "missing command: 'create', 'list', 'resize', 'protect', 'access' or 'destroy'");
  }
}
