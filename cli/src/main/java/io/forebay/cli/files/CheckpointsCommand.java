// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.files;

import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Forebay;
import io.forebay.client.checkpoint.Checkpoint;
import io.forebay.client.checkpoint.CheckpointQuery;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the checkpoints in a directory, and which one a restart should take. */
@Command(
    name = "checkpoints",
    description = "Show the checkpoints in a directory, and the newest that is complete.",
    footer = {"", "Exit codes: 0 there is a complete one, 1 there is none, or the search failed."})
public final class CheckpointsCommand implements Callable<Integer> {
  private static final int SERIES_CHARS_MAX = 22;
  private static final int REASON_CHARS_MAX = 34;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "PATH",
      arity = "0..1",
      defaultValue = "/",
      description = "The directory they are in (default: /).")
  private String path = "/";

  @Option(
      names = "--series",
      paramLabel = "PATTERN",
      defaultValue = "",
      description =
          "Which names are checkpoints, such as 'ckpt-*.nc'; # marks the number if it is not the"
              + " first one (default: names with a running number).")
  private String series = "";

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "0",
      description = "How many files a complete one has (default: as many as the one before).")
  private int files;

  @Option(
      names = "--left",
      description = "Count a checkpoint as complete whose writer ended without closing it.")
  private boolean left;

  @Option(
      names = "--check",
      paramLabel = "WORD",
      defaultValue = "held",
      description =
          "HELD: servers report whether they have all bytes; COMPARED: they verify the"
              + " checksums; READ: all bytes are read. The newest is at least compared"
              + " (default: held).")
  private CheckpointQuery.Check check = CheckpointQuery.Check.HELD;

  @Option(
      names = "--latest",
      description = "Print only the paths of the newest that is complete, for scripts.")
  private boolean latestOnly;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    RemotePath target = remote.path(path);
    CheckpointQuery query = query(target);
    Optional<Checkpoint> latest;
    List<Checkpoint> all;
    try (Forebay forebay = remote.connect(target)) {
      boolean listed = check == CheckpointQuery.Check.HELD;
      latest =
          forebay.latestComplete(listed ? query.withCheck(CheckpointQuery.Check.COMPARED) : query);
      all = latestOnly ? List.of() : forebay.checkpoints(query);
    }
    if (json) out.println(Json.write(tree(all, latest)));
    else if (latestOnly) latest.ifPresent(found -> found.paths().forEach(out::println));
    else print(all, latest, Instant.now(), out);
    out.flush();
    return latest.isPresent() ? 0 : 1;
  }

  private CheckpointQuery query(RemotePath target) {
    try {
      return CheckpointQuery.in(target.path())
          .withSeries(series)
          .withFiles(files)
          .withLeft(left)
          .withCheck(check);
    } catch (IllegalArgumentException e) {
      if (spec == null) throw new IllegalStateException("run outside of a command line", e);
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  static void print(
      List<Checkpoint> all, Optional<Checkpoint> latest, Instant now, PrintWriter out) {
    if (all.isEmpty()) {
      out.println("there are no checkpoints; give the pattern of their names with --series");
      return;
    }
    Table table =
        new Table(3, "series", "state", "where", "number", "files", "size", "age", "why")
            .wordsLast();
    // The newest come first, since a table shows only some.
    for (Checkpoint each : all.reversed()) {
      Duration age = Duration.between(each.written(), now);
      table.row(
          Brief.end(each.series(), SERIES_CHARS_MAX),
          word(each.state()),
          word(each.place()),
          Long.toString(each.number()),
          Integer.toString(each.files()),
          Brief.size(each.bytes()),
          // Clocks of servers may be ahead of this one.
          Brief.duration(age.isNegative() ? 0 : age.toNanos()),
          Brief.start(each.reason(), REASON_CHARS_MAX));
    }
    table.print(out);
    out.println();
    out.println(
        latest
            .map(found -> "newest that is complete and sound: " + String.join(" ", found.paths()))
            .orElse("none is complete and sound"));
  }

  private static Map<String, @Nullable Object> tree(
      List<Checkpoint> all, Optional<Checkpoint> latest) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("latest", latest.map(CheckpointsCommand::tree).orElse(null));
    tree.put("checkpoints", all.stream().map(CheckpointsCommand::tree).toList());
    return tree;
  }

  private static Map<String, Object> tree(Checkpoint checkpoint) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("series", checkpoint.series());
    tree.put("number", checkpoint.number());
    tree.put("state", word(checkpoint.state()));
    tree.put("reason", checkpoint.reason());
    tree.put("where", word(checkpoint.place()));
    tree.put("files", checkpoint.files());
    tree.put("bytes", checkpoint.bytes());
    tree.put("written", checkpoint.written().toString());
    tree.put("paths", checkpoint.paths());
    return tree;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
