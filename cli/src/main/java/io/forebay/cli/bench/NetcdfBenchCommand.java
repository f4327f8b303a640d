// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.bench.Benchmark;
import io.forebay.bench.Report;
import io.forebay.bench.Result;
import io.forebay.bench.Table;
import io.forebay.bench.netcdf.BreakdownTable;
import io.forebay.bench.netcdf.LogBenchmark;
import io.forebay.bench.netcdf.LogPlace;
import io.forebay.bench.netcdf.NetcdfBenchmark;
import io.forebay.bench.netcdf.NetcdfOptions;
import io.forebay.bench.netcdf.ReorderBenchmark;
import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import io.forebay.cli.bench.BenchCommand.BenchmarkCommand;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Lists the benchmarks of parallel netCDF; each is a command of its own. */
@Command(
    name = "netcdf",
    description = "Parallel netCDF: the patterns of the paper on a logging driver, in every mode.",
    subcommands = {
      NetcdfBenchCommand.Contiguous.class,
      NetcdfBenchCommand.Strided.class,
      NetcdfBenchCommand.Flash.class,
      NetcdfBenchCommand.BtioStrong.class,
      NetcdfBenchCommand.BtioWeak.class,
      NetcdfBenchCommand.Reorder.class,
      NetcdfBenchCommand.Log.class
    })
final class NetcdfBenchCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    spec.commandLine().usage(out);
    out.flush();
  }

  /** One pattern, with the options that all of them have. */
  abstract static class PatternCommand extends BenchmarkCommand {
    private final Workload.Kind kind;
    private final NetcdfOptions usual = NetcdfOptions.usual();

    @Option(
        names = "--ranks",
        paramLabel = "HOW",
        description =
            "Ranks are threads, or processes under mpirun: mpi, or fresh for new ones in each trial"
                + " (default: threads).")
    private NetcdfOptions.RankKind ranks = NetcdfOptions.RankKind.THREADS;

    @Option(
        names = "--size",
        paramLabel = "N",
        description = "How many ranks (default: 4, and 9 for BTIO, which takes squares).")
    private int size;

    @Option(
        names = "--ranks-per-node",
        paramLabel = "N",
        description = "How many ranks are treated as one node (default: all).")
    private int ranksPerNode;

    @Option(
        names = "--compute",
        paramLabel = "MILLIS",
        description = "How long ranks compute before each collective write (default: 0).")
    private int computeMillis;

    @Option(
        names = "--modes",
        paramLabel = "MODE",
        split = ",",
        converter = ModeConverter.class,
        description =
            "Measure only these: direct, log-process, log-node, log-background, logfs,"
                + " logfs-collective, stage-out, elevator (default: all).")
    private Set<Mode> modes = EnumSet.noneOf(Mode.class);

    @Option(
        names = "--logs",
        paramLabel = "WHERE",
        split = ",",
        description =
            "Where logs are: local, on a shared or on a private instance (default: all of"
                + " these; with --quick local).")
    private Set<LogPlace> logs = EnumSet.noneOf(LogPlace.class);

    @Option(
        names = "--store",
        paramLabel = "STORE",
        split = ",",
        description =
            "Destinations: fast (page cache), slow (slow profile), device (a throttled loop device;"
                + " takes root) (default: fast,slow).")
    private Set<Store> stores = EnumSet.noneOf(Store.class);

    @Option(names = "--without-pnetcdf", description = "Do not compare with PnetCDF.")
    private boolean withoutPnetcdf;

    PatternCommand(Workload.Kind kind) {
      super(new NetcdfBenchmark(kind, NetcdfOptions.usual()));
      this.kind = kind;
    }

    @Override
    Benchmark benchmark() {
      Set<Store> chosen = stores.isEmpty() ? usual.stores() : stores;
      NetcdfOptions options =
          new NetcdfOptions(
              ranks,
              size,
              ranksPerNode,
              computeMillis,
              modes.isEmpty() ? usual.modes() : modes,
              logs,
              chosen,
              null,
              !withoutPnetcdf);
      return chosen.contains(Store.DEVICE)
          ? new DeviceBenchmark(kind, options)
          : new NetcdfBenchmark(kind, options);
    }

    /** Bandwidths with their targets first, then their components. */
    @Override
    List<String> lines(Report report) {
      List<Result> results = report.outcome().results();
      Benchmark.Outcome bandwidths =
          new Benchmark.Outcome(
              results.stream().filter(each -> !BreakdownTable.holds(each)).toList(),
              report.outcome().notes());
      List<String> lines =
          new ArrayList<>(
              Table.lines(
                  new Report(
                      report.bench(),
                      report.commit(),
                      report.machine(),
                      report.seed(),
                      bandwidths)));
      lines.add("");
      lines.addAll(BreakdownTable.lines(results));
      return lines;
    }
  }

  static final class ModeConverter implements ITypeConverter<Mode> {
    @Override
    public Mode convert(String word) {
      try {
        return Mode.of(word);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  @Command(
      name = "ior-contiguous",
      description = "IOR with transfers as long as blocks: each step of all ranks is one range.")
  static final class Contiguous extends PatternCommand {
    Contiguous() {
      super(Workload.Kind.IOR_CONTIGUOUS);
    }
  }

  @Command(
      name = "ior-strided",
      description = "IOR with one segment: each step of all ranks touches pieces far apart.")
  static final class Strided extends PatternCommand {
    Strided() {
      super(Workload.Kind.IOR_STRIDED);
    }
  }

  @Command(name = "flash", description = "FLASH-IO: a checkpoint and two plot files.")
  static final class Flash extends PatternCommand {
    Flash() {
      super(Workload.Kind.FLASH);
    }
  }

  @Command(name = "btio-strong", description = "BTIO, the same grid for any number of ranks.")
  static final class BtioStrong extends PatternCommand {
    BtioStrong() {
      super(Workload.Kind.BTIO_STRONG);
    }
  }

  @Command(name = "btio-weak", description = "BTIO, a grid that grows with the ranks.")
  static final class BtioWeak extends PatternCommand {
    BtioWeak() {
      super(Workload.Kind.BTIO_WEAK);
    }
  }

  @Command(
      name = "reorder",
      description = "Two-level reordering of BTIO's requests next to sorting everything.")
  static final class Reorder extends BenchmarkCommand {
    Reorder() {
      super(new ReorderBenchmark());
    }
  }

  @Command(name = "log", description = "Writes into a log next to a plain append with a checksum.")
  static final class Log extends BenchmarkCommand {
    Log() {
      super(new LogBenchmark());
    }
  }
}
