// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.stage;

import io.forebay.client.Forebay;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.Staging;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Stages out of an instance. */
@Command(
    name = "out",
    description = {
      "Copy a file, or a directory with all it holds, from the instance to the servers' file system.",
      "Files that are there already, of the same size and time, are not copied again."
    })
final class StageOutCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StartOptions start = new StartOptions();

  @Option(
      names = "--deferred",
      description =
          "Begin later: with --run-deferred, or when the instance is destroyed; 'stage cancel'"
              + " revokes it.")
  private boolean deferred;

  @Option(names = "--run-deferred", description = "Begin all deferred stages now.")
  private boolean runDeferred;

  @Override
  public Integer call() throws IOException {
    if (!runDeferred) {
      start.run(StageRequest.Direction.OUT, deferred);
      return 0;
    }
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    if (deferred || !start.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--run-deferred begins all deferred stages; give no other arguments");
    }
    try (Forebay forebay = start.remote.instance();
        Staging staging = Staging.of(forebay)) {
      List<String> begun = staging.runDeferred();
      PrintWriter out = spec.commandLine().getOut();
      if (begun.isEmpty()) out.println("no stage is deferred");
      for (String id : begun) out.println("stage " + id + " begins");
      out.flush();
    }
    return 0;
  }
}
