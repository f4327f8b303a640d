// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import java.io.IOException;
import java.util.List;

/** All tasks of a run, connected and ready. */
interface Crew extends AutoCloseable {
  /** Lets all of them do something at the same time, and waits until the last has done it. */
  List<RankTimes> run(Phase phase) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
