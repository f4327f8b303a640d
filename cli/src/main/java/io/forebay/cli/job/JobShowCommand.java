// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.job;

import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobStage;
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

/** Shows one job. */
@Command(name = "show", description = "Show a job with its stages and nodes.")
final class JobShowCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(paramLabel = "TOKEN", description = "Its token.")
  private String token = "";

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      Job job = cluster.job(token);
      if (json) out.println(Json.write(JobText.json(job)));
      else print(job, out);
    }
    out.flush();
    return 0;
  }

  private static void print(Job job, PrintWriter out) {
    out.println(
        "job '%s' of user %d, group %d is %s; %s, by '%s'"
            .formatted(
                job.token(),
                job.user(),
                job.group(),
                JobText.word(job.phase()),
                job.created(),
                job.creator()));
    if (!job.instance().isEmpty()) out.println("instance  " + job.instance());
    if (!job.uses().isEmpty()) out.println("uses      " + String.join(", ", job.uses()));
    if (!job.nodes().isEmpty()) out.println("nodes     " + String.join(", ", job.nodes()));
    if (!job.directory().isEmpty()) out.println("mounts    below " + job.directory());
    for (int i = 0; i < job.stages().size(); i++) {
      JobStage stage = job.stages().get(i);
      out.println(
          "stage     %s %s %s %s"
              .formatted(
                  JobStage.id(job.token(), i),
                  JobText.word(stage.direction()),
                  stage.source(),
                  stage.destination()));
    }
  }
}
