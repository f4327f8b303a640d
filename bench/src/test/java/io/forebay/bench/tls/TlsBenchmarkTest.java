// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

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
class TlsBenchmarkTest {
  private static final TlsScale TINY = new TlsScale(5, 0, 2L * TlsScale.MIB, 20, 4 * TlsScale.MIB);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    List<String> progress = new ArrayList<>();
    Benchmark.Outcome outcome =
        new TlsBenchmark().run(TINY, new Benchmark.Options(true, 7, directory), progress::add);
    assertThat(outcome.results())
        .extracting(Result::name)
        .contains(
            "1MiB bare SSLSocket",
            "1MiB link, direct",
            "1MiB ring k=1",
            "1MiB TLS ring k=1",
            "1MiB TLS ring k=1 to SSLSocket",
            "1MiB TLS ring k=2 to plain",
            "64KiB TLS ring k=1",
            "CPU of 1MiB bare engine, heap",
            "CPU of 64KiB TLS ring k=2 to plain")
        .doesNotHaveDuplicates();
    assertThat(outcome.results())
        .allSatisfy(
            result -> {
              assertThat(result.value().count()).isEqualTo(5);
              // So little work may take less processor time than the machine counts.
              if (!result.name().startsWith("CPU")) assertThat(result.value().min()).isPositive();
            });
    assertThat(outcome.results())
        .filteredOn(result -> result.aim() != null)
        .extracting(Result::name)
        .containsExactly("1MiB TLS ring k=1");
    assertThat(progress).contains("put 1MiB", "put 64KiB");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }
}
