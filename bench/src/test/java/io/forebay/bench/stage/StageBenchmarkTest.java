// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.Rounds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class StageBenchmarkTest {
  @TempDir private Path directory;

  @Test
  void allFiguresAreMeasured() throws Exception {
    StageBenchmark.Scale scale =
        new StageBenchmark.Scale(Rounds.COUNT_MIN, 1, 1 << 20, 64L << 20, 20);
    List<String> told = new ArrayList<>();
    Benchmark.Outcome outcome =
        new StageBenchmark().run(scale, new Benchmark.Options(true, 1, directory), told::add);
    assertThat(outcome.results())
        .extracting(Result::name)
        .containsExactly("stage in, large files, 2 servers", "stage in, files of 1 KiB, 3 servers");
    assertThat(outcome.results()).allMatch(result -> result.value().median() > 0);
    assertThat(told).hasSize(2);
    assertThat(directory).isEmptyDirectory();
  }

  /** It must run on machines whose disks are not that of a buffer server. */
  @Test
  void aFullRunNeedsLessThan25GiB() {
    assertThat(StageBenchmark.Scale.full().deviceBytes()).isLessThan(25L << 30);
  }
}
