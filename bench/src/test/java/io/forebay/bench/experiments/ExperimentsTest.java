// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Machine;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.bench.experiments.report.BarChart;
import io.forebay.bench.experiments.report.Comparison;
import io.forebay.bench.experiments.report.ExperimentPage;
import io.forebay.bench.experiments.report.Findings;
import io.forebay.bench.experiments.report.Statement;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** Every experiment once in small, the plots, and the page. */
class ExperimentsTest {
  private static final ExperimentScale TINY =
      new ExperimentScale(1, 0, 2 << 20, 0, 1 << 20, 1, 2 << 20);

  private static final String HOW = ExperimentPage.how(new Machine(2, 1L << 30, "25"), "abc", true);

  @TempDir private Path directory;

  @Test
  void everythingIsMeasuredAndNothingIsLeft() throws Exception {
    List<Findings> findings =
        Experiments.run(
            List.of(new BurstExperiment(List.of(2)), new TierExperiment(), new PatternExperiment()),
            TINY,
            (shape, _) -> ServedCluster.startHere(shape),
            new Benchmark.Options(true, 7, directory),
            what -> {});
    assertThat(findings).extracting(Findings::name).containsExactly("fig5", "fig6", "pattern");
    for (Findings each : findings) {
      assertThat(each.results())
          .hasSizeGreaterThan(7)
          .extracting(Result::name)
          .doesNotHaveDuplicates();
      assertThat(each.comparisons()).hasSizeGreaterThan(4);
      long rates = each.results().stream().filter(r -> r.unit().equals("MiB/s")).count();
      assertThat(parsed(each.charts().get(each.name())).getElementsByTagName("rect").getLength())
          .as("the ground and a bar for each rate")
          .isEqualTo((int) rates + 1);
    }
    assertThat(findings.getFirst().results())
        .extracting(Result::name)
        .contains("Forebay, isolated, 2 seats", "CPU of Forebay, Ketama, 2 seats")
        .contains("durable after Forebay, isolated, 2 seats");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void netcdfInEveryModeAndWithLogsEverywhere() throws Exception {
    List<Findings> findings =
        Experiments.run(
            List.of(new NetcdfExperiment(), new LogMappingExperiment()),
            TINY,
            (shape, _) -> ServedCluster.startHere(shape),
            new Benchmark.Options(true, 7, directory),
            what -> {});
    assertThat(findings).extracting(Findings::name).containsExactly("netcdf", "netcdf-logs");
    for (Findings each : findings) {
      assertThat(each.results())
          .allSatisfy(result -> assertThat(result.value().min()).isPositive())
          .extracting(Result::name)
          .doesNotHaveDuplicates();
      assertThat(each.comparisons())
          .hasSizeGreaterThan(4)
          .allSatisfy(comparison -> assertThat(comparison.ours()).isPositive().isFinite());
      assertThat(parsed(each.charts().get(each.name())).getElementsByTagName("rect").getLength())
          .isGreaterThan(12);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void coupledProgramsRandomAccessesAndPrivateTrees() throws Exception {
    List<Findings> findings =
        Experiments.run(
            List.of(
                new CouplingExperiment(),
                new IopsExperiment(List.of(1, 2)),
                new PrivateExperiment(List.of(1, 2))),
            TINY,
            (shape, _) -> ServedCluster.startHere(shape),
            new Benchmark.Options(true, 7, directory),
            what -> {});
    assertThat(findings).extracting(Findings::name).containsExactly("coupling", "iops", "private");
    for (Findings each : findings) {
      assertThat(each.results())
          .allSatisfy(result -> assertThat(result.value().min()).isNotNegative().isFinite())
          .extracting(Result::name)
          .doesNotHaveDuplicates();
      assertThat(each.comparisons())
          .hasSizeGreaterThan(4)
          .allSatisfy(comparison -> assertThat(comparison.ours()).isPositive().isFinite());
      assertThat(parsed(each.charts().get(each.name())).getElementsByTagName("rect").getLength())
          .isGreaterThan(6);
    }
    assertThat(findings.get(0).results())
        .extracting(Result::name)
        .contains("straight, steps of 16 KiB", "last picture, Forebay, steps of 256 KiB")
        .contains("durable after Forebay, drained, steps of 64 KiB");
    assertThat(findings.get(1).results())
        .extracting(Result::name)
        .contains("random reads, Forebay, 2 seats", "reads per seat, Forebay, 1 seat")
        .contains("random writes, straight");
    assertThat(findings.get(2).comparisons())
        .filteredOn(each -> each.what().startsWith("share of the busiest seat, shared tree"))
        .as("a shared tree has one home")
        .singleElement()
        .satisfies(each -> assertThat(each.ours()).isEqualTo(1));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void bundlesOnSimulatedRanks() throws Exception {
    List<Experiment> simulated = List.of(new Geos5Experiment(List.of(8, 16, 24)));
    List<Findings> first = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      first.addAll(
          Experiments.run(
              simulated,
              TINY,
              (shape, _) -> ServedCluster.startHere(shape),
              new Benchmark.Options(true, 7, directory),
              what -> {}));
    }
    Findings findings = first.getFirst();
    assertThat(findings.results())
        .allSatisfy(result -> assertThat(result.value().min()).isPositive().isFinite())
        .extracting(Result::name)
        .doesNotHaveDuplicates();
    assertThat(findings.comparisons())
        .contains(
            new Comparison("Table I: group of moist, BPS, 512 ranks", "155", 155),
            new Comparison("Table I: group of moist, LPS, 512 ranks", "136", 136));
    assertThat(findings.statements()).hasSizeGreaterThan(15);
    assertThat(findings.charts())
        .containsOnlyKeys(
            "geos5-fig2", "geos5-fig3", "geos5-fig4", "geos5-fig8", "geos5-fig9", "geos5-fig10");
    for (BarChart chart : findings.charts().values()) {
      assertThat(parsed(chart).getElementsByTagName("rect").getLength()).isGreaterThan(6);
    }
    Findings again = first.getLast();
    assertThat(again.statements())
        .as("virtual times are the same")
        .isEqualTo(findings.statements());
    assertThat(again.comparisons()).isEqualTo(findings.comparisons());
    assertThat(again.charts()).isEqualTo(findings.charts());
  }

  @Test
  void statementsOfThePaperAreJudged() throws Exception {
    Path page = directory.resolve("page.md");
    Files.writeString(page, "<!-- begin one -->\n<!-- end one -->\n");
    Findings judged =
        new Findings(
            "one",
            List.of(),
            List.of(),
            List.of(
                new Statement("a is fast", true, "1 s"), new Statement("b is slow", false, "2 s")),
            Map.of());
    ExperimentPage.update(page, List.of(judged), HOW);
    assertThat(page)
        .content()
        .contains("| the paper says | this model | its figures |")
        .contains("| a is fast | agrees | 1 s |\n| b is slow | does not | 2 s |\n");
  }

  @Test
  void namesOfExperiments() {
    assertThat(Experiments.names())
        .containsExactly(
            "fig5",
            "fig6",
            "pattern",
            "netcdf",
            "netcdf-logs",
            "geos5",
            "coupling",
            "iops",
            "private");
    assertThatThrownBy(
            () ->
                Experiments.run(
                    List.of("fig7"), new Benchmark.Options(true, 7, directory), what -> {}))
        .hasMessage(
            "there is no experiment 'fig7'; there are fig5, fig6, pattern, netcdf, netcdf-logs, geos5,"
                + " coupling, iops, private");
  }

  @Test
  void thePageKeepsWhatPeopleWrote() throws Exception {
    Path page = directory.resolve("page.md");
    Files.writeString(page, "Before.\n<!-- begin one -->\nold\n<!-- end one -->\nAfter.\n");
    ExperimentPage.update(page, List.of(findings("one")), HOW);
    assertThat(page)
        .hasContent(
            """
            Before.
            <!-- begin one -->
            | ratio | paper | here |
            |---|---|---:|
            | a by b | 1.19 | 2.00 |

            | measured here | median | least | most | unit |
            |---|---:|---:|---:|---|
            | a | 200 | 100 | 300 | MiB/s |

            With --quick, commit abc, 2 cores, 1 GiB of memory, Java 25.
            <!-- end one -->
            After.
            """);
    String once = Files.readString(page);
    ExperimentPage.update(page, List.of(findings("one")), HOW);
    assertThat(page).hasContent(once);
    assertThatThrownBy(() -> ExperimentPage.update(page, List.of(findings("two")), HOW))
        .isInstanceOf(ExperimentPage.NoMarks.class)
        .hasMessageContaining("<!-- begin two -->");
  }

  @Test
  void aPlotIsAPictureWithNamesAndValues() throws Exception {
    BarChart chart =
        new BarChart(
            "A < B & C",
            "below",
            List.of(
                new BarChart.Group(
                    "one",
                    List.of(
                        new BarChart.Bar("a", 980),
                        new BarChart.Bar("b", 1.5),
                        new BarChart.Bar("c", 0.0123)))));
    assertThat(chart.toSvg())
        .contains(">A &lt; B &amp; C<", ">a<", ">980<", ">1.50<")
        .as("times that differ look different")
        .contains(">0.012<");
    assertThat(parsed(chart).getElementsByTagName("text").getLength()).isEqualTo(9);
  }

  private static Findings findings(String name) {
    return new Findings(
        name,
        List.of(Result.of("a", "MiB/s", Better.HIGHER, Samples.of(100, 200, 300))),
        List.of(new Comparison("a by b", "1.19", 2)),
        new BarChart("", "", List.of()));
  }

  private Document parsed(BarChart chart) throws Exception {
    Path file = Files.createTempFile(directory, "plot", ".svg");
    try {
      Files.writeString(file, chart.toSvg());
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      Files.delete(file);
    }
  }
}
