// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.failover;

import io.forebay.base.MonotonicClock;
import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.ring.PlacementSpec;
import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingPlace;
import io.forebay.server.ring.RingShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Kills one server after the other with SIGKILL under load, and brings each back: the time of an
 * operation during the kill, the write rate before, right after, and once all copies are back, and
 * the time until then.
 */
public final class FailoverBenchmark implements Benchmark {
  private static final int SERVERS = 4;
  private static final int COPIES = 2;
  private static final int SEGMENT_BYTES = 8 << 20;
  private static final long MEMORY_BYTES = 512L << 20;
  private static final long SSD_BYTES = 1L << 30;
  static final int FILE_WRITERS = 2;
  static final int PAIR_WRITERS = 2;
  private static final double WAIT_SECONDS_AIM = 5;
  private static final double P99 = 0.99;
  private static final String SECONDS = "s";
  private static final long POLL_MILLIS = 20;
  private static final long COPIES_BACK_SECONDS_MAX = 120;

  /**
   * How much is measured.
   *
   * @param managerKills kills of the manager that leads, of three; 0 leaves that part out
   * @param calmMillis how long rates are measured before and after
   * @param awayMillis how long a killed server stays away; rates "right after a kill" cover this
   *     time
   */
  record Scale(int kills, int managerKills, int calmMillis, int awayMillis) {
    static Scale full() {
      return new Scale(20, 20, 2000, 5000);
    }

    static Scale quick() {
      return new Scale(2, 2, 1500, 5000);
    }
  }

  /** One kill and what followed. */
  private record Kill(
      List<Double> longestSeconds,
      double before,
      double after,
      double backAgain,
      double copiesSeconds) {}

  private final MonotonicClock clock = MonotonicClock.system();

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    SplittableRandom random = new SplittableRandom(options.seed());
    List<Kill> kills = new ArrayList<>();
    RingShape shape =
        new RingShape(
            SERVERS,
            COPIES,
            SEGMENT_BYTES,
            MEMORY_BYTES,
            SSD_BYTES,
            new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0));
    List<Result> results = new ArrayList<>();
    try (RingPlace place = RingPlace.make("bench", options.directory().toAbsolutePath(), null)) {
      LocalRing ring = place.hold(new LocalRing(shape, place.directory(), place.memory()));
      progress.measuring("starting " + SERVERS + " servers");
      ring.start();
      try (SteadyLoad load = new SteadyLoad(clock, ring.uri(), FILE_WRITERS, PAIR_WRITERS)) {
        // Warms up: compiling code and mapping memory now would distort the measured rates.
        Thread.sleep(scale.calmMillis);
        for (int i = 1; i <= scale.kills; i++) {
          progress.measuring("kill " + i + " of " + scale.kills);
          kills.add(kill(ring, load, LocalRing.name(random.nextInt(SERVERS)), scale));
        }
      }
      results.addAll(results(kills));
    } catch (StartFailed e) {
      throw new BenchmarkImpossible(String.valueOf(e.getMessage()));
    }
    if (scale.managerKills > 0) results.addAll(ofManagers(scale, shape, options, progress));
    return new Outcome(results, List.of());
  }

  private List<Result> ofManagers(Scale scale, RingShape shape, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    try (RingPlace place = RingPlace.make("bench", options.directory().toAbsolutePath(), null)) {
      return new ManagerFailover(clock, scale).run(shape, place, progress);
    } catch (StartFailed e) {
      throw new BenchmarkImpossible(String.valueOf(e.getMessage()));
    }
  }

  private Kill kill(LocalRing ring, SteadyLoad load, String victim, Scale scale)
      throws IOException, InterruptedException, BenchmarkImpossible {
    double before = load.mibPerSecond(scale.calmMillis);
    long killNanos = clock.nanos();
    ring.kill(victim);
    double after = load.mibPerSecond(scale.awayMillis);
    long backNanos = clock.nanos();
    ring.comeBack(victim);
    while (!LocalRing.hasAllCopies(ring.map())) {
      if (clock.nanos() - backNanos > TimeUnit.SECONDS.toNanos(COPIES_BACK_SECONDS_MAX)) {
        throw new BenchmarkImpossible(
            "not all copies are back %d s after %s was".formatted(COPIES_BACK_SECONDS_MAX, victim));
      }
      Thread.sleep(POLL_MILLIS);
    }
    long copiesNanos = clock.nanos();
    double backAgain = load.mibPerSecond(scale.calmMillis);
    return new Kill(
        load.longestSeconds(killNanos, copiesNanos),
        before,
        after,
        backAgain,
        (copiesNanos - backNanos) / 1e9);
  }

  private static List<Result> results(List<Kill> kills) {
    double[] waits =
        kills.stream()
            .flatMap(kill -> kill.longestSeconds.stream())
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    Samples before = Samples.of(kills, Kill::before);
    return List.of(
        Result.of(
            "longest operation of a client at a kill", SECONDS, Better.LOWER, Samples.of(waits)),
        Result.of(
                "the same, 99th percentile",
                SECONDS,
                Better.LOWER,
                Samples.of(waits[(int) Math.ceil(P99 * waits.length) - 1]))
            .aimingAt(WAIT_SECONDS_AIM),
        rate("written right after a kill", Samples.of(kills, Kill::after), before),
        rate("written with all copies back", Samples.of(kills, Kill::backAgain), before),
        Result.of(
            "all copies back after a restart",
            SECONDS,
            Better.LOWER,
            Samples.of(kills, Kill::copiesSeconds)));
  }

  private static Result rate(String name, Samples value, Samples before) {
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, value)
        .against("before the kill", before);
  }
}
