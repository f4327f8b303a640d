// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.job;

import io.forebay.base.Json;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.Table;
import io.forebay.client.Cluster;
import io.forebay.client.job.Job;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the jobs. */
@Command(name = "list", description = "List the jobs.")
final class JobListCommand implements Callable<Integer> {
  private static final int NAME_CHARS_MAX = 30;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Option(names = "--json", description = "Print everything as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      List<Job> jobs = cluster.jobs();
      if (json) out.println(Json.write(jobs.stream().map(JobText::json).toList()));
      else print(jobs, out);
    }
    out.flush();
    return 0;
  }

  private static void print(List<Job> jobs, PrintWriter out) {
    if (jobs.isEmpty()) {
      out.println("there is none; begin one with 'forebay job begin TOKEN'");
      return;
    }
    Table table = new Table(3, "token", "phase", "instance", "user", "nodes", "stages", "uses");
    for (Job job : jobs) {
      table.row(
          Brief.end(job.token(), NAME_CHARS_MAX),
          JobText.word(job.phase()),
          job.instance().isEmpty() ? "-" : Brief.end(job.instance(), NAME_CHARS_MAX),
          Integer.toString(job.user()),
          Integer.toString(job.nodes().size()),
          Integer.toString(job.stages().size()),
          Integer.toString(job.uses().size()));
    }
    table.print(out);
  }
}
