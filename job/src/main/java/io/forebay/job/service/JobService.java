// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import io.forebay.job.datawarp.PathVariables;
import io.forebay.job.datawarp.Registry;
import io.forebay.job.directive.AccessMode;
import io.forebay.job.directive.Directives;
import io.forebay.job.directive.Directives.Stage;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster does for jobs. Each call may be repeated, since a batch system that restarts calls
 * again. Lasting work goes on in the cluster: no call must be made again for it to end. A job is
 * known by its token, the batch system's id for it. Any thread may call.
 */
public interface JobService {
  /** Everything that there is. */
  Registry registry() throws JobFailed;

  /** Gives a job its buffer, and the right to use persistent ones. */
  void begin(NewJob job) throws JobFailed;

  /**
   * Starts those stages of a job whose tree all nodes see. Stages that were started before go on,
   * and those that failed are tried again. The other stages in are for {@link #stageNodes}; here
   * servers only look for their sources, so that the job does not start without them.
   *
   * @return whether there is such a job
   */
  boolean startStages(String token, Direction direction, List<Stage> stages) throws JobFailed;

  /**
   * Waits until all stages that {@link #startStages} has started have ended, but no longer than the
   * given time. Those of a job that is not known are complete.
   */
  StageProgress awaitStages(String token, Direction direction, Duration atMost) throws JobFailed;

  /** The same at once: stages that cannot be looked at in a moment count as running. */
  StageProgress lookAtStages(String token, Direction direction) throws JobFailed;

  /** The room that a job's own buffer has; empty if the job is not known or has no buffer. */
  OptionalLong capacityBytes(String token) throws JobFailed;

  /** Where nodes find the buffers of a job. */
  List<PathVariables.Mount> mounts(String token) throws JobFailed;

  /** Has the nodes mount the buffers of a job, and waits for it. */
  void attach(String token, List<String> nodes) throws JobFailed;

  /**
   * Stages into the private tree of each node what directives and lists name there, and waits for
   * it as long as the caller does. Stages that were started before go on, and those that failed are
   * tried again.
   *
   * @param stages all stages in of the job
   * @return that they are still running if the caller is gone; then those that were started go on
   */
  StageProgress stageNodes(
      String token, List<Stage> stages, List<String> nodes, Command.Presence caller)
      throws JobFailed;

  /** Has all nodes unmount the buffers of a job, if there is one, and waits for it. */
  void detach(String token) throws JobFailed;

  /**
   * Ends a job: its room is free again when the cluster has done what was deferred.
   *
   * @param hurry without waiting for what has not been drained
   * @return whether there was such a job
   */
  boolean end(String token, boolean hurry) throws JobFailed;

  /** Creates a persistent buffer; one that was created by the same request is left as it is. */
  void createPersistent(Persistent persistent) throws JobFailed;

  /**
   * Destroys a persistent buffer. One that a job uses is refused: Slurm may ask for it while that
   * job is still queued.
   *
   * @param owner the user who asks; empty if the batch system has checked its rights
   * @return whether there was such a buffer
   */
  boolean destroyPersistent(String name, OptionalLong owner, boolean hurry) throws JobFailed;

  /** Which way a stage copies. */
  enum Direction {
    IN,
    OUT
  }

  /**
   * A job that begins.
   *
   * @param creator the batch system
   * @param pool for a buffer whose directive names none; null for the cluster's default
   * @param nodes where the job may run; empty if that is not known yet
   */
  record NewJob(
      String token,
      String creator,
      long user,
      long group,
      Directives directives,
      @Nullable String pool,
      List<String> nodes) {
    public NewJob {
      nodes = List.copyOf(nodes);
    }
  }

  /** A persistent buffer that is asked for; pool is null for the cluster's default. */
  record Persistent(
      String name, long user, long capacityBytes, List<AccessMode> access, @Nullable String pool) {
    public Persistent {
      access = List.copyOf(access);
    }
  }

  /** How far stages are. */
  sealed interface StageProgress {
    /** All have ended well. */
    record Complete() implements StageProgress {}

    /** Some go on. */
    record Running() implements StageProgress {}

    /** All have ended, some badly; the sentence says which and why. */
    record Failed(String sentence) implements StageProgress {}
  }
}
