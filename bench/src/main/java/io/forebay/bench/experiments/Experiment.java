package io.forebay.bench.experiments;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Scratch;
import java.io.IOException;

/** A figure of a paper, as it is measured here. */
interface Experiment {
  /**
   * What all of them are given.
   *
   * @param seed where randomness comes from
   */
  record Ground(ExperimentScale scale, Scratch scratch, long seed, Progress progress) {}

  /** In one word. */
  String name();

  Findings run(Ground ground) throws IOException, InterruptedException;
}
