// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement once in small; nothing here depends on how fast it is. */
class IngestBenchmarkTest {
  private static final IngestScale TINY =
      new IngestScale(
          5, 0, 4L * IngestScale.MIB, 64L * IngestScale.KIB, 10, 20, 4 * IngestScale.MIB, true);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    List<String> progress = new ArrayList<>();
    Benchmark.Outcome outcome =
        new IngestBenchmark().run(TINY, new Benchmark.Options(true, 7, directory), progress::add);
    assertThat(outcome.results())
        .extracting(Result::name)
        .contains(
            "put 1MiB k=1 replicated",
            "put 1MiB k=3 replicated",
            "CPU of put 1MiB k=2",
            "CPU of put 1MiB k=1 to 4 seats",
            "put 4KiB k=1 replicated",
            "write 4KiB k=1 published",
            "read 1MiB k=1",
            "put 1MiB p99.9",
            "put 1MiB k=2 of 3, stripes",
            "put 4MiB k=1 forced",
            "put 4KiB k=1, write protection",
            "pair put 64KiB",
            "pair get 1MiB")
        .doesNotHaveDuplicates();
    assertThat(outcome.results())
        .allSatisfy(
            result -> {
              assertThat(result.value().count()).isGreaterThanOrEqualTo(5);
              // So little work may take less processor time than the machine counts.
              if (!result.name().startsWith("CPU")) assertThat(result.value().min()).isPositive();
            });
    assertThat(progress).contains("read 1MiB k=1", "pairs of 1MiB");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }
}
