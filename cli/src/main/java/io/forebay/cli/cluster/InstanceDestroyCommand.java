package io.forebay.cli.cluster;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.stage.Watching;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Cluster;
import io.forebay.client.Failures;
import io.forebay.client.Forebay;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
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

/** Destroys an instance. */
@Command(
    name = "destroy",
    description = {
      "Destroy an instance with all it holds, after all that is being staged out of it, or was",
      "deferred until now, is at its destination."
    })
final class InstanceDestroyCommand implements Callable<Integer> {
  /** However much there is to stage; whoever waits no longer presses Ctrl-C. */
  private static final Duration STAGES_MAX = Duration.ofDays(365);

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Option(
      names = "--hurry",
      description = "Destroy it at once: what is not staged out yet is lost.")
  private boolean hurry;

  @Override
  public Integer call() throws IOException {
    try (Cluster cluster = remote.cluster()) {
      boolean there = cluster.instances().stream().anyMatch(each -> each.name().equals(name));
      if (there && !hurry) stageOut();
      cluster.destroyInstance(name);
    }
    return 0;
  }

  private void stageOut() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    try (Forebay forebay = remote.instance(name);
        Staging staging = Staging.of(forebay);
        Progress progress = Progress.of("staging out", spec.commandLine().getErr())) {
      List<StageStatus> bad = staging.finish(STAGES_MAX, status -> Watching.show(progress, status));
      if (bad.isEmpty()) return;
      throw new CommandFailed(
          "'%s' is not destroyed, since stage %s out of it has failed; see 'forebay stage query %s', or destroy it with --hurry"
              .formatted(name, bad.getFirst().id(), bad.getFirst().id()));
    } catch (IOException e) {
      // Who may not look at its stages may not destroy it either, and is told so.
      if (Failures.codeOf(e) == ErrorCode.ACCESS_DENIED) return;
      throw new CommandFailed(
          "'%s' is not destroyed, since nobody can say what is to be staged out of it: %s; destroy it with --hurry all the same"
              .formatted(name, e.getMessage()),
          e);
    }
  }
}
