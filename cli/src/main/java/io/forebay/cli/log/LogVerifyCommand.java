// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.log;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.base.MonotonicClock;
import io.forebay.cli.terminal.Brief;
import io.forebay.store.directory.inspect.LogInspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads every byte of a log and reports whether it is intact. Changes nothing. */
@Command(
    name = "verify",
    description = "Read all of a log and check it against its checksums. Changes nothing.",
    footer = {
      "",
      "Exit codes: 0 sound, 1 problems found or not readable, 2 wrong arguments.",
      "A reservation that was never filled, or a tail that a crash cut off, is no problem.",
    })
final class LogVerifyCommand implements Callable<Integer> {
  private final MonotonicClock clock = MonotonicClock.system();

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The log's directory.")
  private @Nullable Path directory;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null || directory == null) {
      throw new IllegalStateException("run outside of a command line");
    }
    long startNanos = clock.nanos();
    LogInspection log = LogSource.read(directory, "verifying", spec.commandLine().getErr());
    long nanos = clock.nanos() - startNanos;
    PrintWriter out = spec.commandLine().getOut();
    if (json) out.println(Json.write(LogJson.verification(log, nanos)));
    else print(log, nanos, out);
    out.flush();
    return log.sound() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private static void print(LogInspection log, long nanos, PrintWriter out) {
    out.println(
        String.format(
            Locale.ROOT,
            "checked %s and %s in %s, %.1f s",
            Brief.counted(log.segments().size(), "segment"),
            Brief.counted(log.records(), "record"),
            ByteSize.format(log.bytes()),
            nanos / 1e9));
    if (!log.identity().memoryThere()) {
      out.println("note: the log's memory directory is gone; only what is on the SSD was checked");
    }
    log.notes()
        .forEach(note -> out.println("note: " + note + "; another copy of the segment counts"));
    log.problems().forEach(out::println);
    out.println(log.sound() ? "sound" : Brief.counted(log.problems().size(), "problem"));
  }
}
