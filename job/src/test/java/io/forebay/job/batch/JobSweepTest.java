// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.JobRequest;
import io.forebay.client.job.Job;
import io.forebay.client.link.ClusterLink;
import io.forebay.job.cluster.ClusterJobs;
import io.forebay.server.EmbeddedCluster;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which jobs a batch system has forgotten, and which it may still have. */
@Timeout(60)
class JobSweepTest {
  private static final long WHILE = 100;
  private static final List<String> BEGUN = List.of("1", "2");
  private static final Set<String> BOTH = Set.of("1", "2");
  private static final Set<String> ONE = Set.of("1");

  @TempDir private Path folder;
  private final ForgottenJobs jobs = new ForgottenJobs(WHILE);

  @Test
  void aJobIsForgottenWhenSeveralListsLackItForAWhile() {
    assertThat(jobs.next(BEGUN, ONE, 0)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, 2 * WHILE)).as("two lists").isEmpty();
    assertThat(jobs.next(BEGUN, ONE, 2 * WHILE)).containsExactly("2");
    assertThat(jobs.next(BEGUN, ONE, 3 * WHILE)).as("its end failed").containsExactly("2");
    assertThat(jobs.next(ONE, ONE, 4 * WHILE)).isEmpty();
  }

  @Test
  void manyListsWithinAMomentProveNothing() {
    for (int list = 0; list < 10; list++) assertThat(jobs.next(BEGUN, ONE, WHILE - 1)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, 2 * WHILE - 2)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, 2 * WHILE - 1)).containsExactly("2");
  }

  @Test
  void aListThatHasItOrFailsStartsOver() {
    assertThat(jobs.next(BEGUN, ONE, 0)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, WHILE)).isEmpty();
    assertThat(jobs.next(BEGUN, BOTH, 2 * WHILE)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, 3 * WHILE)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, 4 * WHILE)).isEmpty();
    jobs.startOver();
    assertThat(jobs.next(BEGUN, ONE, 5 * WHILE)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, 6 * WHILE)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, 7 * WHILE)).containsExactly("2");
  }

  @Test
  void aJobThatBeginsAgainUnderItsTokenStartsOver() {
    assertThat(jobs.next(BEGUN, ONE, 0)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, WHILE)).isEmpty();
    assertThat(jobs.next(List.of("1"), ONE, 2 * WHILE)).isEmpty();
    assertThat(jobs.next(BEGUN, ONE, 3 * WHILE)).isEmpty();
  }

  @Test
  void whatIsForgottenEndsAndNothingElse() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder().servers(2).segmentBytes(1 << 20).withoutInstance().start();
        ClusterLink link = new ClusterLink(cluster.uri(""), ForebayOptions.defaults());
        ClusterJobs service = new ClusterJobs(link, new ClusterJobs.Settings("/mnt/%t", 2));
        JobSweep sweep = new JobSweep(service, new Listed(ONE), Duration.ofMillis(20))) {
      Cluster admin = link.get();
      admin.beginJob(JobRequest.of("1", Identity.root()).withCreator("SLURM"));
      admin.beginJob(JobRequest.of("2", Identity.root()).withCreator("SLURM"));
      admin.beginJob(JobRequest.of("3", Identity.root()).withCreator("hand"));
      sweep.start();
      while (admin.jobs().size() > 2) TimeUnit.MILLISECONDS.sleep(10);
      assertThat(admin.jobs()).extracting(Job::token).containsExactly("1", "3");
    }
  }

  /** A batch system that has these jobs. */
  private record Listed(Set<String> live) implements BatchQueue {
    @Override
    public String creator() {
      return "SLURM";
    }
  }

  /** A program that prints text and ends with a code. */
  private SlurmQueue squeue(String text, int exitCode) throws IOException {
    Path program = folder.resolve("squeue");
    Files.writeString(
        program,
        """
        #!/bin/sh
        echo "$@ $(env | grep -c -E '^(SQUEUE_|SLURM_CLUSTERS=)')" >%s/asked
        printf '%s'
        exit %d
        """
            .formatted(folder, text, exitCode));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return new SlurmQueue(program.toString());
  }

  @Test
  void slurmsJobsAreLiveUnlessNothingIsLeftToDo() throws Exception {
    String listed = "7 RUNNING\\n8 COMPLETED\\n9 STAGE_OUT\\n10 CANCELLED\\n11 NEWER_STATE\\n";
    assertThat(squeue(listed, 0).live()).containsExactlyInAnyOrder("7", "9", "11");
    assertThat(folder.resolve("asked"))
        .hasContent("--noheader --all --states=all --format=%A %T 0\n");
    assertThat(squeue("", 0).live()).isEmpty();
  }

  @Test
  void aListThatMayLackJobsIsNone() throws Exception {
    SlurmQueue fails = squeue("7 RUNNING\\n", 1);
    assertThatThrownBy(fails::live)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("exit code 1");
    SlurmQueue broken = squeue("slurm_load_jobs error\\n", 0);
    assertThatThrownBy(broken::live)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("printed 'slurm_load_jobs error'");
    assertThatThrownBy(new SlurmQueue(folder + "/none")::live).isInstanceOf(IOException.class);
  }
}
