// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.slurm;

import io.forebay.job.datawarp.PathVariables;
import io.forebay.job.datawarp.Registry;
import io.forebay.job.directive.BufferPath.Root;
import io.forebay.job.directive.Directives.PersistentUse;
import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.service.Command;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Jobs and persistent buffers in memory, without any room behind them; notes what is done. */
final class MemoryJobs implements JobService {
  private static final long GRANULE_BYTES = 1 << 20;
  private static final long GRANULES = 1 << 20;

  private final Map<String, NewJob> begun = new TreeMap<>();
  private final Map<String, Persistent> persistent = new TreeMap<>();
  private final List<String> done = new ArrayList<>();
  private final long created = Instant.now().getEpochSecond();

  /** What has been done since the last call. */
  synchronized List<String> take() {
    List<String> taken = List.copyOf(done);
    done.clear();
    return taken;
  }

  /** Whether a job has begun and not ended. */
  synchronized boolean has(String token) {
    return begun.containsKey(token);
  }

  synchronized boolean isEmpty() {
    return begun.isEmpty() && persistent.isEmpty();
  }

  @Override
  public synchronized Registry registry() {
    List<Registry.Session> sessions = new ArrayList<>();
    begun.forEach((token, job) -> sessions.add(session(sessions.size(), token, job.user())));
    persistent.forEach((name, one) -> sessions.add(session(sessions.size(), name, one.user())));
    return new Registry(
        List.of(new Registry.Pool("ssd", GRANULE_BYTES, GRANULES, GRANULES, 0)),
        sessions,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  private Registry.Session session(int id, String token, long owner) {
    return new Registry.Session(
        id + 1, Registry.State.READY, token, owner, "SLURM", created, 0, List.of());
  }

  @Override
  public synchronized void begin(NewJob job) {
    begun.put(job.token(), job);
    done.add("begin");
  }

  @Override
  public synchronized boolean startStages(String token, Direction direction, List<Stage> stages)
      throws JobFailed {
    done.add("stage " + direction);
    if (stages.getFirst().pfs().equals("/pfs/missing")) {
      throw new JobFailed("'/pfs/missing' does not exist; create it");
    }
    return begun.containsKey(token);
  }

  @Override
  public StageProgress awaitStages(String token, Direction direction, Duration atMost) {
    return new StageProgress.Complete();
  }

  @Override
  public StageProgress lookAtStages(String token, Direction direction) {
    return new StageProgress.Complete();
  }

  @Override
  public synchronized OptionalLong capacityBytes(String token) {
    NewJob job = begun.get(token);
    return job == null || job.directives().jobBuffer() == null
        ? OptionalLong.empty()
        : OptionalLong.of(job.directives().jobBuffer().capacityBytes());
  }

  @Override
  public synchronized List<PathVariables.Mount> mounts(String token) {
    List<PathVariables.Mount> mounts = new ArrayList<>();
    NewJob job = begun.get(token);
    if (job.directives().jobBuffer() != null) {
      mounts.add(new PathVariables.Mount(Root.JOB_STRIPED, "", "/mnt/" + token));
    }
    for (PersistentUse use : job.directives().uses()) {
      mounts.add(
          new PathVariables.Mount(Root.PERSISTENT_STRIPED, use.name(), "/mnt/" + use.name()));
    }
    return mounts;
  }

  @Override
  public synchronized void attach(String token, List<String> nodes) {
    done.add("attach " + nodes);
  }

  @Override
  public synchronized StageProgress stageNodes(
      String token, List<Stage> stages, List<String> nodes, Command.Presence caller) {
    done.add("stage on " + nodes);
    return new StageProgress.Complete();
  }

  @Override
  public synchronized void detach(String token) {
    done.add("detach");
  }

  @Override
  public synchronized boolean end(String token, boolean hurry) {
    done.add("end");
    return begun.remove(token) != null;
  }

  @Override
  public synchronized void createPersistent(Persistent one) {
    persistent.put(one.name(), one);
    done.add("create " + one.name());
  }

  @Override
  public synchronized boolean destroyPersistent(String name, OptionalLong owner, boolean hurry) {
    done.add("destroy " + name);
    return persistent.remove(name) != null;
  }
}
