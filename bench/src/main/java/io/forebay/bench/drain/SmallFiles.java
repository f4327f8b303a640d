// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.process.ServedCluster;
import io.forebay.ring.DrainSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The time to drain many small files to the slow profile, in packs and one by one. */
final class SmallFiles {
  private static final int FILE_BYTES = 4096;
  private static final String PACKED = "request,pack=64KiB";

  /** Each call takes half a millisecond, and a single file takes several calls. */
  private static final double AIM = 0.25;

  private final DrainGround ground;

  SmallFiles(DrainGround ground) {
    this.ground = ground;
  }

  List<Result> measure() throws IOException, InterruptedException {
    int files = ground.scale().smallFiles();
    String name = "drain %d files of 4 KiB, packed".formatted(files);
    ground.progress().measuring(name);
    String together = ground.store(DrainGround.SLOW, "together");
    String single = ground.store(DrainGround.SLOW, "single");
    List<Double> writes = new ArrayList<>();
    List<Double> singleWrites = new ArrayList<>();
    try (ServedCluster cluster = ground.cluster((long) files * FILE_BYTES);
        DrainedRing packing =
            DrainedRing.make(ground, cluster, 2, new DrainSpec(together, PACKED));
        DrainedRing plain = DrainedRing.make(ground, cluster, 2, single)) {
      List<Samples> samples =
          Rounds.figures(
              ground.scale().rounds(),
              1,
              List.of(
                  () -> seconds(packing, files, writes),
                  () -> seconds(plain, files, singleWrites)));
      Result time =
          Result.of(name, "s", Better.LOWER, samples.get(0))
              .against("one by one", samples.get(1))
              .aimingAt(AIM);
      Result count =
          Result.of(
                  name + ": writes",
                  "writes",
                  Better.LOWER,
                  Samples.of(writes, Double::doubleValue))
              .against("one by one", Samples.of(singleWrites, Double::doubleValue));
      return List.of(time, count);
    }
  }

  private double seconds(DrainedRing ring, int files, List<Double> writes)
      throws IOException, InterruptedException {
    String[] paths = new String[files];
    for (int i = 0; i < files; i++) {
      paths[i] = "/file-" + i;
      ring.fill(paths[i], WritePattern.CONTIGUOUS, FILE_BYTES);
    }
    ring.settle();
    DrainedRing.Drained drained = ring.drain();
    writes.add((double) drained.writes());
    ring.remove(paths);
    return drained.nanos() / 1e9;
  }
}
