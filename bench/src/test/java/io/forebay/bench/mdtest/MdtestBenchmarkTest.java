// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.mdtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.process.Mountable;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement once in small; nothing here depends on how fast it is. */
class MdtestBenchmarkTest {
  private static final MdtestBenchmark.Scale TINY = new MdtestBenchmark.Scale(5, 0, List.of(2), 4);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    Mountable.need();
    Benchmark.Outcome outcome =
        new MdtestBenchmark().run(TINY, new Benchmark.Options(true, 7, directory), progress -> {});
    assertThat(outcome.results())
        .hasSize(4 * 4)
        .allSatisfy(result -> assertThat(result.value().min()).isPositive())
        .extracting(Result::name)
        .contains(
            "create, 2 clients, client, shared tree",
            "stat, 2 clients, client, private trees",
            "read, 2 clients, mount, shared tree",
            "remove, 2 clients, mount, private trees")
        .doesNotHaveDuplicates();
    assertThat(directory).isEmptyDirectory();
  }
}
