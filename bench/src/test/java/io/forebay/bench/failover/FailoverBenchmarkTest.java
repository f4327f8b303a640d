// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One kill of a real process; nothing here depends on how fast it is. */
@Timeout(300)
class FailoverBenchmarkTest {
  private static final FailoverBenchmark.Scale TINY = new FailoverBenchmark.Scale(1, 0, 200, 500);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    Benchmark.Outcome outcome =
        new FailoverBenchmark()
            .run(TINY, new Benchmark.Options(true, 7, directory), progress -> {});
    assertThat(outcome.results()).hasSize(5);
    assertThat(outcome.results().getLast().value().min()).isPositive();
    assertThat(directory).isEmptyDirectory();
  }
}
