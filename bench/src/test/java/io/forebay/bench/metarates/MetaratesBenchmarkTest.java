// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.metarates;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement once in small; nothing here depends on how fast it is. */
class MetaratesBenchmarkTest {
  private static final MetaratesBenchmark.Scale TINY =
      new MetaratesBenchmark.Scale(5, 0, List.of(1, 2), 10);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    Benchmark.Outcome outcome =
        new MetaratesBenchmark()
            .run(TINY, new Benchmark.Options(true, 7, directory), progress -> {});
    assertThat(outcome.results())
        .hasSize(4 * 2 * 3)
        .allSatisfy(result -> assertThat(result.value().min()).isPositive())
        .extracting(Result::name)
        .contains(
            "create, 1 client, one directory",
            "stat, 2 clients, own directories",
            "utime, 2 clients, private trees",
            "unlink, 2 clients, private trees")
        .doesNotHaveDuplicates();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }
}
