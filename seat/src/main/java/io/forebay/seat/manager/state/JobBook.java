// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.Bytes;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Jobs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that the manager knows, by their tokens. A part of {@link ManagerState}: changed by
 * committed commands only. A job with an instance is forgotten when the instance is gone.
 */
public final class JobBook {
  /** Changes instances, in the same step as the job. */
  interface Instances {
    Result.@Nullable Refused check(Command.CreateInstance create);

    Result.Made make(Command.CreateInstance create);

    void end(int instance);

    void discard(int instance);
  }

  /** More jobs than any node runs at once: an answer to its agent is one message. */
  static final int NODE_JOBS_MAX = 500;

  private static final int PAGE_MAX = 500;

  /** All texts of a page: it is one message. */
  private static final long PAGE_CHARS_MAX = 512 * 1024;

  private final Supplier<RingMap> map;
  private final Instances instances;
  private final TreeMap<String, Jobs.Job> jobs = new TreeMap<>();
  private final JobReach reach = new JobReach();

  /** The tokens of the jobs of each node; null after a change, until it is asked for again. */
  private @Nullable Map<String, List<String>> tokensByNode;

  JobBook(Supplier<RingMap> map, Instances instances) {
    this.map = map;
    this.instances = instances;
  }

  void restore(List<Jobs.Job> known, List<JobReach.Entry> reached) {
    tokensByNode = null;
    jobs.clear();
    for (Jobs.Job job : known) jobs.put(job.token(), job);
    reach.restore(reached);
  }

  List<JobReach.Entry> reached() {
    return reach.all();
  }

  /** All jobs, in the order of their tokens. */
  public List<Jobs.Job> all() {
    return new ArrayList<>(jobs.values());
  }

  /** The job of that token, or null. */
  public Jobs.@Nullable Job job(String token) {
    return jobs.get(token);
  }

  /** The hash of the secret by which programs reach a job's instance; empty for none. */
  public Bytes credential(String token) {
    return reach.credential(token);
  }

  /** Whether the agent of a node reaches the instance of a job. */
  public boolean isReachedFrom(Instance instance, String agent) {
    Jobs.Job job = jobOf(instance);
    return job != null && reach.isOpenTo(job, agent);
  }

  /** Whether a secret is that of the job of an instance. */
  public boolean isReachedBy(Instance instance, Bytes secret) {
    Jobs.Job job = jobOf(instance);
    return job != null && reach.isSecret(job.token(), secret);
  }

  private Jobs.@Nullable Job jobOf(Instance instance) {
    boolean own = instance.name().startsWith(JobRules.INSTANCE_PREFIX);
    String token = own ? instance.name().substring(JobRules.INSTANCE_PREFIX.length()) : "";
    Jobs.Job job = jobs.get(token);
    return job != null && job.instance() == instance.id() ? job : null;
  }

  /** Whether there is no room for another job, whoever begins it. */
  public boolean lacksRoomFor(Jobs.Job next) {
    return JobRules.checkRoom(jobs.values(), next) != null;
  }

  /** Whether a user has as many jobs as it may begin. */
  public boolean isShareUsedUp(int caller) {
    return JobRules.isShareUsedUp(jobs.values(), caller);
  }

  /** All capabilities for an instance are revoked. */
  void revoked(Instance instance) {
    Jobs.Job job = jobOf(instance);
    if (job != null) reach.revoked(job.token());
  }

  /**
   * Why an instance cannot end, or null: a job that has begun finds what it uses. A job that begins
   * later is refused, since the instance is ending.
   */
  Result.@Nullable Refused checkUnused(@Nullable Instance instance) {
    if (instance == null || instance.drain().ending()) return null;
    for (Jobs.Job job : jobs.values()) {
      if (!job.uses().contains(instance.name())) continue;
      return new Result.Refused(
          ErrorCode.NOT_PERMITTED,
          "instance '%s' is used by job %s; destroy it when that has ended, or as root with --discard"
              .formatted(instance.name(), job.token()));
    }
    return null;
  }

  /** The jobs that run on a node, as its agent needs them; at most {@link #NODE_JOBS_MAX}. */
  public List<Jobs.Job> on(String node) {
    if (tokensByNode == null) tokensByNode = byNode();
    List<Jobs.Job> here = new ArrayList<>();
    for (String token : tokensByNode.getOrDefault(node, List.of())) {
      Jobs.Job job = jobs.get(token);
      if (job != null && here.size() < NODE_JOBS_MAX) here.add(job.on(node));
    }
    return here;
  }

  private Map<String, List<String>> byNode() {
    Map<String, List<String>> tokens = new HashMap<>();
    for (Jobs.Job job : jobs.values()) {
      for (String node : job.nodes()) {
        tokens.computeIfAbsent(node, none -> new ArrayList<>()).add(job.token());
      }
    }
    return tokens;
  }

  /** The answer about a token that no job has. */
  public Result.Refused unknown(String token) {
    return JobRules.unknown(token);
  }

  /** The visible jobs in the order of their tokens, after the given one. */
  public Jobs.JobsAre after(String token, int max, Predicate<Jobs.Job> visible) {
    List<Jobs.Job> page = new ArrayList<>();
    long chars = 0;
    for (Jobs.Job job : jobs.tailMap(token, false).values()) {
      if (!visible.test(job)) continue;
      chars += JobRules.chars(job);
      boolean full = page.size() >= Math.min(max, PAGE_MAX) || chars > PAGE_CHARS_MAX;
      if (full && !page.isEmpty()) return new Jobs.JobsAre(page, true);
      page.add(job);
    }
    return new Jobs.JobsAre(page, false);
  }

  /** Why a change cannot be made, or null. */
  public Result.@Nullable Refused check(Command.OfJobs change) {
    return switch (change) {
      case Command.BeginJob begin -> check(begin);
      case Command.SetNodes set -> check(set);
      case Command.EndJob end -> checkKnown(end.token(), end.caller(), "end");
    };
  }

  private Result.@Nullable Refused check(Command.BeginJob begin) {
    Result.Refused refused = JobRules.check(begin, map.get());
    Jobs.Job known = jobs.get(begin.job().token());
    if (known != null) {
      // A retry: its instances may have changed since, which does not matter.
      boolean permitted = JobRules.checkUser(known, begin.caller(), "begin") == null;
      return permitted || refused == null ? JobRules.conflict(known, begin.job()) : refused;
    }
    if (refused != null) return refused;
    Result.Refused full = JobRules.checkRoom(jobs.values(), begin.job());
    if (full == null) full = JobRules.checkShare(jobs.values(), begin.caller());
    if (full != null || begin.instance().isEmpty()) return full;
    // A batch system begins jobs as root, for any number of users.
    full = InstanceRules.checkShare(begin.caller(), map.get());
    return full != null ? full : instances.check(begin.instance().getFirst());
  }

  private Result.@Nullable Refused check(Command.SetNodes set) {
    Result.Refused refused = checkKnown(set.token(), set.caller(), "change");
    Jobs.Job job = jobs.get(set.token());
    return refused != null || job == null ? refused : JobRules.checkNodes(job, set.nodes());
  }

  private Result.@Nullable Refused checkKnown(String token, int caller, String what) {
    Jobs.Job job = jobs.get(token);
    return job == null ? JobRules.unknown(token) : JobRules.checkUser(job, caller, what);
  }

  Result apply(Command.OfJobs change) {
    Result.Refused refused = check(change);
    if (refused != null) return refused;
    tokensByNode = null;
    return switch (change) {
      case Command.BeginJob begin -> begin(begin);
      case Command.SetNodes set -> setNodes(set);
      case Command.EndJob end -> end(end);
    };
  }

  private Result begin(Command.BeginJob begin) {
    Jobs.Job job = begin.job();
    reach.begun(job.token(), begin.agent(), begin.credential());
    if (jobs.containsKey(job.token())) return Result.Done.QUIETLY;
    if (begin.instance().isEmpty()) {
      jobs.put(job.token(), job);
      return Result.Done.QUIETLY;
    }
    Result.Made made = instances.make(begin.instance().getFirst());
    jobs.put(job.token(), job.withInstance(made.instance()));
    return new Result.Done(made.warnings());
  }

  private Result setNodes(Command.SetNodes set) {
    jobs.computeIfPresent(
        set.token(),
        (token, job) -> {
          reach.moves(job, set.nodes(), set.agent());
          boolean ends = job.phase() == Jobs.Phase.ENDING;
          Jobs.Phase next = set.nodes().isEmpty() ? Jobs.Phase.RAN : Jobs.Phase.RUNNING;
          boolean idle = set.nodes().isEmpty() && job.nodes().isEmpty();
          return job.inPhase(ends || idle ? job.phase() : next, set.nodes());
        });
    return Result.Done.QUIETLY;
  }

  private Result end(Command.EndJob end) {
    Jobs.Job job = jobs.get(end.token());
    if (job == null) return JobRules.unknown(end.token());
    Instance own = map.get().instance(job.instance());
    if (own == null) {
      jobs.remove(end.token());
      reach.forget(end.token());
    } else if (end.hurry()) {
      instances.discard(own.id());
    } else {
      jobs.put(end.token(), job.inPhase(Jobs.Phase.ENDING, List.of()));
      instances.end(own.id());
    }
    return Result.Done.QUIETLY;
  }

  /** The job of an instance ends with it. */
  void instanceGone(int instance) {
    tokensByNode = null;
    jobs.values()
        .removeIf(
            job -> {
              boolean gone = job.instance() == instance;
              if (gone) reach.forget(job.token());
              return gone;
            });
  }

  /** An instance was ended by itself: its job shows that. */
  void instanceEnds(int instance) {
    tokensByNode = null;
    for (Map.Entry<String, Jobs.Job> each : jobs.entrySet()) {
      if (each.getValue().instance() != instance) continue;
      each.setValue(each.getValue().inPhase(Jobs.Phase.ENDING, List.of()));
    }
  }
}
