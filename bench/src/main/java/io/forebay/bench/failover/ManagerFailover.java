// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.failover;

import io.forebay.base.MonotonicClock;
import io.forebay.base.SeatId;
import io.forebay.bench.Benchmark;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.client.Cluster;
import io.forebay.client.InstanceOptions;
import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingPlace;
import io.forebay.server.ring.RingShape;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Kills the manager that leads, of three, while clients write: how long it takes until the next
 * decision is made, and what the clients notice meanwhile.
 */
final class ManagerFailover {
  private static final int MANAGERS = 3;
  private static final double DECISION_SECONDS_AIM = 5;
  private static final double FOUND_SECONDS_AIM = 1;
  private static final long FOUND_MILLIS_MAX = 60_000;
  private static final long LOOK_MILLIS = 10;
  private static final double P99 = 0.99;
  private static final String SECONDS = "s";

  /** One kill of a leader. */
  private record Kill(
      double decisionSeconds,
      Found found,
      List<Double> calmSeconds,
      List<Double> waitSeconds,
      double before,
      double during) {
    double longestCalm() {
      return longest(calmSeconds);
    }

    double longestWait() {
      return longest(waitSeconds);
    }

    private static double longest(List<Double> seconds) {
      return seconds.stream().max(Comparator.naturalOrder()).orElse(0.0);
    }
  }

  /**
   * How long after a manager said that it leads it had answered a client that waited for that, and
   * had heard of all servers.
   */
  private record Found(double clientSeconds, double serversSeconds) {}

  private final MonotonicClock clock;
  private final FailoverBenchmark.Scale scale;

  ManagerFailover(MonotonicClock clock, FailoverBenchmark.Scale scale) {
    this.clock = clock;
    this.scale = scale;
  }

  List<Result> run(RingShape shape, RingPlace place, Benchmark.Progress progress)
      throws IOException, InterruptedException, StartFailed {
    LocalRing ring =
        place.hold(new LocalRing(shape.withManagers(MANAGERS), place.directory(), place.memory()));
    progress.measuring("starting " + MANAGERS + " managers");
    ring.start();
    List<Kill> kills = new ArrayList<>();
    try (SteadyLoad load =
        new SteadyLoad(
            clock, ring.uri(), FailoverBenchmark.FILE_WRITERS, FailoverBenchmark.PAIR_WRITERS)) {
      Thread.sleep(scale.calmMillis());
      for (int i = 1; i <= scale.managerKills(); i++) {
        progress.measuring("kill " + i + " of " + scale.managerKills() + " of a leader");
        kills.add(kill(ring, load, i));
      }
    }
    return results(kills);
  }

  private Kill kill(LocalRing ring, SteadyLoad load, int number)
      throws IOException, InterruptedException {
    String leader = ring.leader();
    if (leader == null) throw new IOException("no manager leads");
    long calmNanos = clock.nanos();
    double before = load.mibPerSecond(scale.awayMillis());
    long decisionNanos;
    long killNanos;
    Found found;
    double during;
    try (Cluster cluster = ring.connect()) {
      killNanos = clock.nanos();
      long killMillis = System.currentTimeMillis();
      ring.kill(leader);
      cluster.createInstance("after-kill-" + number, InstanceOptions.defaults());
      decisionNanos = clock.nanos();
      found = found(ring, cluster, killMillis, System.currentTimeMillis());
      long leftMillis = scale.awayMillis() - (decisionNanos - killNanos) / 1_000_000;
      during = load.mibPerSecond((int) Math.max(scale.calmMillis(), leftMillis));
    }
    long endNanos = clock.nanos();
    ring.startManager(leader);
    ring.awaitManagers();
    return new Kill(
        (decisionNanos - killNanos) / 1e9,
        found,
        load.longestSeconds(calmNanos, killNanos),
        load.longestSeconds(killNanos, endNanos),
        before,
        during);
  }

  private static Found found(LocalRing ring, Cluster cluster, long killMillis, long answeredMillis)
      throws IOException, InterruptedException {
    long heardMillis = heardMillis(cluster);
    long leadsMillis = LeadershipLog.firstAfter(killMillis, ring.managerLogLines());
    if (leadsMillis < 0) throw new IOException("no manager's log says that it leads");
    return new Found(
        Math.max(0, answeredMillis - leadsMillis) / 1e3,
        Math.max(0, heardMillis - leadsMillis) / 1e3);
  }

  /** When the last of all servers had reported; waits for it. */
  private static long heardMillis(Cluster cluster) throws IOException, InterruptedException {
    Map<SeatId, Long> first = new HashMap<>();
    long startMillis = System.currentTimeMillis();
    while (true) {
      List<Statuses.SeatSeen> seats = cluster.managerStatus().seats();
      long nowMillis = System.currentTimeMillis();
      for (Statuses.SeatSeen seat : seats) {
        // A manager that has not heard of a seat since it leads knows no epoch of it.
        if (seat.ringEpoch() == 0) continue;
        first.putIfAbsent(seat.seat(), nowMillis - seat.silentNanos() / 1_000_000);
      }
      if (first.size() == seats.size()) return Collections.max(first.values());
      if (nowMillis - startMillis > FOUND_MILLIS_MAX) {
        throw new IOException("servers have not found the manager that leads");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static double p99(List<Kill> kills, ToDoubleFunction<Kill> value) {
    double[] sorted = kills.stream().mapToDouble(value).sorted().toArray();
    return sorted[(int) Math.ceil(P99 * sorted.length) - 1];
  }

  private static List<Result> results(List<Kill> kills) {
    Samples decisions = Samples.of(kills, Kill::decisionSeconds);
    return List.of(
        Result.of("decision after the leader was killed", SECONDS, Better.LOWER, decisions),
        Result.of(
                "the same, 99th percentile",
                SECONDS,
                Better.LOWER,
                Samples.of(p99(kills, Kill::decisionSeconds)))
            .aimingAt(DECISION_SECONDS_AIM),
        Result.of(
                "a client found the next leader, 99th p.",
                SECONDS,
                Better.LOWER,
                Samples.of(p99(kills, kill -> kill.found.clientSeconds)))
            .aimingAt(FOUND_SECONDS_AIM),
        Result.of(
                "all servers found it, 99th percentile",
                SECONDS,
                Better.LOWER,
                Samples.of(p99(kills, kill -> kill.found.serversSeconds)))
            .aimingAt(FOUND_SECONDS_AIM),
        Result.of(
                "longest operation of a client meanwhile",
                SECONDS,
                Better.LOWER,
                Samples.of(kills, Kill::longestWait))
            .against("before the kill", Samples.of(kills, Kill::longestCalm)),
        Result.of(
                "written after the leader was killed",
                Rate.MIB_PER_SECOND,
                Better.HIGHER,
                Samples.of(kills, Kill::during))
            .against("before the kill", Samples.of(kills, Kill::before)));
  }
}
