// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How fast a file leaves the ring, compared with one that is written directly to the same store.
 */
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
      results.add(toDevice(cluster).aimingAt(DEVICE_AIM));
      results.add(toSlowProfile(cluster).aimingAt(SLOW_AIM));
    }
    return results;
  }

  private Result toDevice(ServedCluster cluster) throws IOException, InterruptedException {
    String name = "drain to the device, forced";
    ground.progress().measuring(name);
    Path direct = ground.scratch().onDevice("direct");
    String store = ground.store(DrainGround.DEVICE, "device");
    long bytes = scale.deviceBytes();
    try (DrainedRing ring = DrainedRing.make(ground, cluster, 2, store);
        SequentialWriter straight = new SequentialWriter(ground, DrainGround.DEVICE + direct)) {
      return rate(name, () -> drained(ring, bytes), () -> straight(straight, direct, bytes));
    }
  }

  private Result toSlowProfile(ServedCluster cluster) throws IOException, InterruptedException {
    String name = "drain to the slow profile";
    ground.progress().measuring(name);
    String store = ground.store(DrainGround.SLOW, "slow");
    String direct = ground.store(DrainGround.SLOW, "slow-direct");
    long bytes = scale.slowBytes();
    try (DrainedRing ring = DrainedRing.make(ground, cluster, 2, store);
        SequentialWriter straight = new SequentialWriter(ground, direct)) {
      return rate(name, () -> drained(ring, bytes), () -> straight.mibPerSecond(bytes));
    }
  }

  private Result rate(String name, Rounds.Trial<Double> drain, Rounds.Trial<Double> straight)
      throws IOException, InterruptedException {
    List<Samples> samples = Rounds.figures(scale.rounds(), 1, List.of(drain, straight));
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, samples.get(0))
        .against(SequentialWriter.NAME, samples.get(1));
  }

  private double drained(DrainedRing ring, long bytes) throws IOException, InterruptedException {
    ring.fill(FILE, WritePattern.CONTIGUOUS, bytes);
    ground.prepareMemory(bytes);
    ring.settle();
    DrainedRing.Drained drained = ring.drain();
    ring.remove(FILE);
    return drained.mibPerSecond();
  }

  private double straight(SequentialWriter writer, Path directory, long bytes) throws IOException {
    ground.prepareMemory(bytes);
    return writer.mibPerSecond(directory, bytes);
  }
}
