// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.process.Mountable;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement once in small; nothing here depends on how fast it is. */
class ProfileBenchmarkTest {
  private static final ProfileBenchmark.Scale TINY =
      new ProfileBenchmark.Scale(5, 0, 1 << 20, 32 << 10, 4);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    Mountable.need();
    Benchmark.Outcome outcome =
        new ProfileBenchmark().run(TINY, new Benchmark.Options(true, 7, directory), at -> {});
    assertThat(outcome.results())
        .allSatisfy(result -> assertThat(result.value().min()).isPositive())
        .extracting(Result::name)
        .containsExactly(
            "write 1MiB",
            "read 1MiB",
            "write 4KiB",
            "read 4KiB",
            "create, stat, unlink",
            "counting one access");
    assertThat(directory).isEmptyDirectory();
  }
}
