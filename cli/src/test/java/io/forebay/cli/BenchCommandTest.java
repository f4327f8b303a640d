// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.cli.bench.BenchCommand;
import io.forebay.cli.terminal.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * What {@code forebay bench} prints and where; the measuring itself is tested with each benchmark.
 */
class BenchCommandTest {
  private record Printed(int exitCode, String out, String err) {}

  /** Gives fixed results, or says that it cannot run where the seed is 0. */
  private static final class Fixed implements Benchmark {
    @Override
    public String name() {
      return "fixed";
    }

    @Override
    public Outcome run(Options options, Progress progress) throws BenchmarkImpossible {
      if (options.seed() == 0) throw new BenchmarkImpossible("the seed is 0; choose another");
      progress.measuring("something");
      Result missed =
          Result.of("put", "MiB/s", Better.HIGHER, Samples.of(50, 60, options.quick() ? 70 : 80))
              .against("copy", Samples.of(100))
              .aimingAt(0.9);
      return new Outcome(List.of(missed), List.of());
    }
  }

  @Command(name = "fixed")
  private static final class FixedCommand extends BenchCommand.BenchmarkCommand {
    FixedCommand() {
      super(new Fixed());
    }
  }

  private static Printed run(String... arguments) {
    CommandLine commandLine = RootCommand.commandLine();
    commandLine.addSubcommand("fixed", new FixedCommand());
    RootCommand.withErrorHandling(commandLine, false);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = commandLine.execute(arguments);
    return new Printed(exitCode, out.toString(), err.toString());
  }

  @Test
  void withoutANameTheBenchmarksAreListed() {
    Printed printed = run("bench");
    assertThat(printed.exitCode).isZero();
    assertThat(printed.out).contains("A seat's local store", "The exit code tells");
  }

  @Test
  void jsonAloneIsOnStdoutAndHasTheForm() {
    Printed printed = run("fixed", "--json", "--quick", "--seed", "9");
    assertThat(printed.exitCode).isZero();
    assertThat(printed.err).isEqualTo("   0 s  measuring something\n");
    Map<?, ?> report = (Map<?, ?>) JsonReader.read(printed.out);
    assertThat(report.get("bench")).isEqualTo("fixed");
    assertThat(report.get("seed")).isEqualTo(9.0);
    assertThat(report.get("commit")).isInstanceOf(String.class);
    assertThat((Map<?, ?>) report.get("machine"))
        .extracting(Map::keySet)
        .hasToString("[cores, memoryBytes, java]");
    Map<?, ?> result = (Map<?, ?>) ((List<?>) report.get("results")).getFirst();
    assertThat(result.toString())
        .isEqualTo(
            "{name=put, value=60.0, unit=MiB/s, better=higher, baseline=100.0, baselineName=copy,"
                + " ratio=0.6, aim=0.9, met=false, valueMin=50.0, valueMax=70.0,"
                + " baselineMin=100.0, baselineMax=100.0, measurements=3.0}");
  }

  @Test
  void tableForPeople() {
    Printed printed = run("fixed");
    assertThat(printed.exitCode).as("aims do not decide").isZero();
    assertThat(printed.out).startsWith("bench fixed, commit ").contains(">= 0.90 missed");
  }

  @Test
  void whatCannotRunIsOneSentence() {
    assertThat(run("fixed", "--seed", "0"))
        .isEqualTo(new Printed(1, "", "forebay: the seed is 0; choose another.\n"));
    assertThat(run("bench", "store", "--dir", "/nowhere/at/all"))
        .isEqualTo(new Printed(1, "", "forebay: '/nowhere/at/all' does not exist.\n"));
    assertThat(run("bench", "sture").exitCode).isEqualTo(2);
  }
}
