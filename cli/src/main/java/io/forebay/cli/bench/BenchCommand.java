// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.base.ByteSize;
import io.forebay.base.Json;
import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Machine;
import io.forebay.bench.Report;
import io.forebay.bench.Table;
import io.forebay.bench.balance.BalanceBenchmark;
import io.forebay.bench.drain.DrainBenchmark;
import io.forebay.bench.failover.FailoverBenchmark;
import io.forebay.bench.failover.RepairBenchmark;
import io.forebay.bench.ingest.IngestBenchmark;
import io.forebay.bench.ingest.MetricsBenchmark;
import io.forebay.bench.mdtest.MdtestBenchmark;
import io.forebay.bench.metarates.MetaratesBenchmark;
import io.forebay.bench.mount.MountBenchmark;
import io.forebay.bench.profile.ProfileBenchmark;
import io.forebay.bench.sqlite.SqliteBenchmark;
import io.forebay.bench.stabilization.StabilizationBenchmark;
import io.forebay.bench.stage.StageBenchmark;
import io.forebay.bench.store.StoreBenchmark;
import io.forebay.bench.tls.TlsBenchmark;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.cli.version.BuildInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the benchmarks; each is a command of its own. */
@Command(
    name = "bench",
    description = "Measure a part of Forebay next to a baseline; without a name, list the parts.",
    subcommands = {
      BenchCommand.StoreCommand.class,
      BenchCommand.IngestCommand.class,
      BenchCommand.TlsCommand.class,
      BenchCommand.MetricsCommand.class,
      BenchCommand.MetaratesCommand.class,
      BenchCommand.FailoverCommand.class,
      BenchCommand.RepairCommand.class,
      BenchCommand.StabilizationCommand.class,
      BenchCommand.BalanceCommand.class,
      BenchCommand.DrainCommand.class,
      BenchCommand.StageCommand.class,
      BenchCommand.MountCommand.class,
      BenchCommand.ProfileCommand.class,
      BenchCommand.MdtestCommand.class,
      BenchCommand.SqliteCommand.class,
      PathCommand.class,
      PathHelperCommand.class,
      NetcdfBenchCommand.class,
      Geos5Command.class,
      IorCommand.class,
      MadbenchCommand.class,
      ExperimentsCommand.class
    },
    footer = {"", "The exit code tells whether it ran, not whether the aims were met."})
public final class BenchCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec == null) throw new IllegalStateException("run outside of a command line");
    PrintWriter out = spec.commandLine().getOut();
    spec.commandLine().usage(out);
    out.flush();
  }

  @Command(
      name = "store",
      description = "A seat's local store: append, force, read, indexes, recovery.")
  static final class StoreCommand extends BenchmarkCommand {
    StoreCommand() {
      super(new StoreBenchmark());
    }
  }

  @Command(name = "ingest", description = "A ring of servers: write, read, copies, pairs, latency.")
  static final class IngestCommand extends BenchmarkCommand {
    IngestCommand() {
      super(new IngestBenchmark());
    }
  }

  @Command(
      name = "tls",
      description = "Writes over TLS: a ring and its links next to bare sockets and to plain ones.")
  static final class TlsCommand extends BenchmarkCommand {
    TlsCommand() {
      super(new TlsBenchmark());
    }
  }

  @Command(
      name = "metrics",
      description = "Writes to a ring whose metrics are read each second, and without a reader.")
  static final class MetricsCommand extends BenchmarkCommand {
    MetricsCommand() {
      super(new MetricsBenchmark());
    }
  }

  @Command(
      name = "metarates",
      description = "Names: create, stat, utime and unlink by several clients at once.")
  static final class MetaratesCommand extends BenchmarkCommand {
    MetaratesCommand() {
      super(new MetaratesBenchmark());
    }
  }

  @Command(
      name = "failover",
      description = "Servers killed under load: how long clients wait, and their rate afterwards.")
  static final class FailoverCommand extends BenchmarkCommand {
    FailoverCommand() {
      super(new FailoverBenchmark());
    }
  }

  @Command(
      name = "stabilization",
      description = "The cost of watching its neighbours for a seat, from 4 to 1,024 seats.")
  static final class StabilizationCommand extends BenchmarkCommand {
    StabilizationCommand() {
      super(new StabilizationBenchmark());
    }
  }

  @Command(
      name = "balance",
      description = "A burst to a single seat, with and without redirection.")
  static final class BalanceCommand extends BenchmarkCommand {
    BalanceCommand() {
      super(new BalanceBenchmark());
    }
  }

  @Command(
      name = "stage",
      description =
          "Staging: large files by two servers next to one, small files next to single copies.")
  static final class StageCommand extends BenchmarkCommand {
    StageCommand() {
      super(new StageBenchmark());
    }
  }

  @Command(
      name = "repair",
      description = "A server lost for good under load: how soon other servers have its copies.")
  static final class RepairCommand extends BenchmarkCommand {
    RepairCommand() {
      super(new RepairBenchmark());
    }
  }

  @Command(
      name = "drain",
      description =
          "Planning next to sorting everything; drains next to one sequential writer; ingest during"
              + " a drain; reads at a restart.")
  static final class DrainCommand extends BenchmarkCommand {
    @Option(
        names = "--part",
        paramLabel = "PART",
        split = ",",
        description =
            "Measure only these: plan, rate, writes, ingest, restart (default: all these), small.")
    private Set<DrainBenchmark.Part> parts = EnumSet.noneOf(DrainBenchmark.Part.class);

    @Option(
        names = "--size",
        paramLabel = "SIZE",
        description =
            "Drain a file of that size, such as 8GiB, by servers with a heap of 512 MiB"
                + " and a shuffle of 256 MiB; nothing else, unless --part says so.")
    private @Nullable ByteSize size;

    DrainCommand() {
      super(new DrainBenchmark());
    }

    @Override
    Benchmark benchmark() {
      boolean all = parts.isEmpty() && size == null;
      return new DrainBenchmark(
          all ? DrainBenchmark.USUAL : parts, size == null ? 0 : size.bytes());
    }
  }

  @Command(
      name = "mount",
      description =
          "Large and small writes and reads through a mount, next to the client alone, a"
              + " pass-through file system and the local disk.")
  static final class MountCommand extends BenchmarkCommand {
    MountCommand() {
      super(new MountBenchmark());
    }
  }

  @Command(
      name = "profile",
      description =
          "What it costs to count what programs do: mounts with a profile and without one.")
  static final class ProfileCommand extends BenchmarkCommand {
    ProfileCommand() {
      super(new ProfileBenchmark());
    }
  }

  @Command(
      name = "mdtest",
      description =
          "mdtest's phases on small files by 1 to 16 clients: one shared tree and private ones,"
              + " through the client and through mounts.")
  static final class MdtestCommand extends BenchmarkCommand {
    MdtestCommand() {
      super(new MdtestBenchmark());
    }
  }

  @Command(
      name = "sqlite",
      description =
          "Small accesses on a mount and on a slow store: SQLite with a transaction for each row,"
              + " forced writes, random reads.")
  static final class SqliteCommand extends BenchmarkCommand {
    SqliteCommand() {
      super(new SqliteBenchmark());
    }
  }

  /** Runs one benchmark: its options, its progress on stderr, its report on stdout. */
  public abstract static class BenchmarkCommand implements Runnable {
    private final Benchmark benchmark;

    @Spec private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "Measure less, within 45 seconds.")
    private boolean quick;

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description =
            "Directory for files on a device during the run (default: the temporary folder).")
    private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "The seed of all random choices (default: ${DEFAULT-VALUE}).")
    private long seed = 7;

    public BenchmarkCommand(Benchmark benchmark) {
      this.benchmark = benchmark;
    }

    /** The benchmark, from the options. */
    Benchmark benchmark() {
      return benchmark;
    }

    /** The report for people. */
    List<String> lines(Report report) {
      return Table.lines(report);
    }

    /** What is done with the report beside showing it. */
    void finished(Report report) {
      // Most benchmarks only show it.
    }

    @Override
    public final void run() {
      if (spec == null) throw new IllegalStateException("run outside of a command line");
      PrintWriter out = spec.commandLine().getOut();
      PrintWriter err = spec.commandLine().getErr();
      Report report =
          new Report(
              benchmark().name(),
              BuildInfo.load().commit(),
              Machine.current(),
              seed,
              measure(new BenchProgress(err)));
      finished(report);
      if (json) out.println(Json.write(report.toTree()));
      else lines(report).forEach(out::println);
      out.flush();
    }

    private Benchmark.Outcome measure(Benchmark.Progress progress) {
      try {
        return benchmark().run(new Benchmark.Options(quick, seed, directory), progress);
      } catch (BenchmarkImpossible impossible) {
        throw new CommandFailed(String.valueOf(impossible.getMessage()), impossible);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw new CommandFailed("interrupted", interrupt);
      }
    }
  }
}
