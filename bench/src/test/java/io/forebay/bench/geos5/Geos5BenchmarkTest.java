// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Machine;
import io.forebay.bench.Report;
import io.forebay.bench.Result;
import io.forebay.bench.Table;
import io.forebay.bench.geos5.output.Way;
import io.forebay.bench.netcdf.PnetcdfProgram;
import io.forebay.bench.netcdf.crew.MpiLauncher;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Measurements in small; nothing here depends on how fast it is. A run compares the files of all
 * ways, and fails if any differ.
 */
class Geos5BenchmarkTest {
  private static final Geos5Scale TINY = new Geos5Scale(5, 0, Geos5Workload.grid(9, 14), 20, 2);
  private static final Set<Way> OURS =
      EnumSet.complementOf(EnumSet.of(Way.GEOS5_PNETCDF_C, Way.BPS_SERIAL));

  @TempDir private Path directory;

  private static Geos5Options options(Geos5Store store, Set<Way> ways, int... sizes) {
    Geos5Options usual = Geos5Options.usual();
    return new Geos5Options(
        usual.ranks(),
        Arrays.stream(sizes).boxed().toList(),
        usual.ranksPerNode(),
        usual.amount(),
        Set.of(store),
        usual.format(),
        ways,
        usual.memoryBytes(),
        true);
  }

  private static Geos5Options with(
      Geos5Options options, Geos5Options.RankKind ranks, BundleFormat format) {
    return new Geos5Options(
        ranks,
        options.sizes(),
        options.ranksPerNode(),
        options.amount(),
        options.stores(),
        format,
        options.ways(),
        options.memoryBytes(),
        options.explained());
  }

  private Benchmark.Outcome run(Geos5Options options) throws Exception {
    return new Geos5Benchmark(options)
        .run(TINY, new Benchmark.Options(true, 7, directory), what -> {});
  }

  @Test
  void everyWayIsNextToGeos5AsItIs() throws Exception {
    Benchmark.Outcome outcome = run(options(Geos5Store.SLOW, OURS, 8));
    for (Way way : OURS) {
      Result rate = result(outcome, "slow 8 ranks " + way.word());
      assertThat(rate.value().min()).isPositive();
      assertThat(rate.baseline() == null).isEqualTo(way == Way.GEOS5_NETCDF);
    }
    assertThat(outcome.results().stream().filter(each -> each.aim() != null))
        .extracting(Result::name)
        .containsExactly(
            "slow 8 ranks BPS or auto",
            "slow 8 ranks auto/best scheme",
            "slow 8 ranks memory of a rank");
    assertThat(result(outcome, "slow 8 ranks memory of a rank").met()).isTrue();
    assertThat(result(outcome, "slow 8 ranks IPS: memory of a rank").value().min()).isPositive();
    assertThat(outcome.notes()).anyMatch(note -> note.contains("no way can have more than"));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void tablesFitALine() throws Exception {
    Benchmark.Outcome outcome = run(options(Geos5Store.DIRECTORY, OURS, 2));
    Report report = new Report("geos5", "c", Machine.current(), 7, outcome);
    List<String> lines = Geos5Table.lines(report);
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Table.WIDTH));
    assertThat(lines).filteredOn(line -> line.contains("ranks auto step ")).hasSize(2);
    assertThat(lines).filteredOn(line -> line.contains("aggregate")).hasSize(1);
    assertThat(report.toTree()).containsKey("results");
  }

  @ParameterizedTest
  @EnumSource(names = {"CDF1", "CDF2"})
  void otherClassicFormats(BundleFormat format) throws Exception {
    Geos5Options options = options(Geos5Store.MEMORY, OURS, 3);
    run(with(options, Geos5Options.RankKind.THREADS, format));
  }

  /** More ranks than rows and columns leave some of them without a part of the planes. */
  @Test
  void ranksWithoutAPart() throws Exception {
    Geos5Options options = options(Geos5Store.MEMORY, OURS, 1, 40);
    Geos5Scale narrow = new Geos5Scale(5, 0, Geos5Workload.grid(3, 5), 7, 1);
    Benchmark.Outcome outcome =
        new Geos5Benchmark(options)
            .run(narrow, new Benchmark.Options(true, 7, directory), what -> {});
    assertThat(result(outcome, "memory 40 ranks BPS").value().min()).isPositive();
  }

  @Test
  void theRingTakesTheBurst() throws Exception {
    Set<Way> ways = EnumSet.of(Way.GEOS5_PNETCDF, Way.BPS);
    Benchmark.Outcome outcome = run(options(Geos5Store.RING, ways, 3));
    assertThat(result(outcome, "ring 3 ranks BPS").value().min()).isPositive();
  }

  @Test
  void ranksAsProcesses() throws Exception {
    assumeTrue(
        MpiLauncher.isInstalled("mpirun"), "needs mpirun: dev/optional-packages installs it");
    Geos5Options options = options(Geos5Store.SLOW, EnumSet.of(Way.IPS, Way.AUTO), 3);
    Benchmark.Outcome outcome = run(with(options, Geos5Options.RankKind.MPI, BundleFormat.CDF5));
    assertThat(result(outcome, "slow 3 ranks IPS").value().min()).isPositive();
  }

  @Test
  void theLibraryInCWritesTheSame() throws Exception {
    try {
      PnetcdfProgram.compile(Files.createDirectory(directory.resolve("program")));
    } catch (BenchmarkImpossible missing) {
      assumeTrue(false, missing.getMessage());
    }
    Geos5Options options = options(Geos5Store.MEMORY, EnumSet.of(Way.GEOS5_PNETCDF_C), 2);
    for (BundleFormat format : List.of(BundleFormat.CDF2, BundleFormat.CDF5)) {
      Benchmark.Outcome outcome = run(with(options, Geos5Options.RankKind.THREADS, format));
      assertThat(outcome.notes())
          .anyMatch(note -> note.startsWith("Files of the C library"))
          .noneMatch(note -> note.contains("differs"));
    }
  }

  @Test
  void whatIsMissingIsNamed() throws Exception {
    Benchmark.Outcome outcome = run(options(Geos5Store.SLOW, EnumSet.of(Way.GEOS5_PNETCDF_C), 2));
    assertThat(outcome.notes())
        .contains("No GEOS5-PnetCDF-C: that program writes to directory and memory only.");
    outcome = run(options(Geos5Store.MEMORY, EnumSet.of(Way.BPS_SERIAL), 2));
    assertThat(outcome.notes()).contains("No BPS-serial: it is for --format netcdf4.");
    Geos5Options options = options(Geos5Store.SLOW, OURS, 2);
    assertThatThrownBy(
            () -> run(with(options, Geos5Options.RankKind.THREADS, BundleFormat.NETCDF4)))
        .isInstanceOf(BenchmarkImpossible.class)
        .hasMessageContaining("choose");
  }

  @Test
  void aTrialIsALine() {
    Geos5Workload workload = TINY.workload(Geos5Options.usual().amount(), BundleFormat.CDF2);
    for (Way way : Way.values()) {
      Geos5Trial trial = new Geos5Trial(way, workload, Geos5Store.RING, "forebay://a/b/", 1 << 20);
      assertThat(Geos5Trial.parse(trial.toLine())).isEqualTo(trial);
    }
  }

  private static Result result(Benchmark.Outcome outcome, String name) {
    return outcome.results().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name));
  }
}
