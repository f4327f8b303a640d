// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.cli.terminal.Table;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.driver.logging.LogContent;
import io.forebay.netcdf.driver.logging.LogName;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the contents of netCDF files' logs. */
@Command(
    name = "log",
    description = "Show the writes in the logs of a netCDF file that are not in the file yet.",
    footer = {
      "",
      "This changes nothing, and a log may be in use.",
      "Parts are shown as start:count, or start:count:stride, of each dimension.",
      "Exit codes: 0 sound, 1 damaged or not readable, 2 wrong arguments.",
    })
final class LogsCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "FILE|LOGDIR", description = "A netCDF file, or a directory with logs.")
  private @Nullable String name;

  @Option(
      names = "--log-dir",
      paramLabel = "DIR",
      description = "The directory of the logs (default: from FOREBAY_HINTS, else that of FILE).")
  private @Nullable String logDirectory;

  @Option(names = "--data", description = "Show the elements, too.")
  private boolean data;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null || name == null) {
      throw new IllegalStateException("run outside of a command line");
    }
    List<LogName> names = find(name);
    List<FoundLog> logs = new ArrayList<>();
    try {
      for (LogName log : names) logs.addAll(FoundLog.read(log));
      check(logs, spec);
      PrintWriter out = spec.commandLine().getOut();
      if (json) out.println(Json.write(LogsJson.of(logs, data)));
      else print(logs, out);
      out.flush();
    } catch (NetcdfException e) {
      throw new CommandFailed(String.valueOf(e.getMessage()), e);
    } finally {
      for (FoundLog log : logs) log.close();
    }
    boolean sound = logs.stream().allMatch(FoundLog::isSound);
    return sound ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private List<LogName> find(String given) throws IOException {
    Path path = NetcdfSource.path(given);
    if (Files.isDirectory(path)) return LogName.inDirectory(path);
    Path directory = LogDirectory.of(path, logDirectory);
    List<LogName> names = LogName.find(directory, path);
    if (names.isEmpty() && !Files.exists(path)) {
      throw new CommandFailed(
          "'%s' does not exist, and '%s' has no logs of it; name a netCDF file or a directory"
              .formatted(given, directory));
    }
    return names;
  }

  private static void check(List<FoundLog> logs, CommandSpec spec) throws IOException {
    long totalBytes = 0;
    for (FoundLog log : logs) totalBytes += log.dataBytes();
    try (Progress progress = Progress.of("checking", spec.commandLine().getErr())) {
      LongConsumer counter = DumpCommand.counter(progress, totalBytes);
      for (FoundLog log : logs) log.check(counter);
    }
  }

  private void print(List<FoundLog> logs, PrintWriter out) throws IOException {
    if (logs.isEmpty()) {
      out.println("no logs");
      return;
    }
    long writes = 0;
    long bytes = 0;
    long damaged = 0;
    for (FoundLog log : logs) {
      print(log, out);
      writes += log.content().entries().size();
      bytes += log.dataBytes();
      damaged += log.damaged();
    }
    out.println(
        "%s of %s in logs of %s%s"
            .formatted(
                Brief.counted(writes, "write"),
                ByteSize.format(bytes),
                Brief.counted(logs.size(), "rank"),
                damaged == 0 ? "" : ", " + damaged + " damaged"));
  }

  private void print(FoundLog log, PrintWriter out) throws IOException {
    LogContent content = log.content();
    out.println("log   " + content.name().entries());
    out.println("file  " + content.header().path());
    out.println(
        "rank  %d of %d%s, generation %d, %s"
            .formatted(
                content.header().rank(),
                content.header().ranks(),
                content.header().sharers() > 1
                    ? " (shares its log with " + (content.header().sharers() - 1) + ")"
                    : "",
                content.header().generation(),
                log.inUse() ? "in use" : "left by a program that has ended"));
    if (log.mismatch() != null) out.println("note  does not match the file: " + log.mismatch());
    Table table = new Table(3, "variable", "type", "part", "age", "size", "data").wordsLast();
    for (int i = 0; i < content.entries().size(); i++) {
      LogEntry entry = content.entries().get(i);
      table.row(
          Brief.end(log.variable(entry), 20),
          entry.type().cdlName(),
          Brief.start(part(entry), 44),
          Integer.toString(entry.age()),
          ByteSize.format(entry.dataBytes()),
          log.sound(i) ? "sound" : "damaged");
    }
    if (content.entries().isEmpty()) out.println("no writes");
    else table.print(out);
    if (data) printData(log, out);
    out.println();
  }

  private static String part(LogEntry entry) {
    if (entry.parts().size() == 1) return text(entry.parts().getFirst());
    String first = entry.parts().isEmpty() ? "" : ": " + text(entry.parts().getFirst()) + " …";
    return entry.parts().size() + " parts" + first;
  }

  /** Such as {@code [0:2, 5:3:10]}: start, count, and distance if it is not 1. */
  static String text(Subarray part) {
    List<String> ranges = new ArrayList<>();
    for (int d = 0; d < part.dimensions(); d++) {
      String stride = part.stride(d) == 1 ? "" : ":" + part.stride(d);
      ranges.add(part.start(d) + ":" + part.count(d) + stride);
    }
    return "[" + String.join(", ", ranges) + "]";
  }

  private static void printData(FoundLog log, PrintWriter out) throws IOException {
    for (int i = 0; i < log.content().entries().size(); i++) {
      LogEntry entry = log.content().entries().get(i);
      if (!log.sound(i)) continue;
      out.println(" " + log.variable(entry) + " " + part(entry) + " =");
      StringBuilder line = new StringBuilder("  ");
      log.elements(
          entry,
          value -> {
            String text = Json.write(value);
            if (line.length() + text.length() > Table.WIDTH_MAX - 2) {
              out.println(line.toString().stripTrailing());
              line.setLength(2);
            }
            line.append(text).append(", ");
          });
      out.println(line.substring(0, Math.max(2, line.length() - 2)));
    }
  }
}
