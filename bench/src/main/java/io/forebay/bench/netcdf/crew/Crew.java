// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import java.io.IOException;

/** Runs trials with ranks of one kind. One thread at a time. */
public interface Crew extends AutoCloseable {
  /** Runs one trial. Its files at the destination stay. */
  Measured measure(Trial trial) throws IOException;

  @Override
  void close() throws IOException;

  /** Ranks that are threads of this process. */
  static Crew ofThreads() {
    return new ThreadCrew();
  }
}
