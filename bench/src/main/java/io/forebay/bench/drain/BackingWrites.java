// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The sizes of the writes at the store, as counted by the seats that make them. */
final class BackingWrites {
  private static final String FILE = "/file";

  private final DrainGround ground;

  BackingWrites(DrainGround ground) {
    this.ground = ground;
  }

  List<Result> measure() throws IOException, InterruptedException {
    List<Result> results = new ArrayList<>();
    long bytes = ground.scale().patternBytes();
    // Small records take more room than their bytes.
    try (ServedCluster cluster = ground.cluster(2 * bytes);
        DrainedRing ring =
            DrainedRing.make(ground, cluster, 2, ground.store(DrainGround.DEVICE, "writes"))) {
      for (WritePattern pattern : WritePattern.values()) {
        String name = "backing write of " + pattern.text();
        ground.progress().measuring(name);
        ring.fill(FILE, pattern, bytes);
        DrainedRing.Drained drained = ring.drain();
        ring.remove(FILE);
        double mean = drained.bytes() / PlannedWrites.MIB / drained.writes();
        results.add(
            Result.of(name, "MiB", Better.HIGHER, Samples.of(mean))
                .aimingAt(PlannedWrites.MIB_AIM));
      }
    }
    return results;
  }
}
