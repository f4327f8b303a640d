// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.drain.reorder.Pieces;
import io.forebay.netcdf.data.Runs;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.FileOrder;
import io.forebay.netcdf.format.Dimension;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.Layout;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.format.Variable;
import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two levels give what writing one request after the other gives. */
class FileOrderTest {
  private static final int ROUNDS = 300;
  private static final int SIDE = 9;

  private final long seed = TestSeed.first("FileOrderTest");
  private final Random random = new Random(seed);

  @Test
  void everyByteComesFromTheLastThatWroteIt() throws NetcdfException {
    for (int round = 0; round < ROUNDS; round++) {
      Layout layout = layout(round % 2 == 0);
      // Few large parts, which are mostly apart or interleave, or many small ones.
      List<Transfer> transfers = transfers(1 + random.nextInt(6), 1 + random.nextInt(SIDE));
      long[] places = expected(layout, transfers);
      long[] found = new long[places.length];
      note(FileOrder.of(layout, transfers), 0, places.length, found);
      assertThat(found).as("seed " + seed + ", round " + round).isEqualTo(places);
      // The same a slice at a time.
      long[] sliced = new long[places.length];
      for (int from = 0; from < places.length; ) {
        int to = from + 1 + random.nextInt(places.length - from);
        note(FileOrder.over(layout, transfers).pieces(from, to), from, to, sliced);
        from = to;
      }
      assertThat(sliced).as("seed " + seed + ", round " + round).isEqualTo(places);
    }
  }

  private void note(Pieces pieces, long from, long to, long[] found) {
    long end = from;
    for (int i = 0; i < pieces.count(); i++) {
      assertThat(pieces.offset(i)).as("seed " + seed).isGreaterThanOrEqualTo(end);
      end = pieces.endOffset(i);
      for (int b = 0; b < pieces.lengthBytes(i); b++) {
        found[(int) pieces.offset(i) + b] = pieces.sourceOffset(i) + b + 1;
      }
    }
    assertThat(end).as("seed " + seed).isLessThanOrEqualTo(to);
  }

  private Layout layout(boolean records) throws NetcdfException {
    List<Dimension> dimensions =
        List.of(
            new Dimension("t", records ? Dimension.UNLIMITED : SIDE),
            new Dimension("y", SIDE),
            new Dimension("x", SIDE));
    List<Variable> variables = new ArrayList<>();
    for (ElementType type : List.of(ElementType.SHORT, ElementType.BYTE)) {
      variables.add(
          new Variable(type.cdlName(), type, List.of(0, 1, 2), List.of(), Variable.NOWHERE));
    }
    Header header = new Header(Format.CDF5, SIDE, dimensions, List.of(), variables);
    return Layout.of(Layout.place(header, 1));
  }

  private List<Transfer> transfers(int requests, int sideMax) {
    List<Transfer> transfers = new ArrayList<>();
    int age = 0;
    for (int i = 0; i < requests; i++) {
      List<Subarray> parts = new ArrayList<>();
      for (int p = 0; p <= random.nextInt(3); p++) parts.add(part(sideMax));
      ElementType type = random.nextBoolean() ? ElementType.SHORT : ElementType.BYTE;
      long elements = parts.stream().mapToLong(Subarray::elements).sum();
      Values values = Values.of(new byte[(int) elements]);
      age += random.nextInt(2);
      transfers.add(new Transfer(type == ElementType.SHORT ? 0 : 1, parts, values, age));
    }
    return transfers;
  }

  private Subarray part(int sideMax) {
    long[] start = new long[3];
    long[] count = new long[3];
    long[] stride = new long[3];
    for (int d = 0; d < 3; d++) {
      stride[d] = random.nextInt(4) == 0 ? 2 : 1;
      count[d] = random.nextInt(Math.max(1, sideMax / (int) stride[d])) + 1L;
      start[d] = random.nextInt(SIDE - (int) ((count[d] - 1) * stride[d]));
    }
    return Subarray.strided(start, count, stride);
  }

  /** For each byte of the file one more than the place of what it holds; 0 for none. */
  private static long[] expected(Layout layout, List<Transfer> transfers) {
    long[] places = new long[(int) layout.fileBytes(SIDE)];
    long[] place = new long[1];
    for (Transfer transfer : transfers) {
      Variable variable = layout.header().variables().get(transfer.variable());
      for (Subarray part : transfer.parts()) {
        Runs.of(layout, variable, part)
            .forEach(
                (offset, bytes) -> {
                  for (int b = 0; b < bytes; b++) places[(int) offset + b] = ++place[0];
                });
      }
    }
    return places;
  }
}
