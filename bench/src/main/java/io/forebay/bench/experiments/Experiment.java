// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Scratch;
import io.forebay.bench.experiments.report.Findings;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.nio.file.Path;

/** A figure of a paper, as it is measured here. */
interface Experiment {
  /** Starts clusters; what belongs on a device goes to the directory. */
  interface Clusters {
    ServedCluster start(ServedCluster.Shape shape, Path directory) throws IOException;
  }

  /**
   * The input of all experiments.
   *
   * @param seed the seed of all random choices
   */
  record Ground(
      ExperimentScale scale, Scratch scratch, Clusters clusters, long seed, Progress progress) {
    /** A cluster with files in a directory of that name. */
    ServedCluster start(String name, int servers, long memoryBytes, long ssdBytes)
        throws IOException {
      return clusters.start(
          new ServedCluster.Shape(servers, 1, memoryBytes, ssdBytes, scale.segmentBytes())
              .withBackingRoot(scratch.device()),
          scratch.onDevice(name));
    }
  }

  /** In one word. */
  String name();

  Findings run(Ground ground) throws IOException, InterruptedException;
}
