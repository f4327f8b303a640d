// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.service;

import io.forebay.job.datawarp.PathVariables;
import io.forebay.job.datawarp.Registry;
import io.forebay.job.directive.BufferPath.Root;
import io.forebay.job.directive.Directives.Stage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;

/** A service of one job, 12, which records what it is asked to do. */
final class RecordedJobs implements JobService {
  static final String TOKEN = "12";

  final List<String> asked = new ArrayList<>();
  final Queue<StageProgress> progress = new ArrayDeque<>();
  boolean begun;

  /** What happens while a job begins. */
  Runnable duringBegin = () -> {};

  /** How many requests find no manager. */
  int absences;

  @Override
  public Registry registry() {
    return new Registry(
        List.of(new Registry.Pool("ssd", 1 << 30, 100, 100, 0)),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  @Override
  public void begin(NewJob job) throws JobFailed {
    requirePresence();
    duringBegin.run();
    begun = true;
    asked.add(
        "begin %s %s %d:%d pool=%s nodes=%s"
            .formatted(
                job.token(), job.creator(), job.user(), job.group(), job.pool(), job.nodes()));
  }

  private void requirePresence() throws JobFailed {
    if (absences == 0) return;
    absences--;
    throw JobFailed.passing("the manager is away; start it", new IOException("refused"));
  }

  @Override
  public boolean startStages(String token, Direction direction, List<Stage> stages)
      throws JobFailed {
    requirePresence();
    asked.add("stage " + direction + " " + stages.size());
    return isKnown(token);
  }

  private boolean isKnown(String token) {
    return begun && token.equals(TOKEN);
  }

  @Override
  public StageProgress awaitStages(String token, Direction direction, Duration atMost) {
    StageProgress next = progress.poll();
    return next == null ? new StageProgress.Complete() : next;
  }

  @Override
  public StageProgress lookAtStages(String token, Direction direction) {
    return awaitStages(token, direction, Duration.ZERO);
  }

  @Override
  public OptionalLong capacityBytes(String token) {
    return isKnown(token) ? OptionalLong.of(7) : OptionalLong.empty();
  }

  @Override
  public List<PathVariables.Mount> mounts(String token) {
    return List.of(new PathVariables.Mount(Root.JOB_STRIPED, "", "/mnt/" + token));
  }

  @Override
  public void attach(String token, List<String> nodes) throws JobFailed {
    if (!isKnown(token)) throw new JobFailed("there is no job " + token + "; submit it again");
    asked.add("attach " + nodes);
  }

  @Override
  public StageProgress stageNodes(
      String token, List<Stage> stages, List<String> nodes, Command.Presence caller) {
    asked.add("stage " + stages.size() + " on " + nodes);
    StageProgress next = progress.poll();
    return next == null ? new StageProgress.Complete() : next;
  }

  @Override
  public void detach(String token) {
    asked.add("detach");
  }

  @Override
  public boolean end(String token, boolean hurry) {
    boolean known = isKnown(token);
    begun = false;
    asked.add("end hurry=" + hurry);
    return known;
  }

  @Override
  public void createPersistent(Persistent persistent) {
    asked.add(
        "create %s user=%d bytes=%d pool=%s"
            .formatted(
                persistent.name(),
                persistent.user(),
                persistent.capacityBytes(),
                persistent.pool()));
  }

  @Override
  public boolean destroyPersistent(String name, OptionalLong owner, boolean hurry) {
    asked.add("destroy %s owner=%s hurry=%s".formatted(name, owner, hurry));
    return name.equals("atlas");
  }
}
