// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.base.SeatId;
import io.forebay.client.job.Job;
import io.forebay.client.job.JobMount;
import io.forebay.job.datawarp.Registry;
import io.forebay.job.datawarp.Registry.State;
import io.forebay.ring.Allocation;
import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.Tenancy;
import io.forebay.ring.pool.PoolRoom;
import io.forebay.ring.protection.ProtectionPolicy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as DataWarp's commands show it. Ids are whole numbers, as Slurm needs them: a session
 * and its instance have the instance's number. Pools are shown as an instance sees them: a pool
 * whose instances keep two copies has half of its room. Slurm subtracts what it gives to jobs, and
 * would promise too much if copies counted. Pure.
 */
final class ClusterRegistry {
  /** Ids of sessions without an instance begin here; instances are numbered from 1. */
  private static final long BARE_SESSION_BASE = 1L << 30;

  private static final long BARE_SESSION_MASK = BARE_SESSION_BASE - 1;
  private static final String PERSISTENT_CREATOR = "forebay";

  private final RingMap map;
  private final int copies;
  private final List<Registry.Session> sessions = new ArrayList<>();
  private final List<Registry.Instance> instances = new ArrayList<>();
  private final List<Registry.Configuration> configurations = new ArrayList<>();
  private final List<Registry.Activation> activations = new ArrayList<>();
  private final List<Registry.Fragment> fragments = new ArrayList<>();

  private ClusterRegistry(RingMap map, int copies) {
    this.map = map;
    this.copies = copies;
  }

  /**
   * Everything that there is.
   *
   * @param copies that the instances of jobs keep
   */
  static Registry of(ClusterView view, int copies) {
    List<Job> jobs = new ArrayList<>(view.jobsByToken().values());
    jobs.sort(Comparator.comparing(Job::token));
    return new ClusterRegistry(view.map(), copies).registry(jobs);
  }

  private Registry registry(List<Job> jobs) {
    Map<String, Job> byInstance = new TreeMap<>();
    for (Job job : jobs) {
      if (job.instance().isEmpty()) bare(job);
      else byInstance.put(job.instance(), job);
    }
    for (Instance instance : map.instances()) {
      add(instance, byInstance.get(instance.name()));
    }
    for (Job job : jobs) activate(job);
    return new Registry(
        map.pools().stream().map(this::pool).toList(),
        sessions,
        instances,
        counted(configurations, activations),
        activations,
        fragments,
        nodes());
  }

  private Registry.Pool pool(Pool pool) {
    PoolRoom room = PoolRoom.of(pool, map.seats(), map.instances());
    // Copies are on different servers: with fewer of them no job can have any room.
    boolean fits = room.servers() >= copies;
    return new Registry.Pool(
        pool.name(),
        pool.granuleBytes(),
        fits ? room.quantity() / copies : 0,
        fits ? room.free() / copies : 0,
        pool.userBytesMax());
  }

  /** A job that only uses persistent instances. */
  private void bare(Job job) {
    sessions.add(session(sessionOf(job), job, State.READY));
  }

  private static Registry.Session session(long id, Job job, State state) {
    return new Registry.Session(
        id,
        state,
        job.token(),
        Integer.toUnsignedLong(job.user()),
        job.creator(),
        job.created().getEpochSecond(),
        0,
        job.nodes());
  }

  private long sessionOf(Job job) {
    Instance own = job.instance().isEmpty() ? null : map.instance(job.instance());
    if (own != null) return own.id();
    CRC32 digest = new CRC32();
    digest.update(job.token().getBytes(StandardCharsets.UTF_8));
    return BARE_SESSION_BASE + (digest.getValue() & BARE_SESSION_MASK);
  }

  private void add(Instance instance, @Nullable Job job) {
    boolean ending = instance.drain().ending();
    State state = new State(ending, true, false, ending);
    long created = job == null ? 0 : job.created().getEpochSecond();
    long expires = instance.tenancy().expiresSeconds();
    if (job != null) {
      sessions.add(session(instance.id(), job, state));
    } else {
      sessions.add(
          new Registry.Session(
              instance.id(),
              state,
              instance.name(),
              Integer.toUnsignedLong(instance.owner()),
              PERSISTENT_CREATOR,
              0,
              expires,
              List.of()));
    }
    List<Long> ids = new ArrayList<>();
    for (JobMount.Kind kind : JobMount.kinds(instance)) {
      ids.add(configurationId(instance, kind));
      configurations.add(
          new Registry.Configuration(
              configurationId(instance, kind),
              state,
              instance.id(),
              instance.drain().over() ? "cache" : "scratch",
              kind == JobMount.Kind.PRIVATE ? "private" : "stripe",
              0));
    }
    instances.add(
        new Registry.Instance(
            instance.id(),
            state,
            instance.id(),
            instance.capacityBytes(),
            instance.seats().size(),
            created,
            expires,
            instance.granulesShort() == 0,
            instance.name(),
            instance.tenancy().permit() == Tenancy.Permit.EVERYONE,
            limits(instance),
            ids));
    for (Allocation.Share share : instance.allocation().shares()) {
      long bytes = share.granules() * instance.allocation().granuleBytes();
      fragments.add(
          new Registry.Fragment(
              fragments.size() + 1L, state, instance.id(), bytes, serverOf(share.seat())));
    }
  }

  private static long configurationId(Instance instance, JobMount.Kind kind) {
    return 2L * instance.id() + (kind == JobMount.Kind.PRIVATE ? 1 : 0);
  }

  private static Registry.Limits limits(Instance instance) {
    ProtectionPolicy policy = ProtectionPolicy.of(instance.protection());
    return new Registry.Limits(
        TimeUnit.MILLISECONDS.toSeconds(policy.window().millis()),
        policy.window().times(),
        policy.fileBytesMax(),
        policy.filesMax());
  }

  private String serverOf(SeatId id) {
    SeatEntry seat = map.seat(id);
    return seat == null ? id.toString() : seat.server();
  }

  private void activate(Job job) {
    if (job.nodes().isEmpty()) return;
    for (JobMount mount : JobMount.of(job, map)) {
      Instance instance = map.instance(mount.instance());
      if (instance == null) continue;
      activations.add(
          new Registry.Activation(
              activations.size() + 1L,
              State.READY,
              sessionOf(job),
              configurationId(instance, mount.kind()),
              job.nodes().size(),
              mount.directory()));
    }
  }

  private static List<Registry.Configuration> counted(
      List<Registry.Configuration> configurations, List<Registry.Activation> activations) {
    Map<Long, Integer> counts = new HashMap<>();
    for (Registry.Activation each : activations) {
      counts.merge(each.configuration(), 1, Integer::sum);
    }
    return configurations.stream()
        .map(
            each ->
                new Registry.Configuration(
                    each.id(),
                    each.state(),
                    each.instance(),
                    each.type(),
                    each.access(),
                    counts.getOrDefault(each.id(), 0)))
        .toList();
  }

  private List<Registry.Node> nodes() {
    Map<String, List<SeatEntry>> servers = new TreeMap<>();
    for (SeatEntry seat : map.seats()) {
      if (seat.stay() == SeatEntry.Stay.LEFT) continue;
      servers.computeIfAbsent(seat.server(), none -> new ArrayList<>()).add(seat);
    }
    List<Registry.Node> nodes = new ArrayList<>();
    servers.forEach((name, seats) -> nodes.add(node(name, seats)));
    return nodes;
  }

  private Registry.Node node(String name, List<SeatEntry> seats) {
    SeatEntry first = seats.getFirst();
    long granuleBytes = 0;
    for (Pool pool : map.pools()) {
      if (pool.name().equals(first.pool())) granuleBytes = pool.granuleBytes();
    }
    List<SeatId> ids = seats.stream().map(SeatEntry::id).toList();
    long users =
        map.instances().stream()
            .filter(instance -> instance.seats().stream().anyMatch(ids::contains))
            .count();
    return new Registry.Node(
        name,
        first.pool(),
        seats.stream().noneMatch(SeatEntry::away),
        seats.stream().anyMatch(seat -> seat.stay() != SeatEntry.Stay.HERE),
        granuleBytes,
        seats.stream().mapToLong(SeatEntry::keepsBytes).sum(),
        (int) users,
        0);
  }
}
