// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.library;

import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.StageStatus.State;
import io.forebay.client.stage.StagedPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stage that a path belongs to.
 *
 * @param path the path that was asked for: the entry's own, or one below the entry's directory
 * @param status null if servers have forgotten the stage, which they do first with those that
 *     succeeded
 */
record FoundStage(String path, StagedPath entry, @Nullable StageStatus status) {
  boolean isActive() {
    return status != null && (status.state() == State.PENDING || status.state() == State.RUNNING);
  }

  boolean isDeferred() {
    return status != null && status.state() == State.DEFERRED;
  }

  /** Whether something is not at its destination, and no server does anything about it. */
  boolean isUnsuccessful() {
    return status != null && (status.state() == State.FAILED || status.state() == State.CANCELLED);
  }

  /** Whether the answer is about a directory, and not about one file. */
  boolean isDirectory() {
    return entry.kind() == StagedPath.Kind.DIRECTORY && path.equals(entry.path());
  }

  /** Whether the path was staged alone, and not with others. */
  boolean isAlone() {
    return entry.kind() != StagedPath.Kind.LISTED && path.equals(entry.path());
  }

  /** The path as the problems of the stage name it. */
  String sourcePath() {
    return sourceOf(path);
  }

  private String sourceOf(String inside) {
    if (entry.direction() == StageRequest.Direction.OUT) return inside;
    String below = entry.path().equals("/") ? inside : inside.substring(entry.path().length());
    return entry.outside() + below;
  }

  /** The path in the instance that a problem of the stage is about. */
  String insideOf(StageProblem problem) {
    if (entry.direction() == StageRequest.Direction.OUT) return problem.path();
    if (!problem.path().startsWith(entry.outside())) return path;
    String below = problem.path().substring(entry.outside().length());
    return (entry.path().equals("/") ? "" : entry.path()) + below;
  }

  /**
   * Counts a file as one.
   *
   * @param problems those of the stage; asked for only if it failed
   */
  StageCounts countFile(List<StageProblem> problems) {
    if (isActive()) return StageCounts.PENDING;
    if (isDeferred()) return StageCounts.DEFERRED;
    return isUnsuccessful() && failure(problems) != 0 ? StageCounts.FAILED : StageCounts.COMPLETE;
  }

  /** Counts everything in the stage, at least one. */
  StageCounts countAll() {
    if (status == null) return StageCounts.COMPLETE;
    if (isDeferred()) return StageCounts.DEFERRED;
    long done = status.filesDone();
    long rest = Math.max(status.files(), members()) - done - status.filesFailed();
    if (isActive()) {
      return new StageCounts(done, Math.max(1, rest), 0, status.filesFailed());
    }
    if (isUnsuccessful()) {
      return new StageCounts(done, 0, 0, Math.max(1, status.filesFailed() + rest));
    }
    return new StageCounts(Math.max(1, done), 0, 0, 0);
  }

  private long members() {
    return entry.kind() == StagedPath.Kind.LISTED ? entry.members() : 0;
  }

  /** Why this path is not staged; 0 if it is, though others of the stage are not. */
  int failure(List<StageProblem> problems) {
    if (status == null || !isUnsuccessful()) return 0;
    for (StageProblem problem : problems) {
      if (problem.failed() && isAbout(problem)) return ErrorNumbers.ofSentence(problem.reason());
    }
    if (status.state() == State.CANCELLED) return ErrorNumbers.ECANCELED;
    if (!status.failure().isEmpty()) return ErrorNumbers.ofSentence(status.failure());
    return isAlone() ? ErrorNumbers.EIO : 0;
  }

  private boolean isAbout(StageProblem problem) {
    return isAlone() || problem.path().equals(sourcePath());
  }
}
