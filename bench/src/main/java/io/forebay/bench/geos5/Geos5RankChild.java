// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.bench.netcdf.crew.RankDesk;

/** The ranks of {@link Geos5Crew} that are processes. */
final class Geos5RankChild {
  private Geos5RankChild() {}

  public static void main(String[] arguments) {
    RankDesk.serve(
        arguments, (group, line) -> TrialRun.run(group, Geos5Trial.parse(line)).toLine());
  }
}
