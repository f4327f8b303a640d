// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Result;
import io.forebay.bench.process.Mountable;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement once in small; nothing here depends on how fast it is. */
class SqliteBenchmarkTest {
  private static final SqliteBenchmark.Scale TINY =
      new SqliteBenchmark.Scale(
          5,
          List.of(new Inserts.Case(2, true, "delete"), new Inserts.Case(1, false, "wal")),
          4,
          2,
          3,
          3);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    Mountable.need();
    try {
      Inserts.requirePossible();
    } catch (BenchmarkImpossible impossible) {
      assumeTrue(false, impossible.getMessage());
    }
    Benchmark.Outcome outcome =
        new SqliteBenchmark().run(TINY, new Benchmark.Options(true, 7, directory), progress -> {});
    assertThat(outcome.results())
        .allSatisfy(result -> assertThat(result.value().min()).isPositive())
        .extracting(Result::name)
        .containsExactly(
            "inserts, 2 ranks, one database, delete",
            "inserts, 1 rank, wal",
            "write and fsync of 4KiB, mean",
            "write and fsync of 4KiB",
            "random reads of one file",
            "random reads of small files");
    assertThat(directory).isEmptyDirectory();
  }
}
