// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.madbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Result;
import io.forebay.bench.ior.file.PosixFiles;
import io.forebay.bench.profile.CountedFiles;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.ProgramProfile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement once in small; nothing here depends on how fast it is. */
class MadbenchBenchmarkTest {
  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    MadbenchOptions tiny = new MadbenchOptions(4, 60, 2, 2, 1, 4096);
    Benchmark.Outcome outcome =
        new MadbenchBenchmark(tiny).run(new Benchmark.Options(true, 7, directory), at -> {});
    assertThat(outcome.results())
        .allSatisfy(result -> assertThat(result.value().min()).isPositive())
        .extracting(Result::name)
        .contains("shared S write", "shared W read", "unique W write", "unique C read")
        .hasSize(8);
    assertThat(outcome.notes())
        .anyMatch(
            note ->
                note.startsWith("profile, shared, Forebay: 100 % of the 80 writes are 7,200 bytes,")
                    && note.contains("into one shared file by 4 processes."))
        .anyMatch(note -> note.startsWith("profile, unique, slow store: "));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aRunDoesWhatMadbenchDoes() throws Exception {
    MadbenchOptions options = new MadbenchOptions(4, 64, 3, 1, 4, 4096);
    CountedFiles counted = new CountedFiles("madbench", 1 << 20);
    new MadbenchRun(options, true, "", rank -> counted.of(rank, PosixFiles.at(directory))).run();
    ProgramProfile profile = counted.profile();
    // S and W write each part; W and C read it.
    assertThat(profile.writes().count()).isEqualTo(2 * 3 * 4);
    assertThat(profile.reads().count()).isEqualTo(2 * 3 * 4);
    assertThat(profile.calls().count(Call.SYNC)).isEqualTo(2 * 3 * 4);
    assertThat(profile.writes().bytes()).isEqualTo(2 * options.totalBytes());
    assertThat(profile.files().get(0).writers()).hasSize(4);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void impossibleParametersAreRefused() {
    assertThatThrownBy(() -> new MadbenchOptions(3, 64, 3, 1, 1, 4096))
        .hasMessage("MADbench2 takes a square number of ranks, not 3");
    assertThatThrownBy(() -> new MadbenchOptions(4, 64, 3, 5, 1, 4096))
        .hasMessageContaining("RMOD");
  }
}
