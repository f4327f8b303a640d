// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import io.forebay.base.ByteSize;
import io.forebay.cli.agent.AgentCommand;
import io.forebay.cli.agent.NodesCommand;
import io.forebay.cli.audit.AuditCommand;
import io.forebay.cli.backing.BackingCommand;
import io.forebay.cli.bench.BenchCommand;
import io.forebay.cli.certificate.CertificatesCommand;
import io.forebay.cli.certificate.TokenCommand;
import io.forebay.cli.cluster.DfCommand;
import io.forebay.cli.cluster.InstanceCommand;
import io.forebay.cli.cluster.ManagerCommand;
import io.forebay.cli.cluster.ReviveCommand;
import io.forebay.cli.cluster.ServerCommand;
import io.forebay.cli.cluster.StatusCommand;
import io.forebay.cli.drain.DrainCommand;
import io.forebay.cli.drain.LedgerCommand;
import io.forebay.cli.drain.RefreshCommand;
import io.forebay.cli.drain.WaitDurableCommand;
import io.forebay.cli.files.CatCommand;
import io.forebay.cli.files.CheckpointsCommand;
import io.forebay.cli.files.CopyCommand;
import io.forebay.cli.files.DeleteCommand;
import io.forebay.cli.files.GetCommand;
import io.forebay.cli.files.ListCommand;
import io.forebay.cli.files.LostCommand;
import io.forebay.cli.files.MakeDirectoryCommand;
import io.forebay.cli.files.MoveCommand;
import io.forebay.cli.files.PairsCommand;
import io.forebay.cli.files.PutCommand;
import io.forebay.cli.files.RemoveCommand;
import io.forebay.cli.files.StatCommand;
import io.forebay.cli.job.JobCommand;
import io.forebay.cli.log.LogCommand;
import io.forebay.cli.managers.ManagersCommand;
import io.forebay.cli.mount.MountCommand;
import io.forebay.cli.mount.UmountCommand;
import io.forebay.cli.netcdf.NetcdfCommand;
import io.forebay.cli.pool.PoolsCommand;
import io.forebay.cli.profile.ProfileCommand;
import io.forebay.cli.simulate.SimulateCommand;
import io.forebay.cli.stage.StageCommand;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.OpenFiles;
import io.forebay.cli.up.UpCommand;
import io.forebay.cli.use.UsageCommand;
import io.forebay.cli.version.BuildInfo;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The top of the {@code forebay} command: its options, its subcommands, its exit codes. */
@Command(
    name = "forebay",
    description = "A burst buffer: takes a surge of writes, keeps it safe, and drains it steadily.",
    subcommands = {
      UpCommand.class,
      MountCommand.class,
      UmountCommand.class,
      CopyCommand.class,
      ListCommand.class,
      CatCommand.class,
      StatCommand.class,
      MakeDirectoryCommand.class,
      MoveCommand.class,
      RemoveCommand.class,
      PutCommand.class,
      GetCommand.class,
      PairsCommand.class,
      DeleteCommand.class,
      DrainCommand.class,
      RefreshCommand.class,
      WaitDurableCommand.class,
      LedgerCommand.class,
      CheckpointsCommand.class,
      StageCommand.class,
      StatusCommand.class,
      DfCommand.class,
      UsageCommand.class,
      ProfileCommand.class,
      PoolsCommand.class,
      LostCommand.class,
      ReviveCommand.class,
      InstanceCommand.class,
      JobCommand.class,
      AgentCommand.class,
      NodesCommand.class,
      ManagerCommand.class,
      ManagersCommand.class,
      ServerCommand.class,
      TokenCommand.class,
      CertificatesCommand.class,
      AuditCommand.class,
      DemoCommand.class,
      BackingCommand.class,
      LogCommand.class,
      NetcdfCommand.class,
      BenchCommand.class,
      SimulateCommand.class,
      ChaosCommand.class,
      FuzzCommand.class,
      CompletionCommand.class,
      LauncherCommands.TestCommand.class,
      LauncherCommands.FormatCommand.class,
      LauncherCommands.BuildCommand.class,
      LauncherCommands.CleanCommand.class,
    },
    footer = {
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong arguments.",
      "Environment:",
      "  FOREBAY_URI         the cluster and instance that commands use:"
          + " forebay://HOST:PORT/INSTANCE",
      "  FOREBAY_DEBUG=1     show stack traces",
      "  FOREBAY_JAVA_HOME   the JDK to use, 25 or newer",
      "  FOREBAY_JAVA_OPTS   options for the JVM",
    })
final class RootCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // Picocli acts on it.
  private boolean help;

  @ArgGroup(exclusive = false)
  private @Nullable VersionRequest versionRequest;

  /** A group, so that {@code --json} is refused where it has no meaning. */
  private static final class VersionRequest {
    @Option(
        names = {"-V", "--version"},
        required = true,
        description = "Show version, commit and Java version, and exit.")
    private boolean version;

    @Option(names = "--json", description = "With --version: as JSON.")
    private boolean json;
  }

  /** The whole command with its error handling, as {@link Main} runs it. */
  static CommandLine commandLine() {
    boolean debug = "1".equals(System.getenv("FOREBAY_DEBUG"));
    CommandLine commandLine = new CommandLine(new RootCommand());
    NetcdfCommand.shortenHeaderOption(commandLine);
    Examples.show(CommandGroups.show(commandLine));
    return withErrorHandling(commandLine, debug);
  }

  /** Picocli passes these settings to the subcommands that exist at this time. */
  static CommandLine withErrorHandling(CommandLine commandLine, boolean debug) {
    CommandErrors complaints = new CommandErrors(debug);
    return commandLine
        .registerConverter(ByteSize.class, RootCommand::parseSize)
        .registerConverter(Path.class, RootCommand::parsePath)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionStrategy(RootCommand::execute)
        .setParameterExceptionHandler(complaints)
        .setExecutionExceptionHandler(complaints);
  }

  /** Picocli answers --help also behind a command that does not exist; that is a wrong argument. */
  private static int execute(CommandLine.ParseResult parsed) {
    CommandLine.ParseResult last = parsed;
    while (last.hasSubcommand()) last = last.subcommand();
    if (!last.unmatched().isEmpty()) {
      throw new CommandLine.UnmatchedArgumentException(
          last.commandSpec().commandLine(), last.unmatched());
    }
    try {
      OpenFiles.requireForRunning();
    } catch (CommandFailed few) {
      throw new CommandLine.ExecutionException(
          last.commandSpec().commandLine(), String.valueOf(few.getMessage()), few);
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private static ByteSize parseSize(String text) {
    try {
      return ByteSize.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.TypeConversionException(e.getMessage());
    }
  }

  private static Path parsePath(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new CommandLine.TypeConversionException(CommandErrors.describe(e));
    }
  }

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    if (versionRequest == null || !versionRequest.version) {
      spec.commandLine().usage(out);
    } else {
      BuildInfo build = BuildInfo.load();
      out.println(versionRequest.json ? build.toJson() : build.toText());
    }
    out.flush();
  }
}
