// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One lost server with little in it; nothing here depends on how fast it is. */
@Timeout(300)
class RepairBenchmarkTest {
  private static final RepairBenchmark.Scale TINY = new RepairBenchmark.Scale(1, 64 << 20, 500);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    Benchmark.Outcome outcome =
        new RepairBenchmark().run(TINY, new Benchmark.Options(true, 7, directory), progress -> {});
    assertThat(outcome.results()).hasSize(3);
    assertThat(outcome.results().getFirst().value().min()).isPositive();
    assertThat(directory).isEmptyDirectory();
  }
}
