// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.cluster;

import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.stage.Watching;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.durability.Ledger;
import io.forebay.client.failure.Failures;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.wire.message.ErrorCode;
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

/** Destroys an instance. */
@Command(
    name = "destroy",
    description = {
      "Destroy an instance with all it holds, after all that is being staged out of it, or was",
      "deferred until now, is at its destination. With 'end' in its drain policy what it holds is",
      "drained first; it takes no writes meanwhile."
    })
final class InstanceDestroyCommand implements Callable<Integer> {
  private static final long LOOK_MILLIS = 500;

  /** No limit in practice: an impatient user presses Ctrl-C. */
  private static final Duration STAGES_MAX = Duration.ofDays(365);

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(names = "--discard", description = "At once: what is not drained or staged out is lost.")
  private boolean discard;

  @Option(names = "--no-wait", description = "Do not wait until everything is drained.")
  private boolean noWait;

  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter err = spec.commandLine().getErr();
    try (Cluster cluster = remote.cluster()) {
      boolean there = cluster.instances().stream().anyMatch(each -> each.name().equals(name));
      if (there && !discard) stageOut();
      if (discard) cluster.discardInstance(name);
      else cluster.destroyInstance(name);
      if (!discard && !noWait) awaitEnd(cluster, err);
      PrintWriter out = spec.commandLine().getOut();
      out.println(done(name, discard, isEnding(cluster)));
      out.flush();
    }
    return 0;
  }

  /** The state of the instance after the request. */
  static String done(String name, boolean discarded, boolean ending) {
    if (ending) return "'%s' takes no more writes; it ends when all is drained".formatted(name);
    return "'%s' is destroyed%s".formatted(name, discarded ? ", without what was not drained" : "");
  }

  private void awaitEnd(Cluster cluster, PrintWriter err) throws IOException, InterruptedException {
    String told = "";
    while (isEnding(cluster)) {
      String now = state();
      // Check again: the ledger of a destroyed instance is not available.
      if (!now.isEmpty() && !now.equals(told) && isEnding(cluster)) {
        told = now;
        err.println(now);
        err.flush();
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private boolean isEnding(Cluster cluster) throws IOException {
    return cluster.instances().stream()
        .anyMatch(each -> each.name().equals(name) && each.drain().ending());
  }

  /** What is still to be drained, or prevents the drain. */
  private String state() {
    try (Forebay forebay = remote.instance(name)) {
      Ledger ledger = forebay.ledger();
      long open =
          ledger.entries().stream().filter(each -> each.state() != Ledger.State.DURABLE).count();
      if (!ledger.trouble().isEmpty()) {
        return stuck(open, ledger.trouble(), name);
      }
      return open == 0 ? "" : "draining " + Brief.counted(open, "file");
    } catch (IOException e) {
      return "it is unknown what is not drained: %s; %s"
          .formatted(e.getMessage(), howToDiscard(name));
    }
  }

  /** What is left if the store does not work. */
  static String stuck(long files, String trouble, String name) {
    return "%s not drained: %s; the drain continues when that is fixed, and %s"
        .formatted(Brief.counted(files, "file"), trouble, howToDiscard(name));
  }

  private static String howToDiscard(String name) {
    return "'forebay instance destroy %s --discard' gives up what is not drained".formatted(name);
  }

  private void stageOut() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    try (Forebay forebay = remote.instance(name);
        Staging staging = Staging.of(forebay);
        Progress progress = Progress.of("staging out", spec.commandLine().getErr())) {
      List<StageStatus> bad = staging.finish(STAGES_MAX, status -> Watching.show(progress, status));
      if (bad.isEmpty()) return;
      throw new CommandFailed(
          "'%s' is not destroyed, since stage %s out of it has failed; see 'forebay stage query %s', or destroy it with --discard"
              .formatted(name, bad.getFirst().id(), bad.getFirst().id()));
    } catch (IOException e) {
      // A user without access to its stages may not destroy it either, and gets that error.
      if (Failures.codeOf(e) == ErrorCode.ACCESS_DENIED) return;
      throw new CommandFailed(
          "'%s' is not destroyed, since it is unknown what is to be staged out of it: %s; destroy it nevertheless with --discard"
              .formatted(name, e.getMessage()),
          e);
    }
  }
}
