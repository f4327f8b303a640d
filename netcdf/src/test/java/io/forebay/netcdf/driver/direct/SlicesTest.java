// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Meter;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.Variable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlicesTest {
  private static final int ELEMENTS = 300_000;
  private static final int BYTES = 2;

  /** Elements of two bytes: dense ones at the start, and as many far apart. */
  private static FileOrder unevenOrder() throws IOException {
    List<Dimension> dimensions = List.of(new Dimension("x", 200L * ELEMENTS));
    Variable v = new Variable("v", ElementType.SHORT, List.of(0), List.of(), Variable.NOWHERE);
    Header header = new Header(Format.CDF5, 0, dimensions, List.of(), List.of(v));
    List<Transfer> transfers = new ArrayList<>();
    for (long stride : new long[] {2, 199}) {
      Subarray part = Subarray.strided(new long[] {1}, new long[] {ELEMENTS}, new long[] {stride});
      transfers.add(Transfer.now(0, List.of(part), Values.of(new short[ELEMENTS])));
    }
    return FileOrder.over(Layout.of(Layout.place(header, 1)), transfers);
  }

  @Test
  void noSliceHasMoreRunsThanAreMeant() throws IOException {
    FileOrder order = unevenOrder();
    long[] total = new long[1];
    long[] end = new long[1];
    int[] slices = new int[1];
    Slices.forEach(
        order,
        RankRanges.ofOne(order, 0),
        numbers -> numbers,
        new Meter(MonotonicClock.system()),
        (pieces, start, to) -> {
          assertThat(pieces.count()).isLessThanOrEqualTo(Slices.RUNS_MAX);
          assertThat(start).isGreaterThanOrEqualTo(end[0]);
          end[0] = to;
          total[0] += pieces.dataBytes();
          slices[0]++;
        });
    assertThat(slices[0]).isGreaterThan(2 * ELEMENTS / Slices.RUNS_MAX);
    assertThat(total[0]).isEqualTo(order.pieces().dataBytes());
    assertThat(total[0]).isLessThanOrEqualTo(2L * ELEMENTS * BYTES);
  }

  @Test
  void everySliceIsGoneThroughThoughOneFails() throws IOException {
    int[] slices = new int[1];
    IOException failure = null;
    FileOrder order = unevenOrder();
    try {
      Slices.forEach(
          order,
          RankRanges.ofOne(order, 0),
          numbers -> numbers,
          new Meter(MonotonicClock.system()),
          (pieces, start, end) -> {
            slices[0]++;
            throw new IOException("slice " + slices[0]);
          });
    } catch (IOException e) {
      failure = e;
    }
    assertThat(failure).hasMessage("slice 1");
    assertThat(slices[0]).isGreaterThan(2 * ELEMENTS / Slices.RUNS_MAX);
  }
}
