// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.job.Job;
import io.forebay.client.stage.StageRequest;
import io.forebay.job.directive.BufferPath;
import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.directive.Directives.StageKind;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService.Direction;
import io.forebay.ring.Instance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the stage directives of a job become. The ids of stages follow from the job's token, the
 * direction, the directive's position and, in a private tree, the node. So a repeated call finds
 * them. It reads the lists that directives name. Any thread.
 */
final class StagePlan {
  /**
   * A stage of an instance.
   *
   * @param isPrivate whether each node of the job has the stage in its own tree
   * @param id of the stage in the tree of all nodes
   * @param list the lines of a list; empty for a file or a directory
   */
  record Work(
      String instance, boolean isPrivate, String id, StageRequest request, List<String> list) {
    Work {
      list = List.copyOf(list);
    }

    /** The id of the stage in the tree of a node. */
    String idOn(String node) {
      return id + "." + node;
    }
  }

  private final Job job;
  private final @Nullable Instance own;
  private final Direction direction;

  /**
   * For the stages of a job in one direction.
   *
   * @param own the job's own instance; null if it has none
   */
  StagePlan(Job job, @Nullable Instance own, Direction direction) {
    this.job = job;
    this.own = own;
    this.direction = direction;
  }

  /** What the ids of a job's stages begin with. */
  static String prefix(Job job, Direction direction) {
    return job.token() + "." + direction.name().toLowerCase(Locale.ROOT) + ".";
  }

  /** The id of the stage that looks for the sources of private trees, before these are known. */
  static String lookId(Job job) {
    return job.token() + ".look";
  }

  /** Whether a stage of that id needs no node: it is in a tree of all nodes, or only looks. */
  static boolean isBeforeNodes(Job job, Direction direction, String id) {
    if (direction == Direction.IN && id.equals(lookId(job))) return true;
    String prefix = prefix(job, direction);
    if (!id.startsWith(prefix)) return false;
    return id.substring(prefix.length()).chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /**
   * The stages of all directives.
   *
   * @throws JobFailed if a list cannot be read, or names a buffer that the job does not have
   */
  List<Work> of(List<Stage> stages) throws JobFailed {
    List<Work> works = new ArrayList<>();
    for (int i = 0; i < stages.size(); i++) add(works, stages.get(i), prefix(job, direction) + i);
    return works;
  }

  private void add(List<Work> works, Stage stage, String id) throws JobFailed {
    BufferPath buffer = stage.buffer();
    if (buffer != null) {
      StageRequest request = request(stage.kind(), stage.pfs(), buffer.path());
      works.add(work(buffer.root(), buffer.persistent(), id, request, List.of()));
      return;
    }
    StageRequest request = StageRequest.list(onWire()).withReplace(true);
    for (ListFile.Part part :
        ListFile.read(
            Path.of(stage.pfs()),
            direction,
            Integer.toUnsignedLong(job.user()),
            Integer.toUnsignedLong(job.group()))) {
      works.add(work(part.root(), part.persistent(), id, request, part.lines()));
    }
  }

  private StageRequest.Direction onWire() {
    return direction == Direction.IN ? StageRequest.Direction.IN : StageRequest.Direction.OUT;
  }

  /** A target that exists is replaced, as users of DataWarp expect. */
  private StageRequest request(StageKind kind, String pfs, String inside) {
    boolean in = direction == Direction.IN;
    // The root of a buffer exists: a directory goes into it, not below it.
    boolean whole = kind == StageKind.DIRECTORY && in && inside.equals("/");
    StageRequest request =
        in ? StageRequest.in(pfs, whole ? "/." : inside) : StageRequest.out(inside, pfs);
    return request.withReplace(true);
  }

  private Work work(
      BufferPath.Root root, String persistent, String id, StageRequest request, List<String> lines)
      throws JobFailed {
    boolean isPrivate = root == BufferPath.Root.JOB_PRIVATE;
    if (isPrivate && direction == Direction.OUT) {
      throw new JobFailed(
          "files in $DW_JOB_PRIVATE are different on each node, so a list cannot stage them out;"
              + " remove its lines with $DW_JOB_PRIVATE");
    }
    String instance = instanceOf(root, persistent);
    return new Work(instance, isPrivate, id, due(request, instance), lines);
  }

  /**
   * A stage out of the job's own instance is due at its end: if it fails, the end of the job tries
   * it again, and the results are not lost. A persistent instance outlives the job and its results.
   */
  private StageRequest due(StageRequest request, String instance) {
    return request.withDeferred(direction == Direction.OUT && instance.equals(job.instance()));
  }

  /** The directives themselves were checked when the job was submitted, their lists were not. */
  private String instanceOf(BufferPath.Root root, String persistent) throws JobFailed {
    boolean has =
        switch (root) {
          case PERSISTENT_STRIPED -> job.uses().contains(persistent);
          case JOB_STRIPED -> own != null && own.hasSharedTree() && !own.drain().over();
          case JOB_PRIVATE -> own != null && own.hasPrivateTrees();
          // A cache reads and writes its directory itself.
          case JOB_STRIPED_CACHE, JOB_LDBAL_CACHE -> false;
        };
    if (has) return root == BufferPath.Root.PERSISTENT_STRIPED ? persistent : job.instance();
    throw new JobFailed(
        "job %s has no buffer $%s%s to stage; ask for it in the script, or remove it from the list"
            .formatted(job.token(), root.variable(), persistent));
  }
}
