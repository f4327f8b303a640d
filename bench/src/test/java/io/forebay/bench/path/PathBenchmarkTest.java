// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.Rounds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every hop once in small; nothing here depends on how fast it is. */
class PathBenchmarkTest {
  private static final PathScale TINY =
      new PathScale(Rounds.COUNT_MIN, 0, 1 << 20, 8, 4 << 20, List.of(6, 16), List.of(2));

  @TempDir private Path directory;

  @Test
  void everyHopIsMeasuredAndNothingIsLeft() throws Exception {
    PathOptions options = new PathOptions(64 << 10, 2, 2, 2, null, null, List.of());
    List<String> progress = new ArrayList<>();
    Benchmark.Outcome outcome =
        new PathBenchmark(options)
            .run(TINY, new Benchmark.Options(true, 7, directory), progress::add);
    assertThat(outcome.results())
        .extracting(Result::name)
        .doesNotHaveDuplicates()
        .contains(
            "client: checksums x2",
            "network, unix: out x2",
            "server without storage: takes x2",
            "2 senders to 1",
            "device: write 4MiB x2, depth 4",
            "device: write and force 4KiB",
            "backing store: write x2",
            "server, memory, k=1: write x2",
            "server, SSD, forced: write x2",
            "client, k=2 of 2: write x2",
            "client, k=2 of 2: read x2",
            "drain",
            "tcp 65539B x2 in");
    assertThat(outcome.results())
        .allSatisfy(result -> assertThat(result.value().min()).isPositive());
    assertThat(outcome.results())
        .filteredOn(result -> result.baseline() != null)
        .extracting(Result::name)
        .contains("client, k=2 of 2: write x2", "drain");
    assertThat(outcome.notes())
        .anyMatch(note -> note.startsWith("client, k=2 of 2: write x2:") && note.contains("limits"))
        .anyMatch(note -> note.startsWith("network: reads reach"));
    assertThat(progress).contains("drain");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void optionsWithoutSenseAreRefused() {
    assertThatThrownBy(() -> new PathOptions(12, 1, 1, 1, null, null, List.of()))
        .hasMessageContaining("--size");
    assertThatThrownBy(() -> new PathOptions(8, 0, 1, 1, null, null, List.of()))
        .hasMessageContaining("--clients");
    assertThatThrownBy(() -> new PathOptions(8, 1, 2, 3, null, null, List.of()))
        .hasMessageContaining("--copies");
  }
}
