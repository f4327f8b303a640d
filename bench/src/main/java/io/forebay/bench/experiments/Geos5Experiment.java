// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.bench.experiments.Geos5Times.Part;
import io.forebay.bench.experiments.report.BarChart;
import io.forebay.bench.experiments.report.Comparison;
import io.forebay.bench.experiments.report.Findings;
import io.forebay.bench.geos5.model.Geos5Model;
import io.forebay.bench.geos5.model.SimulatedMachine;
import io.forebay.bench.geos5.model.StepTimes;
import io.forebay.bench.geos5.model.Way;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Wang et al. (BPAR), Figs. 2 to 4 and 8 to 10 and Table I: a step of GEOS-5's output on 32 to 512
 * ranks of a simulated cluster. The times are virtual, so each is simulated once.
 */
final class Geos5Experiment implements Experiment {
  /** The paper's numbers of ranks. */
  static final List<Integer> RANKS = List.of(32, 64, 128, 256, 512);

  /** In a full run; about 0.8 GB per step. */
  private static final int PLANES = 1000;

  /** Smaller scales have fewer planes, of what a writer has in the tiers' experiment. */
  private static final long PLANE_PART = 256 << 10;

  private static final int PLANES_MIN = 20;

  /** Simulations beside each other; each uses one core. */
  private static final int SIMULATIONS = 2;

  private static final String UNIT = "s";

  /** The group sizes of moist in the paper's Table I. */
  private static final Map<Scheme, List<Integer>> TABLE_1 =
      Map.of(
          Scheme.BPS, List.of(11, 21, 39, 79, 155),
          Scheme.LPS, List.of(8, 8, 8, 72, 136),
          Scheme.IPS, List.of(11, 21, 39, 79, 155));

  private final List<Integer> ranks;

  Geos5Experiment(List<Integer> ranks) {
    this.ranks = List.copyOf(ranks);
  }

  @Override
  public String name() {
    return "geos5";
  }

  @Override
  public Findings run(Ground ground) throws IOException, InterruptedException {
    long planes = Math.min(PLANES, ground.scale().tierBytes() / PLANE_PART);
    Geos5Model model =
        new Geos5Model(SimulatedMachine.discover(), (int) Math.max(PLANES_MIN, planes));
    ground.progress().measuring("geos5: simulated ranks, up to " + ranks.getLast());
    Geos5Times times = simulate(model);
    return new Findings(
        name(), results(times), comparisons(times), Geos5Statements.of(times), charts(times));
  }

  private Geos5Times simulate(Geos5Model model) throws IOException, InterruptedException {
    Map<Way, Map<Integer, StepTimes>> steps = new EnumMap<>(Way.class);
    try (ExecutorService simulations = Executors.newFixedThreadPool(SIMULATIONS)) {
      Map<Way, Map<Integer, Future<StepTimes>>> pending = new EnumMap<>(Way.class);
      // The largest first, so that none is left alone at the end.
      for (int size : ranks.reversed()) {
        for (Way way : Way.values()) {
          pending
              .computeIfAbsent(way, none -> new TreeMap<>())
              .put(size, simulations.submit(() -> model.simulate(way, size)));
        }
      }
      for (Way way : Way.values()) {
        Map<Integer, StepTimes> row = new TreeMap<>();
        for (Map.Entry<Integer, Future<StepTimes>> each :
            pending.getOrDefault(way, Map.of()).entrySet()) {
          row.put(each.getKey(), each.getValue().get());
        }
        steps.put(way, row);
      }
    } catch (ExecutionException e) {
      throw new IOException("a simulation failed: " + e.getCause(), e);
    }
    return new Geos5Times(ranks, steps);
  }

  private static List<Result> results(Geos5Times times) {
    List<Result> results = new ArrayList<>();
    for (Way way : Way.values()) {
      add(results, times, way, "I/O time", Geos5Times.TOTAL);
      switch (way) {
        case NETCDF -> {
          add(results, times, way, "communication", Geos5Times.MOVE);
          add(results, times, way, "write", Geos5Times.WRITE);
        }
        case PNETCDF -> {
          add(results, times, way, "create", Geos5Times.CREATE);
          add(results, times, way, "write", Geos5Times.WRITE);
        }
        case BPS, LPS, IPS -> {
          add(results, times, way, "shuffle, mean of ranks", Geos5Times.MOVE);
          add(results, times, way, "shuffle, last rank", Geos5Times.LAST_MOVE);
          add(results, times, way, "collective write", Geos5Times.COLLECTIVE_WRITE);
        }
        default -> {
          // With less memory the two overlap.
        }
      }
    }
    return results;
  }

  private static void add(List<Result> results, Geos5Times times, Way way, String what, Part part) {
    for (int ranks : times.ranks()) {
      String name = "%s, %s, %d ranks".formatted(way.text(), what, ranks);
      Samples value = Samples.of(times.seconds(way, ranks, part));
      results.add(Result.of(name, UNIT, Better.LOWER, value));
    }
  }

  private static List<Comparison> comparisons(Geos5Times times) {
    List<Comparison> all = new ArrayList<>();
    // Fewer planes than in a full run would round the shares of bundles.
    Geos5Model whole = new Geos5Model(SimulatedMachine.discover(), PLANES);
    for (Scheme scheme : Scheme.values()) {
      List<Integer> paper = TABLE_1.getOrDefault(scheme, List.of());
      for (int i = 0; i < RANKS.size(); i++) {
        int ours = whole.moistRanks(RANKS.get(i)).getOrDefault(scheme, 0);
        String what = "Table I: group of moist, %s, %d ranks".formatted(scheme, RANKS.get(i));
        all.add(new Comparison(what, paper.get(i).toString(), ours));
      }
    }
    all.add(reduction(times, Way.BPS, "0.53"));
    all.add(reduction(times, Way.LPS, "0.47"));
    all.add(reduction(times, Way.IPS, "0.51"));
    for (Way way : Way.values()) {
      if (way.compareTo(Way.IPS) > 0) all.add(reduction(times, way, "not in the paper"));
    }
    return all;
  }

  private static Comparison reduction(Geos5Times times, Way way, String paper) {
    return new Comparison(
        "Fig. 8: I/O time saved against GEOS5-NetCDF, mean, " + way.text(),
        paper,
        times.reduction(way));
  }

  private Map<String, BarChart> charts(Geos5Times times) {
    List<Way> withDefaults = new ArrayList<>(List.of(Way.NETCDF));
    withDefaults.addAll(Geos5Times.SCHEMES);
    withDefaults.addAll(List.of(Way.BPS_DEFAULT, Way.LPS_DEFAULT, Way.IPS_DEFAULT));
    Map<String, BarChart> charts = new LinkedHashMap<>();
    charts.put(
        name() + "-fig2",
        chart(
            times,
            "GEOS-5 with NetCDF and with PnetCDF (Fig. 2)",
            List.of(Way.NETCDF, Way.PNETCDF),
            Geos5Times.TOTAL));
    charts.put(
        name() + "-fig3",
        parts(
            times,
            "GEOS5-NetCDF (Fig. 3)",
            Way.NETCDF,
            Map.of("communication", Geos5Times.MOVE, "write", Geos5Times.WRITE)));
    charts.put(
        name() + "-fig4",
        parts(
            times,
            "GEOS5-PnetCDF (Fig. 4)",
            Way.PNETCDF,
            Map.of("create", Geos5Times.CREATE, "write", Geos5Times.WRITE)));
    charts.put(
        name() + "-fig8",
        chart(times, "GEOS-5 with BPAR (Fig. 8)", withDefaults, Geos5Times.TOTAL));
    charts.put(
        name() + "-fig9",
        chart(times, "Shuffle time, mean of ranks (Fig. 9)", Geos5Times.SCHEMES, Geos5Times.MOVE));
    charts.put(
        name() + "-fig10",
        chart(
            times,
            "Collective write time (Fig. 10)",
            Geos5Times.SCHEMES,
            Geos5Times.COLLECTIVE_WRITE));
    return charts;
  }

  private static BarChart chart(Geos5Times times, String title, List<Way> ways, Part part) {
    List<BarChart.Group> groups = new ArrayList<>();
    for (int ranks : times.ranks()) {
      List<BarChart.Bar> bars = new ArrayList<>();
      for (Way way : ways) {
        bars.add(new BarChart.Bar(way.text(), times.seconds(way, ranks, part)));
      }
      groups.add(new BarChart.Group(ranks + " ranks", bars));
    }
    return new BarChart(title, "simulated s per step; less is better", groups);
  }

  private static BarChart parts(Geos5Times times, String title, Way way, Map<String, Part> parts) {
    List<BarChart.Group> groups = new ArrayList<>();
    for (int ranks : times.ranks()) {
      List<BarChart.Bar> bars = new ArrayList<>();
      new TreeMap<>(parts)
          .forEach(
              (name, part) -> bars.add(new BarChart.Bar(name, times.seconds(way, ranks, part))));
      groups.add(new BarChart.Group(ranks + " ranks", bars));
    }
    return new BarChart(title, "simulated s per step; less is better", groups);
  }
}
