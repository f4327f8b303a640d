// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import io.forebay.base.Json;
import io.forebay.base.MonotonicClock;
import io.forebay.cli.remote.WaitOptions;
import io.forebay.client.Forebay;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Waits for stages. */
@Command(
    name = "wait",
    description = "Wait until stages have ended, and show their progress.",
    footer = {"", "Exit codes: 0 all of it is staged, 1 it is not, 2 wrong arguments."})
final class StageWaitCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private WaitOptions remote = new WaitOptions();

  @Parameters(paramLabel = "STAGE", arity = "1..*", description = "What to wait for.")
  private List<String> ids = List.of();

  @Option(names = "--json", description = "Print each as JSON, a line each.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    MonotonicClock clock = MonotonicClock.system();
    long startNanos = clock.nanos();
    try (Forebay forebay = remote.instance();
        Staging staging = Staging.of(forebay)) {
      for (String id : ids) {
        Duration left = remote.patience().minusNanos(clock.nanos() - startNanos);
        StageStatus end = Watching.await(staging, id, left, spec.commandLine().getErr());
        if (json) out.println(Json.write(StageText.json(end)));
        out.flush();
        StageText.requireDone(staging, end);
        if (!json) out.println("stage " + id + " is done: " + StageText.detail(end));
      }
    }
    out.flush();
    return 0;
  }
}
