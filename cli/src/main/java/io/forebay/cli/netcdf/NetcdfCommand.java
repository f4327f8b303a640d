// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands for netCDF files and the logs beside them. */
@Command(
    name = "netcdf",
    description = "Show, check and compare netCDF files; show and replay their logs.",
    subcommands = {
      DumpCommand.class,
      ValidateCommand.class,
      DiffCommand.class,
      LogsCommand.class,
      RecoverCommand.class,
    })
public final class NetcdfCommand implements Runnable {
  private static final List<String> WITH_HEADER_OPTION = List.of("dump", "diff");

  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    throw new ParameterException(
        spec.commandLine(), "missing command: 'dump', 'validate', 'diff', 'log' or 'recover'");
  }

  /** Users of ncdump expect {@code -h} to mean the header; help is {@code --help} there. */
  public static void shortenHeaderOption(CommandLine forebay) {
    CommandLine netcdf = subcommand(forebay, "netcdf");
    for (String name : WITH_HEADER_OPTION) {
      CommandSpec command = subcommand(netcdf, name).getCommandSpec();
      OptionSpec help = command.findOption("--help");
      OptionSpec header = command.findOption("--header");
      command.remove(help);
      command.remove(header);
      command.addOption(OptionSpec.builder(help).names("--help").build());
      command.addOption(OptionSpec.builder(header).names("-h", "--header").build());
    }
  }

  private static CommandLine subcommand(CommandLine command, String name) {
    return Objects.requireNonNull(command.getSubcommands().get(name), name);
  }
}
