// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.stage.StageRequest;
import io.forebay.job.cluster.StagePlan.Work;
import io.forebay.job.service.JobService.StageProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeStagesTest {
  private static final StageProgress RUNNING = new StageProgress.Running();
  private static final StageProgress COMPLETE = new StageProgress.Complete();

  private final MemoryBoard board = new MemoryBoard();

  /** Stages by id; one that is not named otherwise is running. */
  private static final class MemoryBoard implements NodeStages.Board {
    final List<String> started = new ArrayList<>();
    final Map<String, StageProgress> ended = new HashMap<>();
    final Set<String> underWay = new HashSet<>();
    boolean refuses;

    @Override
    public boolean start(String node, Work work) throws IOException {
      if (refuses) throw new IOException("refused");
      started.add(work.idOn(node));
      return !underWay.remove(work.idOn(node));
    }

    @Override
    public StageProgress progress(String node, Work work) {
      return ended.getOrDefault(work.idOn(node), RUNNING);
    }
  }

  private static Work work(int position) {
    StageRequest request = StageRequest.in("/pfs/in", "/in");
    return new Work("job-12", true, "12.in." + position, request, List.of());
  }

  private NodeStages stages(int works, List<String> nodes) {
    return new NodeStages(
        IntStream.range(0, works).mapToObj(NodeStagesTest::work).toList(), nodes, board);
  }

  @Test
  void eachNodeHasEachStage() throws IOException {
    NodeStages stages = stages(2, List.of("n1", "n2"));
    assertThat(stages.step()).isEqualTo(RUNNING);
    assertThat(board.started)
        .containsExactly("12.in.0.n1", "12.in.1.n1", "12.in.0.n2", "12.in.1.n2");
    for (String id : board.started) {
      assertThat(stages.step()).isEqualTo(RUNNING);
      board.ended.put(id, COMPLETE);
    }
    assertThat(stages.step()).isEqualTo(COMPLETE);
    assertThat(board.started).hasSize(4);
  }

  @Test
  void withoutStagesThereIsNothingToDo() throws IOException {
    assertThat(stages(0, List.of("n1")).step()).isEqualTo(COMPLETE);
  }

  @Test
  void onlySoManyAreStartedAtATime() throws IOException {
    int count = 3 * NodeStages.STARTED_MAX;
    List<String> nodes = IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
    NodeStages stages = stages(1, nodes);
    for (int ended = 0; ended < count; ended++) {
      assertThat(stages.step()).isEqualTo(RUNNING);
      assertThat(board.started).hasSize(Math.min(count, ended + NodeStages.STARTED_MAX));
      board.ended.put(board.started.get(ended), COMPLETE);
    }
    assertThat(stages.step()).isEqualTo(COMPLETE);
  }

  @Test
  void theFirstFailureEndsItAndNamesTheNode() throws IOException {
    NodeStages stages = stages(1, List.of("n1", "n2", "n3"));
    stages.step();
    board.ended.put("12.in.0.n2", new StageProgress.Failed("'/pfs/in' does not exist"));
    assertThat(stages.step())
        .isEqualTo(
            new StageProgress.Failed(
                "the stage into $DW_JOB_PRIVATE of node n2 failed: '/pfs/in' does not exist"));
  }

  @Test
  void aStageOfAnEarlierCallIsTriedAgainOnce() throws IOException {
    NodeStages stages = stages(1, List.of("n1"));
    board.underWay.add("12.in.0.n1");
    stages.step();
    StageProgress failed = new StageProgress.Failed("'/pfs/in' does not exist");
    board.ended.put("12.in.0.n1", failed);
    assertThat(stages.step()).isEqualTo(RUNNING);
    assertThat(board.started).containsExactly("12.in.0.n1", "12.in.0.n1");
    assertThat(stages.step()).isInstanceOf(StageProgress.Failed.class);
  }

  @Test
  void aStageThatCouldNotBeStartedIsStartedLater() throws IOException {
    NodeStages stages = stages(1, List.of("n1"));
    board.refuses = true;
    assertThatThrownBy(stages::step).hasMessage("refused");
    board.refuses = false;
    assertThat(stages.step()).isEqualTo(RUNNING);
    assertThat(board.started).containsExactly("12.in.0.n1");
  }
}
