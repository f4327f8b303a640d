// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.job.Job;
import io.forebay.client.stage.StageList;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.job.cluster.StagePlan.Work;
import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService.Direction;
import io.forebay.job.service.JobService.StageProgress;
import io.forebay.ring.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The stages of jobs, in the trees of all nodes and in those of each. Servers find them recorded in
 * the instances; nothing is remembered here. Any thread.
 */
final class JobStaging {
  /** How many failures of files a sentence names. */
  private static final int NAMED_MAX = 3;

  private final Boards boards;

  JobStaging(Boards boards) {
    this.boards = boards;
  }

  /**
   * Starts the stages of trees that all nodes see, and one that looks for the sources of private
   * trees; those that were started go on, and those that failed are tried again.
   */
  void start(Job job, Direction direction, List<Stage> stages) throws IOException, JobFailed {
    Map<String, List<Work>> byInstance = new TreeMap<>();
    List<String> sources = new ArrayList<>();
    for (Work work : plan(job, direction, stages)) {
      if (work.isPrivate()) sources.addAll(linesOf(work));
      else byInstance.computeIfAbsent(work.instance(), none -> new ArrayList<>()).add(work);
    }
    if (!sources.isEmpty()) {
      StageRequest look = StageRequest.list(StageRequest.Direction.IN).withOnlyLooks(true);
      Work all = new Work(job.instance(), false, StagePlan.lookId(job), look, sources);
      byInstance.computeIfAbsent(job.instance(), none -> new ArrayList<>()).add(all);
    }
    for (Map.Entry<String, List<Work>> each : byInstance.entrySet()) {
      boards.with(
          job,
          each.getKey(),
          staging -> {
            for (Work work : each.getValue()) start(staging, work.id(), work);
            return true;
          });
    }
  }

  private static List<String> linesOf(Work work) throws JobFailed {
    if (!work.list().isEmpty()) return work.list();
    StageRequest request = work.request();
    try {
      return List.of(StageList.line(new StageList.Entry(request.source(), request.destination())));
    } catch (IllegalArgumentException e) {
      throw new JobFailed(String.valueOf(e.getMessage()), e);
    }
  }

  private List<Work> plan(Job job, Direction direction, List<Stage> stages)
      throws IOException, JobFailed {
    @Nullable Instance own =
        job.instance().isEmpty() ? null : boards.with(job, job.instance(), Staging::instance);
    return new StagePlan(job, own, direction).of(stages);
  }

  /** The stages into the private trees of a job's nodes; none is started yet. */
  NodeStages ofNodes(Job job, List<Stage> stages, List<String> nodes)
      throws IOException, JobFailed {
    List<Work> works = plan(job, Direction.IN, stages).stream().filter(Work::isPrivate).toList();
    return new NodeStages(works, nodes, new OwnBoard(job));
  }

  /** The board of a job's own instance, which has all its private trees. */
  private final class OwnBoard implements NodeStages.Board {
    private final Job job;

    OwnBoard(Job job) {
      this.job = job;
    }

    @Override
    public boolean start(String node, Work work) throws IOException {
      return boards.with(
          job,
          work.instance(),
          staging -> {
            StageStatus before = staging.find(work.idOn(node));
            JobStaging.start(staging.ofNode(node), work.idOn(node), work);
            return before == null || before.state().isOver();
          });
    }

    @Override
    public StageProgress progress(String node, Work work) throws IOException {
      return boards.with(
          job,
          work.instance(),
          staging -> {
            StageStatus status = staging.find(work.idOn(node));
            // Servers forget stages that were done, the oldest first.
            return status == null ? new StageProgress.Complete() : progressOf(staging, status);
          });
    }
  }

  private static void start(Staging staging, String id, Work work) throws IOException {
    if (work.list().isEmpty()) {
      staging.startAs(id, work.request());
    } else {
      Path list = Files.createTempFile("forebay-list", "");
      try {
        Files.write(list, work.list());
        staging.startListAs(id, work.request(), list);
      } finally {
        Files.delete(list);
      }
    }
    staging.runDeferred(id);
    staging.retry(id);
  }

  /** How far the stages of a job are that {@link #start} has started. */
  StageProgress progress(Job job, Direction direction) throws IOException {
    List<String> instances = new ArrayList<>(job.uses());
    if (!job.instance().isEmpty()) instances.add(job.instance());
    List<String> failures = new ArrayList<>();
    boolean running = false;
    for (String instance : instances) {
      for (StageProgress each : boards.with(job, instance, board -> look(board, job, direction))) {
        running |= each instanceof StageProgress.Running;
        if (each instanceof StageProgress.Failed(String sentence)) failures.add(sentence);
      }
    }
    if (running) return new StageProgress.Running();
    if (failures.isEmpty()) return new StageProgress.Complete();
    return new StageProgress.Failed(String.join("; ", failures));
  }

  private static List<StageProgress> look(Staging staging, Job job, Direction direction)
      throws IOException {
    List<StageProgress> all = new ArrayList<>();
    for (StageStatus status : staging.all()) {
      if (StagePlan.isBeforeNodes(job, direction, status.id()))
        all.add(progressOf(staging, status));
    }
    return all;
  }

  private static StageProgress progressOf(Staging staging, StageStatus status) throws IOException {
    if (!status.state().isOver()) return new StageProgress.Running();
    if (status.state() == StageStatus.State.DONE) return new StageProgress.Complete();
    return new StageProgress.Failed(why(staging, status));
  }

  private static String why(Staging staging, StageStatus status) throws IOException {
    if (!status.failure().isEmpty()) return status.failure();
    if (status.state() == StageStatus.State.CANCELLED) {
      return "stage %s was cancelled".formatted(status.id());
    }
    List<String> named = new ArrayList<>();
    for (StageProblem problem : staging.problems(status.id())) {
      if (problem.failed() && named.size() < NAMED_MAX) named.add(problem.reason());
    }
    long others = status.filesFailed() - named.size();
    if (others > 0) named.add(others + " more files failed");
    return String.join("; ", named);
  }
}
