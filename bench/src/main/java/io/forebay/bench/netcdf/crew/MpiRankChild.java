// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.crew;

/** The other side of {@link MpiCrew}. */
final class MpiRankChild {
  private MpiRankChild() {}

  public static void main(String[] arguments) {
    RankDesk.serve(arguments, (group, line) -> RankRun.run(group, Trial.parse(line)).toLine());
  }
}
