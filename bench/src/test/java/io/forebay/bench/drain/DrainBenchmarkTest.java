// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.drain.WrittenExtents.Shape;
import io.forebay.drain.reorder.Pieces;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every measurement once in small; nothing here depends on how fast it is. */
class DrainBenchmarkTest {
  private static final long MIB = 1 << 20;
  private static final DrainScale TINY =
      new DrainScale(
          5,
          List.of(1_000, 10_000),
          1_000,
          8 * MIB,
          8 * MIB,
          24 * MIB,
          8 * MIB,
          8 * MIB,
          5,
          (int) (4 * MIB));

  @TempDir private Path directory;

  private Benchmark.Outcome run(DrainBenchmark.Part... parts) throws Exception {
    return new DrainBenchmark(EnumSet.copyOf(List.of(parts)), 0)
        .run(TINY, new Benchmark.Options(true, 7, directory), progress -> {});
  }

  @Test
  void planning() throws Exception {
    Benchmark.Outcome outcome = run(DrainBenchmark.Part.PLAN);
    assertThat(outcome.results())
        .hasSize(10)
        .extracting(Result::name)
        .contains("plan 10^4 extents in requests apart", "planned write of BTIO")
        .doesNotHaveDuplicates();
    assertThat(outcome.results()).extracting(Result::met).doesNotContain(false);
  }

  @Test
  void realDrainsAndRestarts() throws Exception {
    Benchmark.Outcome outcome = run(DrainBenchmark.Part.WRITES, DrainBenchmark.Part.RESTART);
    assertThat(outcome.results())
        .extracting(Result::name)
        .containsExactly(
            "backing write of contiguous 1MiB",
            "backing write of strided 16KiB",
            "backing write of BTIO",
            "restart read 1MiB",
            "restart from the buffer",
            "read through, first time",
            "read through, second time");
    assertThat(outcome.results().subList(0, 3)).extracting(Result::met).containsOnly(true);
    assertThat(directory).as("nothing is left").isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void bothWaysLeadToTheSame(Shape shape) {
    WrittenExtents extents = new WrittenExtents(shape, 10_000, 7);
    Pieces pieces = extents.byTwoLevels();
    Pieces sorted = extents.bySortingAll();
    assertThat(pieces.count()).isEqualTo(10_000).isEqualTo(sorted.count());
    assertThat(pieces.endOffset()).isEqualTo(10_000L * WrittenExtents.EXTENT_BYTES);
    for (int i = 0; i < pieces.count(); i++) {
      assertThat(pieces.offset(i)).isEqualTo(sorted.offset(i));
      assertThat(pieces.source(i)).isEqualTo(sorted.source(i));
      assertThat(pieces.sourceOffset(i)).isEqualTo(sorted.sourceOffset(i));
    }
  }
}
