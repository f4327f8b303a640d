// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement once in small; nothing here depends on how fast it is. */
class BalanceBenchmarkTest {
  private static final BalanceBenchmark.Scale TINY = new BalanceBenchmark.Scale(5, 0, 24L << 20);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    Benchmark.Outcome outcome =
        new BalanceBenchmark().run(TINY, new Benchmark.Options(true, 7, directory), progress -> {});
    assertThat(outcome.results())
        .hasSize(10)
        .extracting(Result::name)
        .contains("burst, k=1", "bytes on the fullest seat by mean, k=2")
        .doesNotHaveDuplicates();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }
}
