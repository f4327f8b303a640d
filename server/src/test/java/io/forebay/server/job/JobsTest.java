// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.JobRequest;
import io.forebay.client.failure.Failures;
import io.forebay.client.host.LocalIdentity;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobStage;
import io.forebay.client.stage.JobStages;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a real ring: from the request of a batch system to the end of the last stage. */
@Timeout(240)
class JobsTest {
  private static final int MIB = 1 << 20;
  private static final Identity STRANGER = new Identity(4711, List.of(4711));

  @TempDir private Path base;

  private EmbeddedCluster.Builder cluster() {
    return EmbeddedCluster.builder()
        .servers(3)
        .segmentBytes(MIB)
        .budget(32L * MIB, 32L * MIB)
        .stageRoots(List.of(base))
        .withoutInstance();
  }

  private static JobRequest request(String token) {
    return JobRequest.of(token, LocalIdentity.current())
        .withInstance(InstanceOptions.defaults().withCapacityBytes(4L * MIB));
  }

  private static void write(Forebay client, String path, String content) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      file.write(ByteBuffer.wrap(content.getBytes(UTF_8)), 0);
    }
  }

  @Test
  void aJobStagesInWorksAndStagesOutAtItsEnd() throws Exception {
    Files.writeString(base.resolve("input"), "in");
    List<JobStage> stages =
        List.of(
            new JobStage(JobStage.Direction.IN, JobStage.Kind.FILE, base + "/input", "/input"),
            new JobStage(JobStage.Direction.OUT, JobStage.Kind.FILE, "/output", base + "/output"));
    try (EmbeddedCluster cluster = cluster().start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      JobRequest request = request("17").withStages(stages);
      Job job = admin.beginJob(request);
      assertThat(job.instance()).isEqualTo("job-17");
      assertThat(job.phase()).isEqualTo(Job.Phase.BEGUN);
      assertThat(admin.beginJob(request)).isEqualTo(job);
      String uri = cluster.uri("job-17");
      ForebayOptions options = ForebayOptions.defaults();
      assertThat(JobStages.begin(uri, job, options)).containsExactly("17.0", "17.1");
      assertThat(JobStages.begin(uri, job, options)).containsExactly("17.0", "17.1");
      try (Forebay client = Forebay.connect(uri);
          Staging staging = Staging.of(client)) {
        StageStatus in = staging.await("17.0", Duration.ofSeconds(100), status -> {});
        assertThat(in.state()).isEqualTo(StageStatus.State.DONE);
        assertThat(staging.all()).hasSize(2);
        admin.setNodes("17", List.of("n1"));
        assertThat(admin.job("17").nodes()).containsExactly("n1");
        write(client, "/output", "out");
        admin.setNodes("17", List.of());
        assertThat(admin.job("17").phase()).isEqualTo(Job.Phase.RAN);
      }
      admin.endJob("17", false);
      Eventually.await(() -> admin.jobs().isEmpty());
      assertThat(base.resolve("output")).hasContent("out");
      assertThat(admin.instances()).isEmpty();
      assertThatThrownBy(() -> admin.endJob("17", false))
          .satisfies(
              e -> assertThat(Failures.codeOf((IOException) e)).isEqualTo(ErrorCode.NOT_FOUND))
          .hasMessageContaining("there is no job '17'");
    }
  }

  @Test
  void onlyItsUserAndRootReachItsInstance() throws Exception {
    try (EmbeddedCluster cluster = cluster().start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      admin.beginJob(request("17"));
      String uri = cluster.uri("job-17");
      ForebayOptions stranger = ForebayOptions.defaults().withIdentity(STRANGER);
      assertThatThrownBy(() -> Forebay.connect(uri, stranger).close())
          .hasMessageContaining("instance 'job-17' does not admit user 4711, only its owner");
      try (Forebay own = Forebay.connect(uri)) {
        own.mkdir("/d");
        assertThatThrownBy(() -> own.as(STRANGER).list("/").hasNext())
            .hasMessageContaining("does not admit user 4711");
      }
      try (Forebay root =
          Forebay.connect(uri, ForebayOptions.defaults().withIdentity(Identity.root()))) {
        assertThat(root.stat("/d")).isNotNull();
      }
      admin.endJob("17", true);
      assertThat(admin.jobs()).isEmpty();
    }
  }

  @Test
  void aRestartOfEverythingKeepsJobsAndTheirEnds() throws Exception {
    EmbeddedCluster.Builder kept =
        cluster()
            .directory(Files.createDirectory(base.resolve("cluster")))
            .memoryRoot(Files.createDirectory(base.resolve("memory")));
    try (EmbeddedCluster cluster = kept.start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      Path missing = Files.writeString(base.resolve("in-the-way"), "x");
      Job job =
          admin.beginJob(
              request("17")
                  .withStages(
                      List.of(
                          new JobStage(
                              JobStage.Direction.OUT,
                              JobStage.Kind.FILE,
                              "/output",
                              missing + "/output"))));
      try (Forebay client = Forebay.connect(cluster.uri("job-17"))) {
        write(client, "/output", "out");
      }
      JobStages.begin(cluster.uri("job-17"), job, ForebayOptions.defaults());
      admin.endJob("17", false);
    }
    Files.delete(base.resolve("in-the-way"));
    try (EmbeddedCluster cluster = kept.start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      Eventually.await(() -> admin.jobs().isEmpty());
      assertThat(base.resolve("in-the-way/output")).hasContent("out");
    }
  }
}
