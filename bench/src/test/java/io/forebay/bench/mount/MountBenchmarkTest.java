// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.process.Mountable;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement once in small; nothing here depends on how fast it is. */
class MountBenchmarkTest {
  private static final MountBenchmark.Scale TINY =
      new MountBenchmark.Scale(5, 0, 2 << 20, 64 << 10);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    Mountable.need();
    Benchmark.Outcome outcome =
        new MountBenchmark().run(TINY, new Benchmark.Options(true, 7, directory), progress -> {});
    assertThat(outcome.results())
        // Writes and reads: with each way of caching, for long ones their time too, and the client.
        .hasSize(2 * (3 + 3 + 1) + 2 * (3 + 1))
        .allSatisfy(result -> assertThat(result.value().min()).isPositive())
        .extracting(Result::name)
        .contains("time of write 1MiB auto", "read 1MiB client alone", "write 4KiB writeback")
        .doesNotHaveDuplicates();
    assertThat(outcome.results().stream().filter(result -> result.aim() != null)).hasSize(7);
    assertThat(directory).isEmptyDirectory();
  }
}
