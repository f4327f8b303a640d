// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.client.job.Job;
import io.forebay.job.cluster.StagePlan.Work;
import io.forebay.job.directive.BufferPath;
import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.directive.Directives.StageKind;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService.Direction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagePlanTest {
  private static final Job JOB =
      new Job(
          "12",
          0,
          0,
          "SLURM",
          Instant.EPOCH,
          "",
          List.of("atlas"),
          List.of(),
          List.of(),
          "/mnt/12",
          Job.Phase.BEGUN,
          Bytes.EMPTY);

  @TempDir private Path folder;

  private Stage list(String lines) throws IOException {
    Path file = Files.writeString(folder.resolve("list"), lines);
    return new Stage(1, StageKind.LIST, file.toString(), null);
  }

  private static List<Work> plan(Direction direction, Stage... stages) throws JobFailed {
    return new StagePlan(JOB, null, direction).of(List.of(stages));
  }

  @Test
  void idsFollowFromThePositionAndTheNode() throws Exception {
    BufferPath path = BufferPath.parse("$DW_PERSISTENT_STRIPED_atlas/a");
    List<Work> works =
        plan(
            Direction.IN,
            new Stage(1, StageKind.FILE, "/pfs/a", path),
            list("/pfs/b $DW_PERSISTENT_STRIPED_atlas/b\n"));
    assertThat(works).extracting(Work::id).containsExactly("12.in.0", "12.in.1");
    assertThat(works).extracting(Work::instance).containsOnly("atlas");
    assertThat(works).extracting(Work::isPrivate).containsOnly(false);
    assertThat(works.getLast().list()).containsExactly("/pfs/b\t/b");
    assertThat(works.getFirst().idOn("n1")).isEqualTo("12.in.0.n1");
  }

  @Test
  void stagesOfNodesAreNotTakenForThoseOfAllNodes() {
    assertThat(StagePlan.isBeforeNodes(JOB, Direction.IN, "12.in.10")).isTrue();
    assertThat(StagePlan.isBeforeNodes(JOB, Direction.IN, "12.in.10.n1")).isFalse();
    assertThat(StagePlan.isBeforeNodes(JOB, Direction.IN, "12.in.10.7")).isFalse();
    assertThat(StagePlan.isBeforeNodes(JOB, Direction.OUT, "12.in.10")).isFalse();
    assertThat(StagePlan.isBeforeNodes(JOB, Direction.IN, "112.in.10")).isFalse();
    assertThat(StagePlan.isBeforeNodes(JOB, Direction.IN, "12.look")).isTrue();
    assertThat(StagePlan.isBeforeNodes(JOB, Direction.OUT, "12.look")).isFalse();
  }

  @Test
  void aListNamesOnlyBuffersThatTheJobHas() {
    for (String variable :
        List.of(
            "$DW_JOB_STRIPED",
            "$DW_JOB_PRIVATE",
            "$DW_JOB_STRIPED_CACHE",
            "$DW_PERSISTENT_STRIPED_other")) {
      assertThatThrownBy(() -> plan(Direction.IN, list("/pfs/a " + variable + "/a\n")))
          .isInstanceOf(JobFailed.class)
          .hasMessageContaining("job 12 has no buffer " + variable + " to stage; ");
    }
  }

  @Test
  void aListStagesNothingOutOfPrivateTrees() {
    assertThatThrownBy(() -> plan(Direction.OUT, list("$DW_JOB_PRIVATE/a /pfs/a\n")))
        .isInstanceOf(JobFailed.class)
        .hasMessageContaining("a list cannot stage them out");
  }
}
