// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.client.Cluster;
import io.forebay.client.InstanceOptions;
import io.forebay.client.JobRequest;
import io.forebay.client.failure.Failures;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobMount;
import io.forebay.client.link.ClusterLink;
import io.forebay.job.datawarp.PathVariables;
import io.forebay.job.datawarp.Registry;
import io.forebay.job.directive.BufferPath.Root;
import io.forebay.job.directive.Directives.BufferType;
import io.forebay.job.directive.Directives.JobBuffer;
import io.forebay.job.directive.Directives.PersistentUse;
import io.forebay.job.directive.Directives.Stage;
import io.forebay.job.service.Command.Presence;
import io.forebay.job.service.JobFailed;
import io.forebay.job.service.JobService;
import io.forebay.ring.Instance;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of a batch system in a cluster. A job's life: {@link #begin} makes it and its instance in
 * one step of the manager; stages are recorded in instances and run by servers; {@link #attach} and
 * {@link #detach} name its nodes, whose agents mount and unmount; {@link #stageNodes} fills the
 * private trees of the nodes; {@link #end} ends it and its instance, also by servers. So a call
 * that is cut off can be repeated, by any agent.
 */
public final class ClusterJobs implements JobService, AutoCloseable {
  /** How long the end of a job or an instance is waited for; servers go on with it. */
  static final Duration END_MAX = Duration.ofSeconds(20);

  /** As long as the programs of a batch system wait for an answer. */
  private static final Duration STAGE_NODES_MAX = Duration.ofDays(1);

  /**
   * Settings of jobs.
   *
   * @param directory where nodes mount the instances of a job; {@code %t} stands for its token and
   *     {@code %u} for its user's number
   * @param copies how many servers keep each byte of their instances
   */
  public record Settings(String directory, int copies) {
    public static final String TOKEN = "%t";
    public static final String USER = "%u";

    public Settings {
      if (!directory.startsWith("/") || !directory.contains(TOKEN)) {
        throw new IllegalArgumentException(
            "'%s' is no directory for mounts: write a whole path with %%t for the job's token"
                .formatted(directory));
      }
    }

    String directoryOf(String token, long user) {
      return directory.replace(TOKEN, token).replace(USER, Long.toString(user));
    }
  }

  private final ClusterLink link;
  private final Settings settings;
  private final BufferOptions buffers;
  private final Boards boards;
  private final JobStaging staging;
  private final CacheDrain caches;
  private final JobNodes nodes;
  private final PersistentBuffers persistents;
  private final CachedView view;
  private final StageLooks looks;

  /** Jobs of a cluster; the link's user is root, who acts for the jobs' users. */
  public ClusterJobs(ClusterLink link, Settings settings) {
    this.link = link;
    this.settings = settings;
    this.buffers = new BufferOptions(settings.copies());
    this.boards = new Boards(link);
    this.staging = new JobStaging(boards);
    this.caches = new CacheDrain(boards);
    this.nodes = new JobNodes(link);
    this.persistents = new PersistentBuffers(link, buffers);
    this.view = new CachedView(this::readView, CachedView.ANSWER_MAX);
    this.looks = new StageLooks(StageLooks.ANSWER_MAX);
  }

  private ClusterView readView() throws IOException {
    Cluster cluster = link.get();
    List<Job> all = cluster.jobs();
    return ClusterView.of(cluster.map(), all);
  }

  /** Waits until the cluster is known, or the time is over. */
  public void awaitCluster(Duration atMost) {
    view.awaitFirst(atMost);
  }

  @Override
  public Registry registry() throws JobFailed {
    return ClusterRegistry.of(view.get(), settings.copies());
  }

  @Override
  public void begin(NewJob job) throws JobFailed {
    try {
      Cluster cluster = link.get();
      Identity owner = new Identity((int) job.user(), List.of((int) job.group()));
      JobRequest request =
          JobRequest.of(job.token(), owner)
              .withCreator(job.creator())
              .withUses(job.directives().uses().stream().map(PersistentUse::name).toList())
              .withDirectory(settings.directoryOf(job.token(), job.user()));
      JobBuffer buffer = job.directives().jobBuffer();
      if (buffer != null) {
        checkStore(buffer, owner, cluster);
        InstanceOptions own = buffers.of(buffer, job.pool(), cluster.map());
        request = request.withInstance(own);
      }
      cluster.beginJob(request);
      view.await(now -> now.job(job.token()) != null);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** The directory of a cache must take what the job writes: later it would be too late. */
  private static void checkStore(JobBuffer buffer, Identity owner, Cluster cluster)
      throws IOException, JobFailed {
    String directory = buffer.pfs();
    if (buffer.type() != BufferType.CACHE || directory == null) return;
    String problem = cluster.problemWithStore(directory, owner);
    if (!problem.isEmpty()) throw new JobFailed(problem);
  }

  @Override
  public boolean startStages(String token, Direction direction, List<Stage> stages)
      throws JobFailed {
    try {
      Job job = find(token);
      if (job == null) return false;
      staging.start(job, direction, stages);
      return true;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public StageProgress awaitStages(String token, Direction direction, Duration atMost)
      throws JobFailed {
    try {
      Pause pause = new Pause(atMost);
      while (true) {
        Job job = find(token);
        if (job == null) return new StageProgress.Complete();
        StageProgress progress = progress(job, direction);
        if (!(progress instanceof StageProgress.Running) || !pause.next()) return progress;
      }
    } catch (IOException e) {
      if (isTransient(e)) return new StageProgress.Running();
      throw failed(e);
    }
  }

  @Override
  public StageProgress lookAtStages(String token, Direction direction) throws JobFailed {
    return looks.look(token, direction, () -> awaitStages(token, direction, Duration.ZERO));
  }

  private StageProgress progress(Job job, Direction direction) throws IOException {
    StageProgress stages = staging.progress(job, direction);
    if (direction == Direction.IN || !(stages instanceof StageProgress.Complete)) return stages;
    return caches.progress(job, link.get().map().instance(job.instance()));
  }

  @Override
  public StageProgress stageNodes(
      String token, List<Stage> stages, List<String> names, Presence caller) throws JobFailed {
    NodeStages nodeStages;
    try {
      nodeStages = staging.ofNodes(known(token), stages, names);
    } catch (IOException e) {
      throw failed(e);
    }
    Pause pause = new Pause(STAGE_NODES_MAX);
    boolean goesOn = true;
    while (goesOn) {
      try {
        StageProgress progress = nodeStages.step();
        if (!(progress instanceof StageProgress.Running)) return progress;
      } catch (IOException e) {
        if (!isTransient(e)) throw failed(e);
      }
      goesOn = caller.isWaiting() && next(pause);
    }
    return new StageProgress.Running();
  }

  private static boolean next(Pause pause) throws JobFailed {
    try {
      return pause.next();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Whether a server or the manager may answer later; stages go on meanwhile. */
  private static boolean isTransient(IOException e) {
    return switch (Failures.codeOf(e)) {
      case UNAVAILABLE, BUSY, FAILED -> true;
      default -> false;
    };
  }

  @Override
  public OptionalLong capacityBytes(String token) throws JobFailed {
    ClusterView now = viewOf(token);
    Job job = now.job(token);
    if (job == null || job.instance().isEmpty()) return OptionalLong.empty();
    Instance own = now.map().instance(job.instance());
    if (own == null) return OptionalLong.empty();
    long granules = own.granulesWanted() * own.allocation().granuleBytes();
    return OptionalLong.of(Math.max(granules, own.capacityBytes()));
  }

  /** A view that has the job: it may have been begun by another agent, and the view be old. */
  private ClusterView viewOf(String token) throws JobFailed {
    ClusterView now = view.get();
    if (now.job(token) != null) return now;
    try {
      Job job = find(token);
      return job == null ? now : ClusterView.of(link.get().map(), List.of(job));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public List<PathVariables.Mount> mounts(String token) throws JobFailed {
    ClusterView now = viewOf(token);
    Job job = now.job(token);
    if (job == null) throw noBuffer(token);
    return JobMount.of(job, now.map()).stream().map(ClusterJobs::variable).toList();
  }

  private static PathVariables.Mount variable(JobMount mount) {
    return switch (mount.kind()) {
      case STRIPED -> new PathVariables.Mount(Root.JOB_STRIPED, "", mount.directory());
      case PRIVATE -> new PathVariables.Mount(Root.JOB_PRIVATE, "", mount.directory());
      case STRIPED_CACHE -> new PathVariables.Mount(Root.JOB_STRIPED_CACHE, "", mount.directory());
      case PERSISTENT ->
          new PathVariables.Mount(Root.PERSISTENT_STRIPED, mount.instance(), mount.directory());
    };
  }

  @Override
  public void attach(String token, List<String> names) throws JobFailed {
    try {
      nodes.attach(known(token), names);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void detach(String token) throws JobFailed {
    try {
      Job job = find(token);
      if (job != null) nodes.detach(job);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public boolean end(String token, boolean hurry) throws JobFailed {
    try {
      Job job = find(token);
      if (job == null) return false;
      // The agents of its nodes unmount first: a mount of an instance that is gone only fails.
      nodes.detach(job);
      link.get().endJob(token, hurry);
      Pause pause = new Pause(END_MAX);
      while (find(token) != null && pause.next()) {}
      if (find(token) == null) view.await(now -> isGone(job, now));
      return true;
    } catch (IOException e) {
      if (Failures.codeOf(e) == ErrorCode.NOT_FOUND) return false;
      throw failed(e);
    }
  }

  private static boolean isGone(Job job, ClusterView now) {
    return now.job(job.token()) == null && now.map().instance(job.instance()) == null;
  }

  @Override
  public void createPersistent(Persistent persistent) throws JobFailed {
    try {
      persistents.create(persistent);
    } catch (IOException e) {
      throw failed(e);
    }
    view.await(now -> now.map().instance(persistent.name()) != null);
  }

  @Override
  public boolean destroyPersistent(String name, OptionalLong owner, boolean hurry)
      throws JobFailed {
    try {
      return persistents.destroy(name, owner, hurry);
    } catch (IOException e) {
      if (Failures.codeOf(e) == ErrorCode.NOT_FOUND) return false;
      throw failed(e);
    }
  }

  private @Nullable Job find(String token) throws IOException {
    try {
      return link.get().job(token);
    } catch (IOException e) {
      if (Failures.codeOf(e) == ErrorCode.NOT_FOUND) return null;
      throw e;
    }
  }

  private Job known(String token) throws IOException, JobFailed {
    Job job = find(token);
    if (job != null) return job;
    throw noBuffer(token);
  }

  private static JobFailed noBuffer(String token) {
    return new JobFailed("job %s has no buffer; submit the job again".formatted(token));
  }

  private static JobFailed failed(IOException e) {
    String sentence = String.valueOf(e.getMessage());
    return switch (Failures.codeOf(e)) {
      // Slurm learns what is free every half a minute, and asks for more than there is meanwhile.
      case UNAVAILABLE, BUSY, NO_SPACE -> JobFailed.passing(sentence, e);
      default -> new JobFailed(sentence, e);
    };
  }

  @Override
  public void close() {
    view.close();
    looks.close();
    boards.close();
  }
}
