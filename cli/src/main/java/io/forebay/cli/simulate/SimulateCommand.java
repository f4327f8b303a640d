// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.simulate;

import io.forebay.base.Json;
import io.forebay.base.MonotonicClock;
import io.forebay.bench.process.CpuTime;
import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.terminal.Progress;
import io.forebay.cli.terminal.Table;
import io.forebay.simulation.Scenario;
import io.forebay.simulation.SimulationRun;
import io.forebay.simulation.audit.Problem;
import io.forebay.simulation.fault.FaultKind;
import io.forebay.simulation.planted.NegatedSearch;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Plays whole clusters from seeds. */
@Command(
    name = "simulate",
    description =
        "Play whole clusters in simulated time, with faults, and check what was promised.",
    footer = {"", "The same seed gives the same events on every machine."})
public final class SimulateCommand implements Callable<Integer> {
  private static final double MINUTES_DEFAULT = 1;
  private static final double MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final double HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "How many seeds to play (default: as many as the time allows).")
  private @Nullable Integer seedCount;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description = "How many minutes to start new seeds, such as 0.5 (default: 1, or no limit).")
  private @Nullable Double minutes;

  @Option(names = "--seed", paramLabel = "S", description = "Play this seed again.")
  private @Nullable Long seed;

  @Option(
      names = "--managers",
      description = "Play with three managers, of which each leads for a while.")
  private boolean managers;

  @Option(names = "--trace", description = "With --seed: show every event.")
  private boolean trace;

  @Option(
      names = "--planted",
      description = "Plant faults in the code itself, one at a time, and tell which are noticed.")
  private boolean planted;

  @Option(
      names = "--negate",
      description = {
        "Negate one rule method of the product at a time, play seeds, and print the rule that"
            + " was then broken, or UNNOTICED.",
        "With --seeds: the number of seeds per method (default: "
            + NegatedSearch.SEEDS_DEFAULT
            + "); below 5, some kinds of scenario are not played."
      })
  private boolean negate;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** The totals of all seeds. */
  private static final class Sum {
    long seeds;
    long operations;
    long failedOperations;
    long faults;
    long simulatedNanos;
    final Map<FaultKind, Integer> byKind = new EnumMap<>(FaultKind.class);
    final List<SimulationRun.Outcome> failures = new ArrayList<>();

    void add(SimulationRun.Outcome outcome) {
      seeds++;
      operations += outcome.operations();
      failedOperations += outcome.failed();
      faults += outcome.faultCount();
      outcome.faults().forEach((kind, count) -> byKind.merge(kind, count, Integer::sum));
      simulatedNanos += outcome.simulatedNanos();
      if (!outcome.problems().isEmpty()) failures.add(outcome);
    }
  }

  @Override
  public Integer call() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    requireSense(spec);
    if (planted) return plant(out, err);
    if (negate) return negate(out, err);
    long cpuBefore = CpuTime.nanos();
    Sum sum = new Sum();
    long first = seed != null ? seed : new SplittableRandom().nextLong();
    if (seed != null) sum.add(scenarioOf(first).play(trace ? out::println : line -> {}));
    else playMany(first, sum, err);
    double cpuMinutes = Math.max(1, CpuTime.nanos() - cpuBefore) / MINUTE_NANOS;
    double hoursPerCpuMinute = sum.simulatedNanos / HOUR_NANOS / cpuMinutes;
    if (json) out.println(Json.write(tree(first, sum, hoursPerCpuMinute)));
    else print(out, sum, hoursPerCpuMinute);
    out.flush();
    for (SimulationRun.Outcome failure : sum.failures) complain(err, failure);
    return sum.failures.isEmpty() ? 0 : 1;
  }

  private int plant(PrintWriter out, PrintWriter err) {
    PlantedReport report = new PlantedReport();
    try {
      report.search(err);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed("interrupted", e);
    }
    if (json) report.printJson(out);
    else report.print(out);
    out.flush();
    return report.isComplete() ? 0 : 1;
  }

  private int negate(PrintWriter out, PrintWriter err) {
    NegatedReport report = new NegatedReport();
    try {
      report.search(seedCount == null ? NegatedSearch.SEEDS_DEFAULT : seedCount, err);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed("interrupted", e);
    }
    if (json) report.printJson(out);
    else report.print(out);
    out.flush();
    return report.isComplete() ? 0 : 1;
  }

  private Scenario scenarioOf(long number) {
    Scenario scenario = Scenario.of(number);
    return managers ? scenario.withManagers() : scenario;
  }

  private void requireSense(CommandSpec command) {
    if (managers && (planted || negate)) {
      throw new ParameterException(
          command.commandLine(),
          "--planted and --negate choose their scenarios: leave out --managers");
    }
    if (negate && (planted || seed != null || minutes != null)) {
      throw new ParameterException(
          command.commandLine(),
          "--negate finds its seeds by itself: combine it only with --seeds");
    }
    if (planted && (seed != null || seedCount != null || minutes != null)) {
      throw new ParameterException(
          command.commandLine(),
          "--planted finds its seeds by itself: leave out --seed, --seeds and --minutes");
    }
    boolean many = seedCount != null || minutes != null;
    if (seed != null && many) {
      throw new ParameterException(
          command.commandLine(), "--seed plays one seed: leave --seeds and --minutes out");
    }
    if (trace && seed == null) {
      throw new ParameterException(command.commandLine(), "--trace needs --seed");
    }
    if (seedCount != null && seedCount < 1) {
      throw new ParameterException(command.commandLine(), "--seeds must be 1 or more");
    }
    if (minutes != null && !(minutes > 0)) {
      throw new ParameterException(command.commandLine(), "--minutes must be more than 0");
    }
  }

  private void playMany(long first, Sum sum, PrintWriter err) {
    MonotonicClock clock = MonotonicClock.system();
    long startNanos = clock.nanos();
    int countMax = seedCount == null ? Integer.MAX_VALUE : seedCount;
    boolean endless = minutes == null && seedCount != null;
    double forMinutes = minutes == null ? MINUTES_DEFAULT : minutes;
    long nanosMax = endless ? Long.MAX_VALUE : (long) (forMinutes * MINUTE_NANOS);
    int[] begun = {0};
    try (Progress progress = Progress.of("simulating", err)) {
      Campaign campaign =
          new Campaign(
              first,
              seed -> scenarioOf(seed).play(),
              () -> begun[0]++ < countMax && clock.nanos() - startNanos < nanosMax,
              outcome -> {
                sum.add(outcome);
                long done = endless ? sum.seeds : clock.nanos() - startNanos;
                long total = endless ? countMax : nanosMax;
                progress.update(Math.min(done, total), total, sum.seeds + " seeds");
              });
      campaign.run(Runtime.getRuntime().availableProcessors());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed("interrupted", e);
    }
  }

  private static void print(PrintWriter out, Sum sum, double hoursPerCpuMinute) {
    out.printf(
        "%d %s, %d operations, %d more that failed because of a fault, %d faults%n",
        sum.seeds,
        sum.seeds == 1 ? "seed" : "seeds",
        sum.operations,
        sum.failedOperations,
        sum.faults);
    if (!sum.byKind.isEmpty()) {
      String faults =
          sum.byKind.entrySet().stream()
              .map(each -> each.getValue() + " " + each.getKey().words())
              .collect(Collectors.joining(", ", "faults: ", ""));
      Brief.wrap(faults, Table.WIDTH_MAX).forEach(out::println);
    }
    out.printf(
        "%.1f simulated hours, %.2f per minute of processor time%n",
        sum.simulatedNanos / HOUR_NANOS, hoursPerCpuMinute);
    out.println(sum.failures.isEmpty() ? "everything promised was kept" : "FAILED");
  }

  private Map<String, Object> tree(long first, Sum sum, double hoursPerCpuMinute) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("first", first);
    tree.put("seeds", sum.seeds);
    tree.put("operations", sum.operations);
    tree.put("failedOperations", sum.failedOperations);
    tree.put("faults", sum.faults);
    Map<String, Object> kinds = new LinkedHashMap<>();
    sum.byKind.forEach((kind, count) -> kinds.put(kind.label(), count));
    tree.put("faultsByKind", kinds);
    tree.put("simulatedHours", sum.simulatedNanos / HOUR_NANOS);
    tree.put("simulatedHoursPerCpuMinute", hoursPerCpuMinute);
    List<Object> failures = new ArrayList<>();
    for (SimulationRun.Outcome failure : sum.failures) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("seed", failure.seed());
      one.put("scenario", scenarioOf(failure.seed()).describe());
      one.put("problems", failure.problems().stream().map(Problem::toString).toList());
      failures.add(one);
    }
    tree.put("failures", failures);
    return tree;
  }

  private void complain(PrintWriter err, SimulationRun.Outcome failure) {
    long failed = failure.seed();
    err.printf("seed %d (%s):%n", failed, scenarioOf(failed).describe());
    for (Problem problem : failure.problems()) err.println("  " + problem);
    err.printf(
        "forebay: seed %d fails; see it with 'forebay simulate --seed %d --trace'.%n",
        failed, failed);
    err.flush();
  }
}
