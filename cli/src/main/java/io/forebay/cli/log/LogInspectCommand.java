// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.log;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.store.directory.inspect.LogInspection;
import io.forebay.store.log.Stream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what is in a log, per segment and per file. Changes nothing. */
@Command(
    name = "inspect",
    description = "Show what is in a log, per segment and per file. Changes nothing.")
final class LogInspectCommand implements Callable<Integer> {
  private static final String NONE = "-";

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The log's directory.")
  private @Nullable Path directory;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @ArgGroup(exclusive = true)
  private @Nullable Part part;

  /** Which table to show; both without it. */
  private static final class Part {
    @Option(names = "--segments", description = "Show segments only.")
    private boolean segments;

    @Option(names = "--files", description = "Show files only.")
    private boolean files;
  }

  @Override
  public Integer call() throws IOException {
    if (spec == null || directory == null) {
      throw new IllegalStateException("run outside of a command line");
    }
    LogInspection log = LogSource.read(directory, "reading the log", spec.commandLine().getErr());
    PrintWriter out = spec.commandLine().getOut();
    boolean segments = part == null || part.segments;
    boolean files = part == null || part.files;
    if (json) {
      out.println(Json.write(LogJson.inspection(log, segments, files)));
    } else {
      printSummary(log, out);
      if (segments) printSegments(log, out);
      if (files) printFiles(log, out);
      if (!log.sound()) {
        out.println();
        out.println(
            Brief.counted(log.problems().size(), "problem") + "; 'forebay log verify' lists them");
      }
    }
    out.flush();
    return 0;
  }

  private static void printSummary(LogInspection log, PrintWriter out) {
    LogInspection.Identity identity = log.identity();
    out.println("log        " + identity.id());
    out.println("directory  " + identity.directory());
    out.println(
        "mode       %s, segments of %s"
            .formatted(
                identity.mode().name().toLowerCase(Locale.ROOT),
                ByteSize.format(identity.segmentBytes())));
    for (Path memory : identity.memory()) out.println("memory     " + memory);
    out.println("survival   " + survival(identity));
    LogInspection.ByState bytes = log.recordBytes();
    out.println(
        "records    %d: %s live, %s clean, %s dead, %s void, %s damaged"
            .formatted(
                log.records(),
                ByteSize.format(bytes.live()),
                ByteSize.format(bytes.clean()),
                ByteSize.format(bytes.dead()),
                ByteSize.format(bytes.voided()),
                ByteSize.format(bytes.damaged())));
    out.println();
    Table tiers = new Table(1, "tier", "slots", "free", "size");
    for (LogInspection.Tier tier : log.tiers()) {
      tiers.row(
          tier.name(), count(tier.slots()), count(tier.free()), ByteSize.format(tier.bytes()));
    }
    tiers.print(out);
  }

  /** Why a seat that opens this log may keep its incarnation, or not. */
  private static String survival(LogInspection.Identity identity) {
    if (!identity.sameBoot()) return "the machine was restarted since the log was last open";
    if (!identity.memoryThere()) return "its memory directory is gone";
    if (identity.anonymous()) return "a part of its memory was anonymous and died with its process";
    if (identity.lossPending())
      return "its owner has not acknowledged an earlier loss of memory yet";
    return "same boot, all memory is there";
  }

  private static void printSegments(LogInspection log, PrintWriter out) {
    out.println();
    if (log.segments().isEmpty()) {
      out.println("no segments");
      return;
    }
    Table table =
        new Table(
            3, "segment", "tier", "stream", "data", "journal", "marks", "live", "clean", "dead",
            "void", "damaged", "fill");
    for (LogInspection.Segment segment : log.segments()) {
      LogInspection.ByState bytes = segment.bytes();
      table.row(
          segment.number() == 0 ? "lost" : Long.toString(segment.number()),
          tier(segment),
          stream(segment.stream()),
          count(segment.data()),
          count(segment.journal()),
          count(segment.marks()),
          size(bytes.live()),
          size(bytes.clean()),
          size(bytes.dead()),
          size(bytes.voided()),
          size(bytes.damaged()),
          100L * segment.filledBytes() / log.identity().segmentBytes() + "%");
    }
    table.print(out);
  }

  private static void printFiles(LogInspection log, PrintWriter out) {
    out.println();
    if (log.files().isEmpty()) {
      out.println("no files");
      return;
    }
    Table table =
        new Table(1, "instance:file", "records", "size", "from offset", "to offset", "damaged");
    for (LogInspection.File file : log.files()) {
      boolean any = file.records() > 0;
      table.row(
          file.file().toString(),
          count(file.records()),
          size(file.bytes()),
          any ? Long.toString(file.fromOffset()) : NONE,
          any ? Long.toString(file.toOffset()) : NONE,
          count(file.damaged()));
    }
    table.print(out);
  }

  private static String tier(LogInspection.Segment segment) {
    if (!segment.onSsd()) return "memory";
    return segment.inMemory() ? "both" : "SSD";
  }

  private static String stream(Stream stream) {
    return switch (stream) {
      case INGEST -> "ingest";
      case JOURNAL -> "journal";
      case RELOCATION -> "moved";
    };
  }

  private static String count(long number) {
    return number == 0 ? NONE : Long.toString(number);
  }

  private static String size(long bytes) {
    return bytes == 0 ? NONE : ByteSize.format(bytes);
  }
}
