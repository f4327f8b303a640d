// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.job;

import io.forebay.base.ByteSize;
import io.forebay.base.proof.JobCredential;
import io.forebay.cli.backing.BackingAddress;
import io.forebay.cli.remote.RemoteOptions;
import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.JobRequest;
import io.forebay.client.host.LocalIdentity;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobStage;
import io.forebay.client.stage.JobStages;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Begins a job. */
@Command(
    name = "begin",
    description = {
      "Begin a job, with an instance of its own if it asks for a capacity. The same command again",
      "finds the same job. Stages in start at once; stages out are done when the job ends."
    })
final class JobBeginCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private RemoteOptions remote = new RemoteOptions();

  @Parameters(
      paramLabel = "TOKEN",
      description = "Its name: the job id of a batch system, for example.")
  private String token = "";

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      description = "How much its own instance may hold (default: it has no instance).")
  private @Nullable ByteSize capacity;

  @Option(
      names = "--pool",
      paramLabel = "NAME",
      defaultValue = "",
      description = "The pool whose servers keep it (default: 'default' or the only one).")
  private String pool = "";

  @Option(
      names = "--access",
      paramLabel = "WORD",
      defaultValue = "shared",
      description =
          "SHARED: all nodes see one tree; PRIVATE: each its own; BOTH: one for all and one for each"
              + " (default: shared).")
  private Instance.Access access = Instance.Access.SHARED;

  @Option(
      names = "--over",
      paramLabel = "DIR",
      description =
          "A directory that its instance lies over, or such as s3://BUCKET/DIR: its files are read"
              + " through the instance, and what the job changes is there when it has ended"
              + " (default: none).")
  private @Nullable String over;

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "How many servers keep each byte (default: the manager's setting, 2 unless changed).")
  private int copies;

  @Option(
      names = "--user",
      paramLabel = "UID",
      description = "Whose job it is, by number; another user only for root (default: you).")
  private @Nullable Integer user;

  @Option(
      names = "--group",
      paramLabel = "GID",
      description = "The group of its instance, by number (default: yours, or that number).")
  private @Nullable Integer group;

  @Option(
      names = "--uses",
      paramLabel = "NAME",
      description = "A persistent instance that it uses; may be given several times.")
  private List<String> uses = new ArrayList<>();

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = "",
      description =
          "Below this directory the agents of its nodes mount its instances, such as"
              + " /mnt/forebay/4711 (default: they mount none).")
  private String directory = "";

  @Option(
      names = "--stage-in",
      arity = "2",
      paramLabel = "SOURCE DESTINATION",
      description = "A file or directory to copy into its instance; may be given several times.")
  private List<String> stageIn = new ArrayList<>();

  @Option(
      names = "--stage-out",
      arity = "2",
      paramLabel = "SOURCE DESTINATION",
      description = "The same out of it, when the job ends.")
  private List<String> stageOut = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    if (capacity == null && !(stageIn.isEmpty() && stageOut.isEmpty())) {
      throw remote.wrong("--stage-in and --stage-out need an instance; give --capacity too");
    }
    if (capacity == null && over != null) {
      throw remote.wrong("--over needs an instance; give --capacity too");
    }
    String problem = over == null ? null : BackingAddress.problemWith("--over", over);
    if (problem != null) throw remote.wrong(problem);
    JobCredential credential = JobCredential.draw(token, new SecureRandom());
    JobRequest request =
        JobRequest.of(token, owner())
            .withCreator("forebay job begin")
            .withUses(uses)
            .withStages(stages())
            .withDirectory(directory);
    if (capacity != null) {
      request =
          request
              .withInstance(
                  InstanceOptions.defaults()
                      .withCapacityBytes(capacity.bytes())
                      .withPool(pool)
                      .withAccess(access)
                      .withDrain(over == null ? DrainSpec.NONE : new DrainSpec(over, "").asOver())
                      .withCopies(copies))
              .withCredential(credential);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = remote.cluster()) {
      if (over != null) {
        BackingAddress.requireUsable(
            cluster.problemWithStore(over, request.owner()), "the job is not begun");
      }
      Job job = cluster.beginJob(request);
      String uri = remote.instanceUri(Job.instanceOf(token));
      boolean isNew = job.isReachedWith(credential);
      ForebayOptions options =
          isNew ? remote.options().withJobCredential(credential.text()) : remote.options();
      out.println("job '%s' is begun".formatted(token));
      if (!job.instance().isEmpty()) out.println("\n  export FOREBAY_URI=" + uri);
      // Before the stages: this is the only time that it is shown.
      if (isNew) {
        out.println("  export %s=%s".formatted(ForebayOptions.JOB_CREDENTIAL, credential.text()));
      }
      out.flush();
      if (!job.stages().isEmpty()) JobStages.begin(uri, job, options);
    }
    out.flush();
    return 0;
  }

  private Identity owner() {
    Identity self = LocalIdentity.current();
    if (user == null && group == null) return self;
    int owner = user == null ? self.user() : user;
    int first = group != null ? group : owner == self.user() ? self.primaryGroup() : owner;
    return new Identity(owner, List.of(first));
  }

  private List<JobStage> stages() {
    List<JobStage> stages = new ArrayList<>();
    add(stages, JobStage.Direction.IN, stageIn);
    add(stages, JobStage.Direction.OUT, stageOut);
    return stages;
  }

  /** Servers see whether a source is a file or a directory. */
  private void add(List<JobStage> to, JobStage.Direction direction, List<String> paths) {
    for (int i = 0; i + 1 < paths.size(); i += 2) {
      for (String path : paths.subList(i, i + 2)) {
        if (path.startsWith("/")) continue;
        throw remote.wrong("'%s' is no whole path; begin it with a slash".formatted(path));
      }
      to.add(new JobStage(direction, JobStage.Kind.DIRECTORY, paths.get(i), paths.get(i + 1)));
    }
  }
}
