// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.failover;

import io.forebay.base.ByteSize;
import io.forebay.base.MonotonicClock;
import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.ring.Group;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.StartFailed;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingPlace;
import io.forebay.server.ring.RingShape;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A permanently lost server while clients write: the time until everything has its copies again
 * without it, the rate of repair, and the bandwidth of the clients during the repair.
 */
public final class RepairBenchmark implements Benchmark {
  private static final int SERVERS = 4;
  private static final int COPIES = 2;
  private static final int SEGMENT_BYTES = 16 << 20;
  private static final int FILE_BYTES = 64 << 20;
  private static final int WRITE_BYTES = 1 << 20;
  private static final int FILE_WRITERS = 2;
  private static final double SECONDS_AIM = 60;
  private static final double REPAIR_AIM = 0.3;
  private static final double CLIENTS_AIM = 0.6;
  private static final long POLL_MILLIS = 50;
  private static final long PATIENCE_SECONDS = 300;
  private static final String SECONDS = "s";
  private static final String ALONE = "clients alone";

  /**
   * How much is measured.
   *
   * @param dataBytes the data in the ring, each byte counted once
   * @param calmMillis how long the rate of the clients alone is measured
   */
  record Scale(int rounds, long dataBytes, int calmMillis) {
    static Scale full() {
      return new Scale(3, 4L << 30, 10_000);
    }

    static Scale quick() {
      return new Scale(1, 512L << 20, 2000);
    }
  }

  /** One server lost. */
  private record Loss(
      double alone, double meanwhile, double copied, double copiesSeconds, long lostBytes) {}

  private final MonotonicClock clock = MonotonicClock.system();

  @Override
  public String name() {
    return "repair";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    return run(options.quick() ? Scale.quick() : Scale.full(), options, progress);
  }

  Outcome run(Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    // Three servers must hold what four did, and a lost one's share while it comes back.
    long perServer = 2 * COPIES * scale.dataBytes / SERVERS;
    RingShape shape =
        new RingShape(
            SERVERS,
            COPIES,
            SEGMENT_BYTES,
            perServer / 2 + (256L << 20),
            perServer + (1L << 30),
            new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0));
    List<Loss> losses = new ArrayList<>();
    try (RingPlace place = RingPlace.make("bench", options.directory().toAbsolutePath(), null)) {
      LocalRing ring = place.hold(new LocalRing(shape, place.directory(), place.memory()));
      progress.measuring("writing " + ByteSize.format(scale.dataBytes));
      ring.start();
      fill(ring.uri(), scale.dataBytes);
      for (int i = 0; i < scale.rounds; i++) {
        String victim = LocalRing.name(i % SERVERS);
        progress.measuring("loss " + (i + 1) + " of " + scale.rounds);
        losses.add(loss(ring, victim, scale));
        if (i + 1 < scale.rounds) {
          ring.restart(victim);
          await(ring, "without " + victim, RepairBenchmark::isSettled);
        }
      }
    } catch (StartFailed e) {
      throw new BenchmarkImpossible(String.valueOf(e.getMessage()));
    }
    return new Outcome(results(losses), notes(scale, losses));
  }

  private static void fill(String uri, long bytes) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(WRITE_BYTES);
    for (int i = 0; content.hasRemaining(); i++) content.putInt(i);
    content.flip();
    try (Forebay client = Forebay.connect(uri)) {
      for (int i = 0; (long) i * FILE_BYTES < bytes; i++) {
        try (ForebayFile file =
            client.open("/data-" + i, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
          for (long at = 0; at < FILE_BYTES; at += WRITE_BYTES) file.write(content.duplicate(), at);
        }
      }
    }
  }

  private Loss loss(LocalRing ring, String victim, Scale scale)
      throws IOException, InterruptedException, BenchmarkImpossible {
    try (SteadyLoad load = new SteadyLoad(clock, ring.uri(), FILE_WRITERS, 0)) {
      Thread.sleep(scale.calmMillis / 2);
      double alone = load.mibPerSecond(scale.calmMillis);
      long lostBytes = heldBytes(ring, victim);
      long killNanos = clock.nanos();
      ring.kill(victim);
      // First the map must show the loss, then the replacements.
      await(ring, "with " + victim, map -> !LocalRing.hasAllCopies(map));
      await(ring, "with " + victim, RepairBenchmark::isRepaired);
      long beginNanos = clock.nanos();
      long beginBytes = load.acknowledgedBytes();
      await(ring, "without " + victim, LocalRing::hasAllCopies);
      long nanos = clock.nanos() - beginNanos;
      return new Loss(
          alone,
          Rate.mibPerSecond(load.acknowledgedBytes() - beginBytes, nanos),
          Rate.mibPerSecond(lostBytes, nanos),
          (clock.nanos() - killNanos) / 1e9,
          lostBytes);
    }
  }

  private static long heldBytes(LocalRing ring, String server) throws IOException {
    Statuses.SeatStatus status = ring.status().get(server);
    if (status == null) throw new IOException(server + " is not in the ring");
    return status.liveBytes();
  }

  /** What the map must show. */
  private interface Sight {
    boolean isThere(RingMap map);
  }

  private void await(LocalRing ring, String when, Sight sight)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long startNanos = clock.nanos();
    while (!sight.isThere(ring.map())) {
      if (clock.nanos() - startNanos > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
        throw new BenchmarkImpossible(
            "the ring is not as it should be %s, after %d s".formatted(when, PATIENCE_SECONDS));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Whether a group has a new member that is to become current. */
  private static boolean isRepaired(RingMap map) {
    for (Group group : map.groups()) {
      for (Group.Member member : group.members()) {
        SeatEntry seat = map.seat(member.seat());
        if (!member.current() && seat != null && !seat.away()) return true;
      }
    }
    return LocalRing.hasAllCopies(map);
  }

  /** Whether every group has exactly its intended members. */
  private static boolean isSettled(RingMap map) {
    return LocalRing.hasAllCopies(map)
        && map.groups().stream().allMatch(group -> group.members().size() == group.id().copies());
  }

  private static List<Result> results(List<Loss> losses) {
    Samples alone = Samples.of(losses, Loss::alone);
    return List.of(
        Result.of(
                "all copies back without a lost server",
                SECONDS,
                Better.LOWER,
                Samples.of(losses, Loss::copiesSeconds))
            .aimingAt(SECONDS_AIM),
        Result.of(
                "copied meanwhile",
                Rate.MIB_PER_SECOND,
                Better.HIGHER,
                Samples.of(losses, Loss::copied))
            .against(ALONE, alone)
            .aimingAt(REPAIR_AIM),
        Result.of(
                "written by clients meanwhile",
                Rate.MIB_PER_SECOND,
                Better.HIGHER,
                Samples.of(losses, Loss::meanwhile))
            .against(ALONE, alone)
            .aimingAt(CLIENTS_AIM));
  }

  private static List<String> notes(Scale scale, List<Loss> losses) {
    long most = losses.stream().mapToLong(Loss::lostBytes).max().orElse(0);
    return List.of(
        "%s in the ring with %d copies; a lost server held up to %s of it"
            .formatted(ByteSize.format(scale.dataBytes), COPIES, ByteSize.format(most)));
  }
}
