// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.base.ByteSize;
import io.forebay.bench.Benchmark;
import io.forebay.bench.Report;
import io.forebay.bench.Result;
import io.forebay.bench.Table;
import io.forebay.bench.path.CurvePlot;
import io.forebay.bench.path.CurvePoint;
import io.forebay.bench.path.CurveTable;
import io.forebay.bench.path.PathBenchmark;
import io.forebay.bench.path.PathOptions;
import io.forebay.cli.terminal.CommandFailed;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Each hop of the path of a byte, and the whole path next to what its hops allow. */
@Command(
    name = "path",
    description =
        "Which hop limits: client, network, server, device, backing store and FUSE alone, then"
            + " together next to the ceiling that follows.")
final class PathCommand extends BenchCommand.BenchmarkCommand {
  @Spec private @Nullable CommandSpec own;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = "Bytes of a write or read of a client (default: 1MiB).")
  private ByteSize size = new ByteSize(PathOptions.TRANSFER_BYTES_DEFAULT);

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Clients at a time (default: ${DEFAULT-VALUE}).")
  private int clients = PathOptions.CLIENTS_DEFAULT;

  @Option(
      names = "--servers",
      paramLabel = "N",
      description = "Servers of the ring that is started (default: ${DEFAULT-VALUE}).")
  private int servers = PathOptions.SERVERS_DEFAULT;

  @Option(
      names = "--copies",
      paramLabel = "K",
      description = "Copies of each byte there (default: 2, or 1 of 1).")
  private @Nullable Integer copies;

  @Option(
      names = {"-u", "--uri"},
      paramLabel = "URI",
      description = "Measure the path to this instance of a running ring instead.")
  private @Nullable String uri;

  @Option(
      names = "--backing",
      paramLabel = "STORE",
      description =
          "The backing store, as of instances (default: a directory as slow as the slow profile).")
  private @Nullable String backing;

  @Option(
      names = "--remote",
      paramLabel = "HOST:PORT",
      split = ",",
      description =
          "Helpers on other machines, started there with 'forebay bench path-helper' (default:"
              + " processes of this one).")
  private List<String> helpers = List.of();

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Also write the network's curves there, as SVG.")
  private @Nullable Path plot;

  PathCommand() {
    super(new PathBenchmark(PathOptions.defaults()));
  }

  @Override
  Benchmark benchmark() {
    try {
      if (size.bytes() > PathOptions.TRANSFER_BYTES_MAX) {
        throw new IllegalArgumentException("--size must be at most 16 MiB");
      }
      int number = copies != null ? copies : Math.min(PathOptions.COPIES_DEFAULT, servers);
      return new PathBenchmark(
          new PathOptions((int) size.bytes(), clients, servers, number, uri, backing, addresses()));
    } catch (IllegalArgumentException e) {
      if (own == null) throw new IllegalStateException("run outside of a command line");
      throw new ParameterException(own.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private List<Address> addresses() {
    return helpers.stream().map(Address::parse).toList();
  }

  @Override
  void finished(Report report) {
    if (plot == null) return;
    try {
      Files.writeString(plot, CurvePlot.svg(report.outcome().results()));
    } catch (IOException e) {
      throw new CommandFailed("'%s' cannot be written: %s".formatted(plot, e.getMessage()), e);
    }
  }

  @Override
  List<String> lines(Report report) {
    List<Result> hops = new ArrayList<>();
    for (Result result : report.outcome().results()) {
      if (CurvePoint.of(result) == null) hops.add(result);
    }
    Benchmark.Outcome shown = new Benchmark.Outcome(hops, report.outcome().notes());
    List<String> lines =
        new ArrayList<>(
            Table.lines(
                new Report(
                    report.bench(), report.commit(), report.machine(), report.seed(), shown)));
    lines.add("");
    lines.addAll(CurveTable.lines(report.outcome().results()));
    return lines;
  }
}
