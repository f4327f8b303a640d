// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Measures one part of the system, each figure next to a baseline where there is one. */
public interface Benchmark {
  /**
   * The options of the user.
   *
   * @param quick smaller and shorter, to be done within 45 seconds, or in little more where JVMs
   *     have to compile first
   * @param seed the seed of all random choices
   * @param directory where files go that should be on a device; they are removed at the end
   */
  record Options(boolean quick, long seed, Path directory) {}

  /**
   * The outcome.
   *
   * @param notes sentences that a reader of the figures must know
   */
  record Outcome(List<Result> results, List<String> notes) {
    public Outcome {
      results = List.copyOf(results);
      notes = List.copyOf(notes);
    }
  }

  /** Gets the name of the current measurement: a run takes minutes. */
  interface Progress {
    void measuring(String what);
  }

  String name();

  /** Runs the benchmark. It leaves no files behind, even if it is interrupted or fails. */
  Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible;
}
