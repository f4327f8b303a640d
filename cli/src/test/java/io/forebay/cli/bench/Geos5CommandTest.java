// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import io.forebay.netcdf4.Netcdf4File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options, tables, and what is refused; runs themselves are tested in the bench. */
class Geos5CommandTest {
  private static final String TINY =
      "--quick --grid 9x14 --planes 14 --steps 2 --sizes 2 --store memory --ways bps,AUTO";

  @TempDir private Path directory;

  private CommandOutcome geos5(String line) {
    return CommandOutcome.run(("bench geos5 --dir " + directory + " " + line).split(" "));
  }

  private void refused(String line, String sentence) {
    assertThat(geos5(line))
        .isEqualTo(
            new CommandOutcome(
                2, "", "forebay: " + sentence + "; see 'forebay bench geos5 --help'.\n"));
  }

  @Test
  void tablesFit() {
    CommandOutcome printed = geos5(TINY + " --explain");
    assertThat(printed.exitCode()).isZero();
    assertThat(printed.out().lines()).allMatch(line -> line.length() <= 100);
    assertThat(printed.out())
        .contains("memory 2 ranks GEOS5-NetCDF", "memory 2 ranks auto step 2 ", "aggregate");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void jsonHasTheFormOfAllBenchmarks() {
    Map<?, ?> report = (Map<?, ?>) JsonReader.read(geos5(TINY + " --json").out());
    assertThat(report.get("bench")).isEqualTo("geos5");
    assertThat(((List<?>) report.get("results")).toString())
        .contains("memory 2 ranks BPS: shuffle");
  }

  @Test
  void netcdf4FilesAreWrittenInTwoWays() {
    Netcdf4File.problem().ifPresent(problem -> assumeTrue(false, problem));
    CommandOutcome printed = geos5(TINY.replace("AUTO", "BPS-serial") + " --format netcdf4");
    assertThat(printed.err()).doesNotContain("forebay:");
    assertThat(printed.out())
        .contains("memory 2 ranks BPS-serial", "memory 2 ranks raw/serial writes");
  }

  @Test
  void whatMakesNoSenseIsRefusedInASentence() {
    refused("--grid 361", "--grid '361' is not like 361x576");
    refused("--planes 0", "--planes 0 is not 1 to 10000");
    refused("--steps -1", "--steps -1 is not 1 to 1000");
    refused("--rounds 4", "--rounds 4 is not 5 to 100");
    refused("--sizes 8,0", "--sizes 0 is not 1 to 4096");
    refused("--ranks-per-node 0", "--ranks-per-node 0 is not 1 to 4096");
    refused("--memory 1KiB", "--memory 1 KiB is below 1 MiB");
    for (String bad : List.of("--ways xps", "--store tape", "--format hdf", "--ranks fork")) {
      CommandOutcome printed = geos5(bad);
      assertThat(printed.exitCode()).as(bad).isEqualTo(2);
      assertThat(printed.err().lines()).as(bad).hasSize(1);
      assertThat(printed.err()).as(bad).contains(bad.substring(bad.indexOf(' ') + 1));
    }
  }
}
