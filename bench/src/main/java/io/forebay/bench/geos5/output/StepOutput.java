// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import java.io.IOException;

/** One rank's part of one way. One thread. */
public interface StepOutput extends AutoCloseable {
  /** Writes all bundles of a step, which are at their names then; collective. */
  void write(int step) throws IOException;

  /**
   * The parts of the step that was written last; collective.
   *
   * @param totalNanos how long the slowest rank was in {@link #write}
   */
  StepTimes times(long totalNanos);

  @Override
  void close() throws IOException;
}
