// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.Table;
import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measurements in small; nothing here depends on how fast it is. */
class NetcdfBenchmarkTest {
  private static final NetcdfScale TINY =
      new NetcdfScale(5, 0, 64 << 10, List.of(4L << 10, 64L << 10), 2, 1, 1);

  @TempDir private Path directory;

  @Test
  void everyModeIsNextToBlockingWrites() throws Exception {
    Benchmark.Outcome outcome = run(Workload.Kind.IOR_STRIDED, Store.FAST);
    List<Result> rates =
        outcome.results().stream().filter(each -> !BreakdownTable.holds(each)).toList();
    assertThat(rates)
        .hasSize(2 * Mode.values().length)
        .allSatisfy(result -> assertThat(result.value().min()).isPositive())
        .extracting(Result::name)
        .contains("4KiB fast log/node", "64KiB fast LogFS collective")
        .doesNotHaveDuplicates();
    assertThat(rates.stream().filter(each -> each.baseline() == null)).hasSize(2);
    List<String> lines = BreakdownTable.lines(outcome.results());
    assertThat(lines).hasSize(2 + rates.size());
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Table.WIDTH));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aimsAreForTheSlowProfile() throws Exception {
    Benchmark.Outcome outcome = run(Workload.Kind.BTIO_STRONG, Store.SLOW);
    assertThat(outcome.results().stream().filter(each -> each.aim() != null))
        .extracting(Result::name)
        .containsExactly("slow log/process", "destination writes of slow log/process");
    assertThat(outcome.notes()).anyMatch(note -> note.contains("LogFS did not finish"));
  }

  private Benchmark.Outcome run(Workload.Kind kind, Store store) throws Exception {
    NetcdfOptions usual = NetcdfOptions.usual();
    NetcdfOptions options =
        new NetcdfOptions(
            usual.kind(), 0, 2, 0, usual.modes(), Set.of(), Set.of(store), null, false);
    return new NetcdfBenchmark(kind, options)
        .run(TINY, new Benchmark.Options(true, 7, directory), what -> {});
  }
}
