// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/** Ranks are threads. */
final class ThreadCrew implements Crew {
  @Override
  public Measured measure(Trial trial) throws IOException {
    AtomicReference<Measured> result = new AtomicReference<>();
    ThreadRanks.run(
        trial.workload().ranks(),
        trial.ranksPerNode(),
        group -> {
          Measured measured = RankRun.run(group, trial);
          if (group.rank() == 0) result.set(measured);
        });
    Measured measured = result.get();
    if (measured == null) throw new IllegalStateException("no rank measured anything");
    return measured;
  }

  @Override
  public void close() {}
}
