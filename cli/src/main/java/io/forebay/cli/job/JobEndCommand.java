// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.job;

import io.forebay.cli.ending.EndWatch;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import io.forebay.client.failure.Failures;
import io.forebay.client.job.Job;
import io.forebay.ring.Instance;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Ends a job. */
@Command(
    name = "end",
    description = {
      "End a job: what is to be staged out of its instance is staged, and then the instance and the",
      "job are gone. The servers do that even if this command is interrupted. A job that has ended",
      "already is no error."
    })
final class JobEndCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "TOKEN", description = "Its token.")
  private String token = "";

  @Option(
      names = {"--hurry", "--discard"},
      description = "At once: what is not drained or staged out is lost.")
  private boolean hurry;

  @Option(names = "--no-wait", description = "Do not wait until its instance is gone.")
  private boolean noWait;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      out.println(end(cluster, spec.commandLine().getErr()));
    }
    out.flush();
    return 0;
  }

  private String end(Cluster cluster, PrintWriter err) throws IOException, InterruptedException {
    Instance own = cluster.map().instance(Job.instanceOf(token));
    try {
      cluster.endJob(token, hurry);
    } catch (IOException e) {
      if (Failures.codeOf(e) != ErrorCode.NOT_FOUND) throw e;
      return "there is no job '%s': it has ended, or was never begun".formatted(token);
    }
    if (own != null && !hurry) {
      EndWatch watch = new EndWatch(remote, own);
      if (own.drain().ending()) retry(watch, err);
      if (!noWait) watch.await(cluster, err);
      if (noWait) return "job '%s' is ending".formatted(token);
    }
    return "job '%s' has ended".formatted(token);
  }

  /** Stages that failed are tried again at once, if this command reaches the job's instance. */
  private static void retry(EndWatch watch, PrintWriter err) throws IOException {
    try {
      watch.retry();
    } catch (IOException e) {
      if (Failures.codeOf(e) != ErrorCode.ACCESS_DENIED) throw e;
      err.println("stages that failed are tried again at intervals, not now: " + e.getMessage());
      err.flush();
    }
  }
}
