// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.Rounds;
import io.forebay.bench.Rounds.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The scale of the experiments.
 *
 * @param rounds one round only shows that everything works
 * @param warmUps rounds before the measured ones
 * @param burstBytes of all tasks in a burst together
 * @param pauseMillis between two bursts, at least
 * @param tierBytes of each of the two writers
 * @param patternTransfers of each task, 4 MiB or 4 MB each
 */
record ExperimentScale(
    int rounds,
    int warmUps,
    long burstBytes,
    int pauseMillis,
    long tierBytes,
    int patternTransfers,
    int segmentBytes) {
  private static final long MIB = 1 << 20;

  /** Segments beside those for the data: the reserves, and some in preparation. */
  private static final int SPARE_SEGMENTS = 8;

  static ExperimentScale full() {
    return new ExperimentScale(Rounds.COUNT_MIN, 2, 192 * MIB, 1000, 256 * MIB, 16, 16 << 20);
  }

  static ExperimentScale quick() {
    return new ExperimentScale(Rounds.COUNT_MIN, 1, 32 * MIB, 100, 32 * MIB, 4, 4 << 20);
  }

  /** The measurements of each trial, made in turn. */
  <T> List<List<T>> measure(List<Trial<T>> trials) throws IOException, InterruptedException {
    if (rounds > 1) return Rounds.run(rounds, warmUps, trials);
    List<List<T>> measured = new ArrayList<>();
    for (Trial<T> trial : trials) measured.add(List.of(trial.measure()));
    return measured;
  }

  /** Memory or device space for this many bytes of payload. */
  long roomBytes(long payloadBytes) {
    return payloadBytes + (long) SPARE_SEGMENTS * segmentBytes;
  }

  /** On the device: stores with everything, files beside them, and drained files. */
  long deviceBytes() {
    return 4 * roomBytes(4 * tierBytes) + 4 * burstBytes;
  }
}
