// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Result.Better;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The one form of all benchmarks, for programs and for people. */
class ReportTest {
  private static final Result RATE =
      Result.of("append 1MiB memory", "MiB/s", Better.HIGHER, Samples.of(1700, 1890.21234, 1900))
          .against("copy and CRC32C", Samples.of(2000, 2100.5, 2200))
          .aimingAt(0.85);
  private static final Result SIZE =
      Result.of("size of 10^7 extents", "B", Better.LOWER, Samples.of(65)).aimingAt(64);

  private static Report report(Result... results) {
    return new Report(
        "store",
        "abc",
        new Machine(2, 24L << 30, "25.0.3"),
        7,
        new Benchmark.Outcome(List.of(results), List.of("one ".repeat(60).strip())));
  }

  @Test
  void treeHasTheFormOfTheDesign() {
    Map<String, Object> tree = report(RATE, SIZE).toTree();
    assertThat(tree.keySet())
        .containsExactly("bench", "commit", "machine", "seed", "notes", "results");
    assertThat(tree.get("machine"))
        .isEqualTo(Map.of("cores", 2, "memoryBytes", 24L << 30, "java", "25.0.3"));
    List<?> results = (List<?>) tree.get("results");
    assertThat(results.getFirst().toString())
        .isEqualTo(
            "{name=append 1MiB memory, value=1890.2, unit=MiB/s, better=higher, baseline=2100.5,"
                + " baselineName=copy and CRC32C, ratio=0.89989, aim=0.85, met=true,"
                + " valueMin=1700, valueMax=1900, baselineMin=2000, baselineMax=2200,"
                + " measurements=3}");
    Map<?, ?> size = (Map<?, ?>) results.getLast();
    assertThat(size.get("value")).isEqualTo(new BigDecimal("65"));
    assertThat(size.get("baseline")).isNull();
    assertThat(size.get("ratio")).isNull();
    assertThat(size.get("met")).isEqualTo(false);
  }

  @Test
  void tableShowsTheSameFigures() {
    List<String> lines = Table.lines(report(RATE, SIZE));
    assertThat(lines.get(0)).isEqualTo("bench store, commit abc, seed 7");
    assertThat(lines.get(1)).isEqualTo("2 cores, 24 GiB of memory, Java 25.0.3");
    assertThat(lines.get(4))
        .matches("append 1MiB memory +1890 +MiB/s +2101 +copy and CRC32C +0\\.90 +>= 0\\.85 ok");
    assertThat(lines.get(5)).matches("size of 10\\^7 extents +65\\.0 +B +<= 64 missed");
    assertThat(lines.getLast()).endsWith("one one");
  }

  @Test
  void noLineIsWiderThanAScreen() {
    Result wide =
        Result.of("n".repeat(70), "MiB/s", Better.HIGHER, Samples.of(123456789))
            .against("b".repeat(70), Samples.of(1))
            .aimingAt(0.5);
    List<String> lines = Table.lines(report(wide, RATE, SIZE));
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Table.WIDTH));
    assertThat(lines.get(4)).contains("n…", "b…", "123456789", ">= 0.50 ok");
  }

  @Test
  void aTableNeedsNoBaselines() {
    assertThat(Table.lines(report(SIZE)).get(4)).matches("size of 10\\^7 extents +65.*");
  }
}
