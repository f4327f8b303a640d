// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import io.forebay.base.Json;
import io.forebay.cli.remote.RemotePath;
import io.forebay.cli.remote.WaitOptions;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.Forebay;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The common options of both directions. */
final class StartOptions {
  /** Long enough for a server to refuse an impossible stage. */
  private static final Duration BEGIN_MAX = Duration.ofSeconds(5);

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Mixin WaitOptions remote = new WaitOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SOURCE",
      description = "A file, or a directory with all it holds.")
  private @Nullable String source;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "DESTINATION",
      description = "Its new name; with a slash at the end, the directory it goes into.")
  private @Nullable String destination;

  @Option(
      names = "--list",
      paramLabel = "FILE",
      description =
          "Stage what a file of this machine lists: a source, a tab and a destination in each"
              + " line.")
  private @Nullable Path list;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "" + StageRequest.CONCURRENCY_DEFAULT,
      description = "How many copies each server makes at a time (default: ${DEFAULT-VALUE}).")
  private int concurrency;

  @Option(names = "--replace", description = "Replace existing files that differ.")
  private boolean replace;

  @Option(names = "--wait", description = "Wait until it is done, as 'stage wait' does.")
  private boolean wait;

  @Option(names = "--json", description = "Print the stage as JSON.")
  private boolean json;

  boolean isEmpty() {
    return source == null && list == null;
  }

  /** Starts a stage and says so. */
  void run(StageRequest.Direction direction, boolean deferred) throws IOException {
    boolean in = direction == StageRequest.Direction.IN;
    RemotePath inside = remote.path(list != null ? "/" : required(in ? destination : source));
    StageRequest request;
    try {
      request = request(direction, inside).withDeferred(deferred);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    try (Forebay forebay = remote.connect(inside);
        Staging staging = Staging.of(forebay)) {
      String id = start(staging, request);
      StageStatus status =
          wait && !deferred
              ? Watching.await(staging, id, remote.patience(), spec().commandLine().getErr())
              : staging.awaitBegun(id, BEGIN_MAX);
      if (wait && !deferred) StageText.requireDone(staging, status);
      else if (status.state() == StageStatus.State.FAILED) StageText.requireDone(staging, status);
      print(status);
    }
  }

  private StageRequest request(StageRequest.Direction direction, RemotePath inside) {
    StageRequest request;
    if (list != null) {
      if (source != null) throw wrong("--list has all sources; give no SOURCE besides");
      request = StageRequest.list(direction);
    } else if (direction == StageRequest.Direction.IN) {
      request = StageRequest.in(outside(required(source)), like(required(destination), inside));
    } else {
      request = StageRequest.out(inside.path(), outside(required(destination)));
    }
    return request.withConcurrency(concurrency).withReplace(replace);
  }

  private String start(Staging staging, StageRequest request) throws IOException {
    if (list == null) return staging.start(request);
    try {
      return staging.startList(request, list);
    } catch (IllegalArgumentException e) {
      throw new CommandFailed("'" + list + "' cannot be staged: " + e.getMessage(), e);
    }
  }

  private void print(StageStatus status) {
    var out = spec().commandLine().getOut();
    if (json) {
      out.println(Json.write(StageText.json(status)));
    } else if (status.state().isOver()) {
      out.println("stage " + status.id() + " is done: " + StageText.detail(status));
    } else if (status.state() == StageStatus.State.DEFERRED) {
      out.println(
          "stage " + status.id() + " is deferred until the instance is destroyed or it is begun");
    } else {
      out.println(
          "stage %s is %s; 'forebay stage query %s' shows its progress"
              .formatted(status.id(), StageText.word(status.state()), status.id()));
    }
    out.flush();
  }

  /** A path on the servers; a relative path is resolved against the working directory here. */
  private static String outside(String text) {
    if (text.startsWith("/")) return text;
    return like(text, Path.of(text).toAbsolutePath().normalize().toString());
  }

  private static String like(String text, RemotePath path) {
    return like(text, path.path());
  }

  /** A slash at the end of a destination means the directory that the source goes into. */
  private static String like(String text, String path) {
    String bare = path.equals("/") ? "" : path;
    if (text.endsWith("/.")) return bare + "/.";
    return text.endsWith("/") || bare.isEmpty() ? bare + "/" : bare;
  }

  private String required(@Nullable String given) {
    if (given != null) return given;
    throw wrong("a SOURCE and a DESTINATION are needed, or --list FILE");
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(spec().commandLine(), sentence);
  }

  private CommandSpec spec() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    return spec;
  }
}
