// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.job.cluster.StagePlan.Work;
import io.forebay.job.service.JobService.StageProgress;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;

/**
 * The stages into the private trees of a job's nodes. One thread.
 *
 * <ol>
 *   <li>Each node has a stage for each directive, and for each list with lines for the private
 *       tree. They stand in the order of the nodes.
 *   <li>At most {@link #STARTED_MAX} are started and not over. The next one starts when one is
 *       done.
 *   <li>The first one that fails ends it: the nodes of the job are idle meanwhile. The others that
 *       were started go on in the servers.
 *   <li>A stage that an earlier call had started, and that fails now, is tried again once: the
 *       reason may have been removed since.
 * </ol>
 */
final class NodeStages {
  /** Several times what a server works on at a time, so that servers never wait for the caller. */
  static final int STARTED_MAX = 32;

  /** Where stages are recorded. */
  interface Board {
    /**
     * Starts a stage. One that was started goes on, and one that failed is tried again.
     *
     * @return false if it was started before and is not over
     */
    boolean start(String node, Work work) throws IOException;

    /** How far a stage is that was started. */
    StageProgress progress(String node, Work work) throws IOException;
  }

  private record NodeStage(String node, Work work) {}

  /** A stage, and whether it began with this call. */
  private record Started(NodeStage stage, boolean isNew) {}

  private final Board board;
  private final Queue<NodeStage> waiting = new ArrayDeque<>();
  private final List<Started> started = new ArrayList<>();

  NodeStages(List<Work> works, List<String> nodes, Board board) {
    this.board = board;
    for (String node : nodes) {
      for (Work work : works) waiting.add(new NodeStage(node, work));
    }
  }

  /** Looks at the stages, and starts the next. May be called again after it has thrown. */
  StageProgress step() throws IOException {
    for (Iterator<Started> each = started.iterator(); each.hasNext(); ) {
      Started one = each.next();
      NodeStage stage = one.stage();
      switch (board.progress(stage.node(), stage.work())) {
        case StageProgress.Complete() -> each.remove();
        case StageProgress.Running() -> {}
        case StageProgress.Failed(String why) -> {
          if (one.isNew()) return failed(stage.node(), why);
          each.remove();
          waiting.add(stage);
        }
      }
    }
    startNext();
    return started.isEmpty() ? new StageProgress.Complete() : new StageProgress.Running();
  }

  private static StageProgress failed(String node, String why) {
    return new StageProgress.Failed(
        "the stage into $DW_JOB_PRIVATE of node %s failed: %s".formatted(node, why));
  }

  private void startNext() throws IOException {
    for (NodeStage next = waiting.peek();
        next != null && started.size() < STARTED_MAX;
        next = waiting.peek()) {
      boolean isNew = board.start(next.node(), next.work());
      waiting.remove();
      started.add(new Started(next, isNew));
    }
  }
}
