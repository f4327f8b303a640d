// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.pattern.BtioPattern;
import io.forebay.bench.netcdf.pattern.Pattern;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All ranks together write every element exactly once. */
class PatternTest {
  @ParameterizedTest
  @EnumSource
  void everythingIsWrittenOnce(Workload.Kind kind) {
    Workload workload =
        switch (kind) {
          case IOR_CONTIGUOUS, IOR_STRIDED -> new Workload(kind, 3, 8, 64);
          case FLASH -> new Workload(kind, 4, 2, 3);
          case BTIO_STRONG -> new Workload(kind, 9, 10, 2);
          case BTIO_WEAK -> new Workload(kind, 4, 6, 2);
        };
    Pattern pattern = workload.pattern();
    for (int file = 0; file < pattern.files().size(); file++) {
      Pattern.Shape shape = pattern.files().get(file);
      int[][] writes = new int[shape.variables().size()][];
      for (int v = 0; v < writes.length; v++) writes[v] = new int[(int) elements(shape, v)];
      for (int rank = 0; rank < pattern.ranks(); rank++) {
        int[] puts = new int[1];
        pattern.<RuntimeException>puts(
            file,
            rank,
            put -> {
              count(shape, put, writes[put.variable()], 0, 0);
              puts[0]++;
            });
        assertThat(puts[0]).isEqualTo(pattern.putCount(file));
      }
      for (int[] variable : writes) assertThat(variable).containsOnly(1);
    }
  }

  private static long elements(Pattern.Shape shape, int variable) {
    long elements = 1;
    for (int place : shape.variables().get(variable).along()) {
      elements *= shape.dimensions().get(place).length();
    }
    return elements;
  }

  private static void count(
      Pattern.Shape shape, Pattern.Put put, int[] writes, int dimension, long at) {
    if (dimension == put.part().dimensions()) {
      writes[(int) at]++;
      return;
    }
    int place = shape.variables().get(put.variable()).along().get(dimension);
    long length = shape.dimensions().get(place).length();
    for (long i = 0; i < put.part().count(dimension); i++) {
      count(shape, put, writes, dimension + 1, at * length + put.part().start(dimension) + i);
    }
  }

  /** So that few ranks here are worth many there. */
  @Test
  void aRankOfTheSmallGridWritesAsMuchAtATimeAsOneOfThePapersLargest() {
    long cells = 64;
    long there = 512L * 512 * 512 * 5 * Double.BYTES / cells / (cells * cells);
    BtioPattern here = BtioPattern.strong(9, NetcdfScale.STRONG_SIDE, 1);
    here.<RuntimeException>puts(
        0, 4, put -> assertThat(put.part().elements() * Double.BYTES).isEqualTo(there));
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> BtioPattern.strong(8, 24, 1)).hasMessageContaining("square");
    assertThatThrownBy(() -> BtioPattern.strong(9, 6, 1)).hasMessageContaining("cells");
    assertThatThrownBy(() -> new Workload(Workload.Kind.IOR_STRIDED, 2, 3, 8).pattern())
        .hasMessageContaining("fill");
    assertThat(PnetcdfProgram.lines(new Workload(Workload.Kind.IOR_STRIDED, 2, 4, 8).pattern()))
        .isEqualTo(
            List.of("ior.nc 5 1 1 2", "x 16", "data 1 1 0", "0 0 4", "0 4 4", "0 8 4", "0 12 4"));
  }
}
