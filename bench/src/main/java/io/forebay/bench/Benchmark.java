// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Measures one part of the system, each figure next to a baseline where there is one. */
public interface Benchmark {
  /**
   * What the user decides.
   *
   * @param quick smaller and shorter, to be done within 45 seconds
   * @param seed where all randomness comes from
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

  /** Runs it all. Interrupted or failed, it leaves no files behind either. */
  Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible;
}
