// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.base.ByteSize;
import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Result;
import io.forebay.bench.Scratch;
import io.forebay.bench.geos5.output.Way;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.file.Netcdf4Provider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/** The output of GEOS-5 in every way: the rate, and what the time of a step consists of. */
public final class Geos5Benchmark implements Benchmark {
  private static final long SPARE_BYTES = 256L << 20;

  private final Geos5Options chosen;

  public Geos5Benchmark(Geos5Options chosen) {
    this.chosen = chosen;
  }

  @Override
  public String name() {
    return "geos5";
  }

  @Override
  public Outcome run(Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    Geos5Scale usual = options.quick() ? Geos5Scale.quick() : Geos5Scale.full();
    return run(usual.with(chosen.amount()), options, progress);
  }

  Outcome run(Geos5Scale scale, Options options, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    requireFormat();
    Geos5Workload workload = scale.workload(chosen.amount(), chosen.format());
    long bytes = workload.totalBytes();
    List<Result> results = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    long roomBytes = 4 * bytes + SPARE_BYTES;
    try (Scratch scratch = new Scratch(options.directory(), roomBytes, roomBytes);
        Geos5Ground ground = Geos5Ground.open(scratch, chosen.stores(), bytes)) {
      notes.addAll(scratch.notes());
      notes.add(describe(workload));
      Set<Way> ways = ways(options.quick(), ground, notes);
      for (int ranks : chosen.sizes()) {
        Path directory = scratch.onDevice("ranks-" + ranks);
        try (Geos5Crew crew = Geos5Crew.start(chosen, ranks, directory)) {
          CaseRun run = new CaseRun(ground, crew, ranks, workload, chosen.memoryBytes());
          for (Geos5Store store : EnumSet.copyOf(chosen.stores())) {
            progress.measuring("%d ranks to %s".formatted(ranks, store.label()));
            Geos5Case measured = run.measure(store, ways, scale, notes);
            results.addAll(new Geos5Figures(chosen).results(measured));
            notes.addAll(Geos5Verdicts.of(measured));
          }
        }
      }
    }
    return new Outcome(results, notes);
  }

  private void requireFormat() throws BenchmarkImpossible {
    if (chosen.format() != BundleFormat.NETCDF4) return;
    if (ServiceLoader.load(Netcdf4Provider.class).findFirst().isEmpty()) {
      throw new BenchmarkImpossible(
          "--format netcdf4 needs the module forebay-netcdf4 on the class path and the C library"
              + " netCDF; choose cdf5");
    }
    for (Geos5Store store : chosen.stores()) {
      if (!store.isPlain()) {
        throw new BenchmarkImpossible(
            "the C library netCDF cannot write to the store %s; choose --store directory or memory"
                .formatted(store.word()));
      }
    }
  }

  /** The ways that are possible here, with a sentence on each of the others. */
  private Set<Way> ways(boolean quick, Geos5Ground ground, List<String> notes) throws IOException {
    Set<Way> ways = EnumSet.of(Way.GEOS5_NETCDF);
    ways.addAll(chosen.ways());
    if (chosen.ways().isEmpty()) {
      ways.addAll(EnumSet.allOf(Way.class));
      // It starts processes for each trial, which takes longer than the trial.
      if (quick) ways.remove(Way.GEOS5_PNETCDF_C);
    }
    if (chosen.format() == BundleFormat.NETCDF4) {
      notes.add("No GEOS5-PnetCDF: it has classic formats only. Files are not compared.");
      ways.removeAll(EnumSet.of(Way.GEOS5_PNETCDF, Way.GEOS5_PNETCDF_C));
    } else if (ways.remove(Way.BPS_SERIAL) && chosen.ways().contains(Way.BPS_SERIAL)) {
      notes.add("No %s: it is for --format netcdf4.".formatted(Way.BPS_SERIAL.word()));
    }
    if (ways.contains(Way.GEOS5_PNETCDF_C)) {
      String missing =
          chosen.stores().stream().anyMatch(Geos5Store::isPlain)
              ? ground.compile()
              : "that program writes to directory and memory only";
      if (!missing.isEmpty()) {
        notes.add("No %s: %s.".formatted(Way.GEOS5_PNETCDF_C.word(), missing));
        ways.remove(Way.GEOS5_PNETCDF_C);
      }
    }
    return ways;
  }

  private String describe(Geos5Workload workload) {
    return "%s ranks as %s, %d on a node; %d steps of %s in 7 bundles of %dx%d planes, %s; %s"
        .formatted(
            String.join(", ", chosen.sizes().stream().map(String::valueOf).toList()),
            chosen.ranks() == Geos5Options.RankKind.THREADS ? "threads" : "processes of MPI",
            chosen.ranksPerNode(),
            workload.steps(),
            ByteSize.format(workload.stepBytes()),
            workload.grid().rows(),
            workload.grid().columns(),
            workload.format(),
            String.join(
                "; ",
                EnumSet.copyOf(chosen.stores()).stream()
                    .map(each -> each.word() + " is " + each.label())
                    .toList()));
  }
}
