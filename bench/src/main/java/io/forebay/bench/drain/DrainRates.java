package io.forebay.bench.drain;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How fast a file leaves the ring, next to one that is written straight to the same store. */
final class DrainRates {
  private static final double SLOW_AIM = 0.90;
  private static final double DEVICE_AIM = 0.50;
  private static final String FILE = "/file";

  private final DrainGround ground;
  private final DrainScale scale;

  DrainRates(DrainGround ground) {
    this.ground = ground;
    this.scale = ground.scale();
  }

  List<Result> measure() throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    long most = Math.max(scale.slowBytes(), scale.deviceBytes());
    try (ServedCluster cluster = ground.cluster(most)) {
      results.add(
          rate(cluster, "drain to the device, forced", DrainGround.DEVICE, scale.deviceBytes())
              .aimingAt(DEVICE_AIM));
      results.add(
          rate(cluster, "drain to the slow profile", DrainGround.SLOW, scale.slowBytes())
              .aimingAt(SLOW_AIM));
    }
    return results;
  }

  private Result rate(ServedCluster cluster, String name, String scheme, long bytes)
      throws IOException, InterruptedException {
    ground.progress().measuring(name);
    String key = Integer.toHexString(name.hashCode());
    try (DrainedRing ring = DrainedRing.make(ground, cluster, 2, ground.store(scheme, "s" + key));
        SequentialWriter straight =
            new SequentialWriter(ground, ground.store(scheme, "direct" + key))) {
      List<Samples> samples =
          Rounds.figures(
              scale.rounds(),
              1,
              List.of(() -> drained(ring, bytes), () -> straight.mibPerSecond(bytes)));
      return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
          .against(SequentialWriter.NAME, samples.get(1));
    }
  }

  private static double drained(DrainedRing ring, long bytes)
      throws IOException, InterruptedException {
    ring.fill(FILE, WritePattern.CONTIGUOUS, bytes);
    DrainedRing.Drained drained = ring.drain();
    ring.remove(FILE);
    return drained.mibPerSecond();
  }
}
