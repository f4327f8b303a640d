// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.netcdf.driver.logging.LogName;
import io.forebay.netcdf.driver.logging.LogRecovery;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays the logs of a killed program into the file. */
@Command(
    name = "recover",
    description = "Replay the logs of a killed program into the netCDF file.",
    footer = {
      "",
      "Damaged writes are left out, and their logs are kept as '.damaged'.",
      "A log that a program has in use is not touched.",
      "Logs are refused if another program has replaced or changed the file since they were left:",
      "then --discard removes them, and --force writes their data into the file nevertheless.",
      "",
      "Example: forebay netcdf recover --log-dir /local/ssd out.nc",
      "",
      "Exit codes: 0 done, 1 failed or something was damaged, 2 wrong arguments.",
    })
final class RecoverCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The netCDF file.")
  private @Nullable String name;

  @Option(
      names = "--log-dir",
      paramLabel = "DIR",
      description = "The directory of its logs (default: from FOREBAY_HINTS, else that of FILE).")
  private @Nullable String logDirectory;

  @Option(names = "--dry-run", description = "Say what would be done, and change nothing.")
  private boolean dryRun;

  @Option(names = "--discard", description = "Remove the logs with their data.")
  private boolean discard;

  @Option(
      names = "--force",
      description = "Replay the logs even if another program has changed the file since.")
  private boolean force;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null || name == null) {
      throw new IllegalStateException("run outside of a command line");
    }
    if (discard && (force || dryRun)) {
      throw new ParameterException(
          spec.commandLine(), "--discard cannot be used with --force or --dry-run; choose one");
    }
    Path path = NetcdfSource.path(name);
    if (discard) return discard(path, spec.commandLine().getOut());
    try (NetcdfSource source = NetcdfSource.open(name)) {
      source.header();
    }
    Path directory = LogDirectory.of(path, logDirectory);
    LogRecovery.Recovered recovered;
    try (Progress progress = Progress.of("recovering", spec.commandLine().getErr())) {
      LogRecovery.Progress told =
          (done, total) ->
              progress.update(done, total, ByteSize.format(done) + " of " + ByteSize.format(total));
      recovered =
          LogRecovery.recover(
              path,
              directory,
              dryRun ? LogRecovery.Mode.EXAMINE : LogRecovery.Mode.ACCEPT_DAMAGE,
              force ? LogRecovery.Match.TAKEN_FOR_GRANTED : LogRecovery.Match.REQUIRED,
              told);
    } catch (NetcdfException e) {
      throw new CommandFailed(String.valueOf(e.getMessage()), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) out.println(Json.write(asJson(recovered)));
    else print(recovered, directory, out);
    out.flush();
    return recovered.damaged() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** The file itself may be gone. */
  private int discard(Path path, PrintWriter out) throws IOException {
    Path directory = LogDirectory.of(path, logDirectory);
    List<LogName> removed;
    try {
      removed = LogName.discardAll(directory, path);
    } catch (NetcdfException e) {
      throw new CommandFailed(String.valueOf(e.getMessage()), e);
    }
    if (json) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("file", name);
      result.put("discarded", removed.size());
      out.println(Json.write(result));
    } else if (removed.isEmpty()) {
      out.println("'%s' has no logs of '%s': nothing to discard".formatted(directory, name));
    } else {
      String logs = Brief.counted(removed.size(), "log");
      out.println("removed %s of '%s' from '%s'".formatted(logs, name, directory));
    }
    out.flush();
    return ExitCode.OK;
  }

  private void print(LogRecovery.Recovered recovered, Path directory, PrintWriter out) {
    if (recovered.logs() == 0) {
      out.println("'%s' has no logs of '%s': nothing to recover".formatted(directory, name));
      return;
    }
    out.println(
        "%s %s of %s from the logs of %s into '%s'"
            .formatted(
                dryRun ? "would bring" : "brought",
                Brief.counted(recovered.writes(), "write"),
                ByteSize.format(recovered.dataBytes()),
                Brief.counted(recovered.logs(), "rank"),
                name));
    if (recovered.damaged() > 0) {
      out.println(
          "%s damaged and %s left out%s"
              .formatted(
                  Brief.counted(recovered.damaged(), "write")
                      + " "
                      + (recovered.damaged() == 1 ? "is" : "are"),
                  dryRun ? "would be" : (recovered.damaged() == 1 ? "was" : "were"),
                  dryRun
                      ? "; 'forebay netcdf log' shows which"
                      : "; the logs are kept as '.damaged' in '" + directory + "'"));
    }
  }

  private Map<String, Object> asJson(LogRecovery.Recovered recovered) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("file", name);
    result.put("dryRun", dryRun);
    result.put("logs", recovered.logs());
    result.put("writes", recovered.writes());
    result.put("dataBytes", recovered.dataBytes());
    result.put("damaged", recovered.damaged());
    return result;
  }
}
