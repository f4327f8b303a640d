// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.job.Job;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.job.directive.BufferPath;
import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.directive.Directives.StageKind;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService.Direction;
import io.forebay.job.service.JobService.StageProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The stages of jobs. The ids of stages follow from the job's token and the directive's position,
 * so that a repeated call finds them in the instances; nothing is remembered here.
 */
final class JobStaging {
  /** How many failures of files a sentence names. */
  private static final int NAMED_MAX = 3;

  private final Boards boards;

  JobStaging(Boards boards) {
    this.boards = boards;
  }

  /** One stage of an instance. */
  private record Work(String instance, String id, StageRequest request, List<String> list) {}

  /** Starts stages; those that were started go on, and those that failed are tried again. */
  void start(Job job, Direction direction, List<Stage> stages) throws IOException, JobFailed {
    Map<String, List<Work>> byInstance = new TreeMap<>();
    for (int i = 0; i < stages.size(); i++) {
      for (Work work : works(job, direction, stages.get(i), prefix(job, direction) + i)) {
        byInstance.computeIfAbsent(work.instance(), none -> new ArrayList<>()).add(work);
      }
    }
    for (Map.Entry<String, List<Work>> each : byInstance.entrySet()) {
      boards.with(
          job,
          each.getKey(),
          staging -> {
            for (Work work : each.getValue()) start(staging, work);
            return true;
          });
    }
  }

  private static String prefix(Job job, Direction direction) {
    return job.token() + "." + direction.name().toLowerCase(Locale.ROOT) + ".";
  }

  private static List<Work> works(Job job, Direction direction, Stage stage, String id)
      throws JobFailed {
    BufferPath buffer = stage.buffer();
    if (buffer != null) {
      return List.of(
          new Work(
              instanceOf(job, buffer.root(), buffer.persistent()),
              id,
              request(direction, stage.kind(), stage.pfs(), buffer.path()),
              List.of()));
    }
    List<Work> works = new ArrayList<>();
    StageRequest list = StageRequest.list(on(direction)).withReplace(true);
    for (ListFile.Part part :
        ListFile.read(
            Path.of(stage.pfs()),
            direction,
            Integer.toUnsignedLong(job.user()),
            Integer.toUnsignedLong(job.group()))) {
      works.add(new Work(instanceOf(job, part.root(), part.persistent()), id, list, part.lines()));
    }
    return works;
  }

  private static String instanceOf(Job job, BufferPath.Root root, String persistent)
      throws JobFailed {
    String name = root == BufferPath.Root.PERSISTENT_STRIPED ? persistent : job.instance();
    if (!name.isEmpty()) return name;
    throw new JobFailed("job %s has no buffer $%s".formatted(job.token(), root.variable()));
  }

  private static StageRequest.Direction on(Direction direction) {
    return direction == Direction.IN ? StageRequest.Direction.IN : StageRequest.Direction.OUT;
  }

  /** A target that exists is replaced, as users of DataWarp expect. */
  private static StageRequest request(
      Direction direction, StageKind kind, String pfs, String inside) {
    boolean in = direction == Direction.IN;
    // The root of a buffer exists: a directory goes into it, not below it.
    boolean whole = kind == StageKind.DIRECTORY && in && inside.equals("/");
    StageRequest request =
        in ? StageRequest.in(pfs, whole ? "/." : inside) : StageRequest.out(inside, pfs);
    return request.withReplace(true);
  }

  private static void start(Staging staging, Work work) throws IOException {
    if (work.list().isEmpty()) {
      staging.startAs(work.id(), work.request());
    } else {
      Path list = Files.createTempFile("forebay-list", "");
      try {
        Files.write(list, work.list());
        staging.startListAs(work.id(), work.request(), list);
      } finally {
        Files.delete(list);
      }
    }
    staging.retry(work.id());
  }

  /** How far the stages of a job are that have been started. */
  StageProgress progress(Job job, Direction direction) throws IOException {
    List<String> instances = new ArrayList<>(job.uses());
    if (!job.instance().isEmpty()) instances.add(job.instance());
    List<String> failures = new ArrayList<>();
    boolean running = false;
    for (String instance : instances) {
      Look look = boards.with(job, instance, staging -> look(staging, prefix(job, direction)));
      running |= look.running();
      failures.addAll(look.failures());
    }
    if (running) return new StageProgress.Running();
    if (failures.isEmpty()) return new StageProgress.Complete();
    return new StageProgress.Failed(String.join("; ", failures));
  }

  private record Look(boolean running, List<String> failures) {}

  private static Look look(Staging staging, String prefix) throws IOException {
    boolean running = false;
    List<String> failures = new ArrayList<>();
    for (StageStatus status : staging.all()) {
      if (!status.id().startsWith(prefix)) continue;
      if (!status.state().isOver()) running = true;
      else if (status.state() != StageStatus.State.DONE) failures.add(why(staging, status));
    }
    return new Look(running, failures);
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
