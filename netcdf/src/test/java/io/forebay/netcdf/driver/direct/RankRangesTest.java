// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import io.forebay.parallel.ThreadRanks;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When ranks write by themselves though they were called together. */
class RankRangesTest {
  private static final int STRIPE_BYTES = 1000;

  /** What a rank writes of a variable of bytes: so many, from there on, so far apart. */
  private record Wanted(long start, int count, long stride) {}

  private static boolean areApart(Wanted... wanted) throws IOException {
    boolean[] apart = new boolean[wanted.length];
    ThreadRanks.run(
        wanted.length,
        group -> {
          Wanted own = wanted[group.rank()];
          FileOrder order = order(own);
          RankRanges ranges = RankRanges.of(group.allGather(RankRanges.numbers(order, own.count)));
          assertThat(ranges.runsMax()).isLessThanOrEqualTo(Slices.RUNS_MAX);
          apart[group.rank()] = ranges.areApart(STRIPE_BYTES);
        });
    for (boolean one : apart) assertThat(one).as("the same on all ranks").isEqualTo(apart[0]);
    return apart[0];
  }

  private static FileOrder order(Wanted wanted) throws IOException {
    List<Dimension> dimensions = List.of(new Dimension("x", 1 << 20));
    Variable v = new Variable("v", ElementType.BYTE, List.of(0), List.of(), 0);
    Header header = new Header(Format.CDF5, 0, dimensions, List.of(), List.of(v));
    Subarray part =
        Subarray.strided(
            new long[] {wanted.start}, new long[] {wanted.count}, new long[] {wanted.stride});
    Transfer transfer = Transfer.now(0, List.of(part), Values.of(new byte[wanted.count]));
    return FileOrder.over(Layout.of(header), List.of(transfer));
  }

  @Test
  void shortRangesInDifferentStripes() throws IOException {
    assertThat(areApart(new Wanted(5000, 10, 1), new Wanted(0, 10, 1))).isTrue();
    assertThat(areApart(new Wanted(0, 10, 1), new Wanted(999, 10, 1))).isFalse();
    assertThat(areApart(new Wanted(990, 10, 1), new Wanted(1000, 10, 1))).isTrue();
  }

  @Test
  void longRangesMayMeetInAStripe() throws IOException {
    assertThat(areApart(new Wanted(50, 1000, 1), new Wanted(1050, 1000, 1))).isTrue();
    assertThat(areApart(new Wanted(50, 1000, 1), new Wanted(1050, 900, 1))).isFalse();
  }

  @Test
  void overlapsAndHolesNeedAnExchange() throws IOException {
    assertThat(areApart(new Wanted(0, 3000, 1), new Wanted(2999, 3000, 1))).isFalse();
    assertThat(areApart(new Wanted(0, 10, 2), new Wanted(5000, 10, 1))).isFalse();
    assertThat(areApart(new Wanted(0, 10, 300), new Wanted(100, 10, 300))).isFalse();
  }

  @Test
  void ranksWithNothingDoNotCount() throws IOException {
    assertThat(areApart(new Wanted(0, 10, 1), new Wanted(3, 0, 1), new Wanted(7000, 5, 1)))
        .isTrue();
    assertThat(areApart(new Wanted(0, 0, 1), new Wanted(3, 0, 1))).isTrue();
  }
}
