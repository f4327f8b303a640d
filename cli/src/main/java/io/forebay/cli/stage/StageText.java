// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import io.forebay.base.ByteSize;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stages in words and as JSON. */
final class StageText {
  private StageText() {}

  static String word(StageStatus.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** Such as {@code 3 of 8 files, 1.2 GiB copied, 2.5 GiB and 40s left}. */
  static String detail(StageStatus status) {
    StringBuilder text = new StringBuilder();
    text.append(status.filesDone()).append(" of ").append(status.files());
    if (!status.counted()) text.append(" or more");
    text.append(" files");
    if (status.filesPresent() > 0) {
      text.append(" (").append(status.filesPresent()).append(" were there)");
    }
    text.append(", ").append(ByteSize.format(status.bytesCopied())).append(" copied");
    Duration remaining = status.remaining(Instant.now());
    if (remaining != null) {
      text.append(", ").append(ByteSize.format(status.bytesPending()));
      text.append(" and ").append(Brief.duration(remaining.toNanos())).append(" left");
    }
    if (status.filesFailed() > 0) text.append(", ").append(status.filesFailed()).append(" failed");
    if (status.notes() > 0) text.append(", ").append(status.notes()).append(" to be noted");
    return text.toString();
  }

  /** Such as {@code by server a, with b and c}. */
  static String servers(StageStatus status) {
    String walks = "by server " + status.server();
    return status.others().isEmpty()
        ? walks
        : walks + ", with " + String.join(" and ", status.others());
  }

  /** Such as {@code 12s}: how long it took, or has taken. */
  static String age(StageStatus status) {
    Instant end = status.ended() == null ? Instant.now() : status.ended();
    return Brief.duration(Math.max(0, Duration.between(status.created(), end).toNanos()));
  }

  /** Ends the command unless the stage succeeded. */
  static void requireDone(Staging staging, StageStatus status) throws IOException {
    if (status.state() == StageStatus.State.DONE) return;
    if (status.state() == StageStatus.State.FAILED)
      throw new CommandFailed(failure(staging, status));
    if (status.state() == StageStatus.State.CANCELLED) {
      throw new CommandFailed("stage " + status.id() + " was cancelled");
    }
    String help =
        status.state() == StageStatus.State.DEFERRED
            ? "begin it with 'forebay stage out --run-deferred'"
            : "it continues; 'forebay stage query " + status.id() + "' shows its progress";
    throw new CommandFailed(
        "stage %s is %s after %s: %s; %s"
            .formatted(status.id(), word(status.state()), age(status), detail(status), help));
  }

  /** Why a stage failed, in a sentence. */
  static String failure(Staging staging, StageStatus status) throws IOException {
    String first = status.failure();
    if (!first.isEmpty()) return "stage " + status.id() + " has failed: " + first;
    List<StageProblem> problems = staging.problems(status.id());
    String example =
        problems.isEmpty() || !problems.getFirst().failed()
            ? ""
            : ": " + problems.getFirst().reason();
    if (status.filesFailed() == 1) return "stage " + status.id() + " has failed" + example;
    return "%d of %d files of stage %s failed, the first%s; 'forebay stage query %s' shows all"
        .formatted(status.filesFailed(), status.files(), status.id(), example, status.id());
  }

  /** In, out, or only a look at sources. */
  static String way(StageRequest request) {
    return request.onlyLooks() ? "look" : request.direction().name().toLowerCase(Locale.ROOT);
  }

  static Map<String, @Nullable Object> json(StageStatus status) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("id", status.id());
    json.put("direction", way(status.request()));
    json.put("source", status.request().isList() ? null : status.request().source());
    json.put("destination", status.request().isList() ? null : status.request().destination());
    json.put("state", word(status.state()));
    json.put("counted", status.counted());
    json.put("files", status.files());
    json.put("bytes", status.bytes());
    json.put("filesDone", status.filesDone());
    json.put("filesPresent", status.filesPresent());
    json.put("filesFailed", status.filesFailed());
    json.put("filesPending", status.filesPending());
    json.put("bytesPresent", status.bytesPresent());
    json.put("bytesCopied", status.bytesCopied());
    json.put("bytesPending", status.bytesPending());
    Duration remaining = status.remaining(Instant.now());
    json.put("secondsRemaining", remaining == null ? null : remaining.toSeconds());
    json.put("notes", status.notes());
    json.put("concurrency", status.request().concurrency());
    json.put("server", status.server().isEmpty() ? null : status.server());
    json.put("others", status.others());
    json.put("failure", status.failure().isEmpty() ? null : status.failure());
    json.put("created", status.created().toString());
    json.put("ended", status.ended() == null ? null : status.ended().toString());
    return json;
  }

  static List<Map<String, Object>> json(List<StageProblem> problems) {
    List<Map<String, Object>> json = new ArrayList<>();
    for (StageProblem problem : problems) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("path", problem.path());
      each.put("failed", problem.failed());
      each.put("reason", problem.reason());
      json.add(each);
    }
    return json;
  }
}
