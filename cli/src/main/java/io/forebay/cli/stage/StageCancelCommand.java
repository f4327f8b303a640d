// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import io.forebay.cli.remote.RemoteOptions;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Cancels stages. */
@Command(
    name = "cancel",
    description = {"Cancel stages: copying stops, copied files stay. A deferred stage is revoked."})
final class StageCancelCommand implements Callable<Integer> {
  private static final Duration END_MAX = Duration.ofSeconds(10);

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "STAGE", arity = "1..*", description = "The stages to cancel.")
  private List<String> ids = List.of();

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Forebay forebay = remote.instance();
        Staging staging = Staging.of(forebay)) {
      for (String id : ids) staging.cancel(id);
      for (String id : ids) {
        StageStatus end = staging.await(id, END_MAX, status -> {});
        out.println(
            "stage " + id + " is " + StageText.word(end.state()) + ": " + StageText.detail(end));
      }
    }
    out.flush();
    return 0;
  }
}
