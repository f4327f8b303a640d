// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Forebay;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the progress of stages. */
@Command(
    name = "query",
    description = "Show the progress of an instance's stages, or one with its failures and notes.")
final class StageQueryCommand implements Callable<Integer> {
  private static final int PATH_CHARS_MAX = 30;
  private static final int PROBLEM_PATH_CHARS_MAX = 40;
  private static final int REASON_CHARS_MAX = 160;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "STAGE",
      arity = "0..1",
      description = "Only that one, with its failures.")
  private @Nullable String id;

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Forebay forebay = remote.instance();
        Staging staging = Staging.of(forebay)) {
      if (id == null) all(staging.all(), out);
      else one(staging.status(id), staging.problems(id), out);
    }
    out.flush();
    return 0;
  }

  private void all(List<StageStatus> stages, PrintWriter out) {
    if (json) {
      out.println(Json.write(Map.of("stages", stages.stream().map(StageText::json).toList())));
      return;
    }
    Table table =
        new Table(
            5,
            "stage",
            "way",
            "state",
            "source",
            "destination",
            "files",
            "done",
            "failed",
            "copied",
            "age");
    for (StageStatus stage : stages) {
      boolean isList = stage.request().isList();
      table.row(
          stage.id(),
          StageText.way(stage.request()),
          StageText.word(stage.state()),
          isList ? "(list)" : Brief.end(stage.request().source(), PATH_CHARS_MAX),
          isList ? "" : Brief.end(stage.request().destination(), PATH_CHARS_MAX),
          Long.toString(stage.files()),
          Long.toString(stage.filesDone()),
          Long.toString(stage.filesFailed()),
          Brief.size(stage.bytesCopied()),
          StageText.age(stage));
    }
    table.print(out);
  }

  private void one(StageStatus stage, List<StageProblem> problems, PrintWriter out) {
    if (json) {
      Map<String, @Nullable Object> whole = StageText.json(stage);
      whole.put("problems", StageText.json(problems));
      out.println(Json.write(whole));
      return;
    }
    String what =
        stage.request().isList()
            ? "of a list"
            : "from " + stage.request().source() + " to " + stage.request().destination();
    out.println(
        "stage %s %s %s is %s after %s: %s"
            .formatted(
                stage.id(),
                StageText.way(stage.request()),
                what,
                StageText.word(stage.state()),
                StageText.age(stage),
                StageText.detail(stage)));
    if (!stage.server().isEmpty()) out.println(StageText.servers(stage));
    if (!stage.failure().isEmpty()) out.println(stage.failure());
    if (problems.isEmpty()) return;
    Table table = new Table(2, "", "file", "why").wordsLast();
    for (StageProblem problem : problems) {
      table.row(
          problem.failed() ? "failed" : "note",
          Brief.end(problem.path(), PROBLEM_PATH_CHARS_MAX),
          Brief.start(problem.reason(), REASON_CHARS_MAX));
    }
    table.print(out);
  }
}
