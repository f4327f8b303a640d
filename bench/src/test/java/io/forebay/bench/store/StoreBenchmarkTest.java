// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement once in small; nothing here depends on how fast it is. */
class StoreBenchmarkTest {
  private static final Scale TINY =
      new Scale(
          5,
          Scale.MIB,
          List.of(4 * Scale.KIB, 64 * Scale.KIB),
          8L * Scale.MIB,
          TimeUnit.MILLISECONDS.toNanos(10),
          List.of(64 * Scale.KIB),
          2L * Scale.MIB,
          2L * Scale.MIB,
          List.of(1000, 10_000),
          1000);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    List<String> progress = new ArrayList<>();
    Benchmark.Outcome outcome =
        new StoreBenchmark().run(TINY, new Benchmark.Options(true, 7, directory), progress::add);
    assertThat(outcome.results())
        .extracting(Result::name)
        .contains(
            "append 4KiB memory",
            "append 64KiB ssd",
            "append 64KiB hybrid",
            "forced append 4KiB",
            "forced append 4KiB group of 256",
            "read 64KiB memory",
            "read 64KiB ssd, cached",
            "size of 10^4 ordered extents",
            "append to 10^4 ordered extents",
            "lookup in 10^4 shuffled extents",
            "find among 10^4 records",
            "plain read in 10^4 x 40 B")
        .anyMatch(name -> name.startsWith("recovery of 64KiB records"))
        .doesNotHaveDuplicates();
    assertThat(outcome.results())
        .allSatisfy(
            result -> {
              assertThat(result.value().min()).isPositive();
              assertThat(result.value().count()).isEqualTo(5);
            });
    assertThat(progress).contains("append 4KiB memory", "index of records");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aMissingDirectoryIsNamed() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(
            () ->
                new StoreBenchmark().run(TINY, new Benchmark.Options(true, 7, missing), what -> {}))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(missing.toString());
  }
}
