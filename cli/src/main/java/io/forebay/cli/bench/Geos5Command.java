// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.base.ByteSize;
import io.forebay.bench.Benchmark;
import io.forebay.bench.Report;
import io.forebay.bench.geos5.Geos5Benchmark;
import io.forebay.bench.geos5.Geos5Options;
import io.forebay.bench.geos5.Geos5Store;
import io.forebay.bench.geos5.Geos5Table;
import io.forebay.bench.geos5.output.Way;
import io.forebay.cli.bench.BenchCommand.BenchmarkCommand;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The output of GEOS-5: bundles written in every way. */
@Command(
    name = "geos5",
    description =
        "Bundles: the output of GEOS-5, seven files in each step, written by masters, by all ranks"
            + " together, and by groups of ranks.")
final class Geos5Command extends BenchmarkCommand {
  private static final Geos5Options USUAL = Geos5Options.usual();

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--ranks",
      paramLabel = "HOW",
      description = "Ranks are threads, or processes under mpirun: mpi (default: threads).")
  private Geos5Options.RankKind ranks = Geos5Options.RankKind.THREADS;

  @Option(
      names = "--sizes",
      paramLabel = "N",
      split = ",",
      description = "How many ranks; several are measured one after the other (default: 8).")
  private List<Integer> sizes = USUAL.sizes();

  @Option(
      names = "--ranks-per-node",
      paramLabel = "N",
      description = "How many ranks are treated as one node (default: ${DEFAULT-VALUE}).")
  private int ranksPerNode = USUAL.ranksPerNode();

  @Option(
      names = "--grid",
      paramLabel = "ROWSxCOLUMNS",
      description = "The floats of a plane (default: 91x144; half a degree is 361x576).")
  private @Nullable String grid;

  @Option(
      names = "--planes",
      paramLabel = "N",
      description = "Planes of all bundles together in a step (default: 448; with --quick 224).")
  private @Nullable Integer planes;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Steps of a trial (default: 8; with --quick 4).")
  private @Nullable Integer steps;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often each way is measured, at least 5; more for steps so short that they differ by"
              + " more than the ways do (default: 5).")
  private @Nullable Integer rounds;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      split = ",",
      description =
          "Destinations: slow (slow profile), directory (of --dir), memory, ring (an instance on"
              + " servers of its own) (default: slow,directory).")
  private Set<Geos5Store> stores = EnumSet.noneOf(Geos5Store.class);

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Of the files: cdf1, cdf2, cdf5 or netcdf4 (default: cdf5).")
  private BundleFormat format = USUAL.format();

  @Option(
      names = "--ways",
      paramLabel = "WAY",
      split = ",",
      converter = WayConverter.class,
      completionCandidates = WayWords.class,
      description =
          "Measure GEOS5-NetCDF and these: ${COMPLETION-CANDIDATES} (default: all; with --quick all"
              + " but GEOS5-PnetCDF-C).")
  private Set<Way> ways = EnumSet.noneOf(Way.class);

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "What a rank may use for the bytes of a step (default: 64MiB).")
  private ByteSize memory = new ByteSize(USUAL.memoryBytes());

  @Option(
      names = "--explain",
      description = "Also print the predictions of auto next to measurements, step by step.")
  private boolean explain;

  Geos5Command() {
    super(new Geos5Benchmark(USUAL));
  }

  @Override
  Benchmark benchmark() {
    try {
      return new Geos5Benchmark(
          new Geos5Options(
              ranks,
              sizes,
              ranksPerNode,
              amount(),
              stores.isEmpty() ? USUAL.stores() : stores,
              format,
              ways,
              memory.bytes(),
              explain));
    } catch (IllegalArgumentException bad) {
      if (spec == null) throw new IllegalStateException("run outside of a command line", bad);
      throw new ParameterException(spec.commandLine(), String.valueOf(bad.getMessage()), bad);
    }
  }

  private Geos5Options.Amount amount() {
    Geos5Options.Amount amount = Geos5Options.Amount.usual();
    if (grid != null) amount = amount.withGrid(grid);
    if (planes != null) amount = amount.withPlanes(planes);
    if (steps != null) amount = amount.withSteps(steps);
    return rounds == null ? amount : amount.withRounds(rounds);
  }

  @Override
  List<String> lines(Report report) {
    return Geos5Table.lines(report);
  }

  /** The words of ways. */
  static final class WayWords implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Way.values()).map(Way::word).iterator();
    }
  }

  static final class WayConverter implements ITypeConverter<Way> {
    @Override
    public Way convert(String word) {
      try {
        return Way.of(word);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
