// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.failover;

import io.forebay.base.MonotonicClock;
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
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Kills the manager that leads, of three, while clients write: how long it takes until the next
 * decision is made, and what the clients notice meanwhile.
 */
final class ManagerFailover {
  private static final int MANAGERS = 3;
  private static final double DECISION_SECONDS_AIM = 5;
  private static final double P99 = 0.99;
  private static final String SECONDS = "s";

  /** One kill of a leader. */
  private record Kill(
      double decisionSeconds,
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
    double during;
    try (Cluster cluster = ring.connect()) {
      killNanos = clock.nanos();
      ring.kill(leader);
      cluster.createInstance("after-kill-" + number, InstanceOptions.defaults());
      decisionNanos = clock.nanos();
      long leftMillis = scale.awayMillis() - (decisionNanos - killNanos) / 1_000_000;
      during = load.mibPerSecond((int) Math.max(scale.calmMillis(), leftMillis));
    }
    long endNanos = clock.nanos();
    ring.startManager(leader);
    ring.awaitManagers();
    return new Kill(
        (decisionNanos - killNanos) / 1e9,
        load.longestSeconds(calmNanos, killNanos),
        load.longestSeconds(killNanos, endNanos),
        before,
        during);
  }

  private static List<Result> results(List<Kill> kills) {
    Samples decisions = Samples.of(kills, Kill::decisionSeconds);
    double[] sorted = kills.stream().mapToDouble(Kill::decisionSeconds).sorted().toArray();
    return List.of(
        Result.of("decision after the leader was killed", SECONDS, Better.LOWER, decisions),
        Result.of(
                "the same, 99th percentile",
                SECONDS,
                Better.LOWER,
                Samples.of(sorted[(int) Math.ceil(P99 * sorted.length) - 1]))
            .aimingAt(DECISION_SECONDS_AIM),
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
