// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.bench.Benchmark;
import io.forebay.bench.madbench.MadbenchBenchmark;
import io.forebay.bench.madbench.MadbenchOptions;
import io.forebay.cli.terminal.CommandFailed;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the I/O of MADbench2. */
@Command(
    name = "madbench",
    description =
        "MADbench2's I/O (S, W and C phases; shared and unique files) on an instance and on a slow"
            + " store, with the profile of each next to the paper's.")
final class MadbenchCommand extends BenchCommand.BenchmarkCommand {
  private static final MadbenchOptions USUAL = MadbenchOptions.usual(false);

  @Option(names = "--ranks", paramLabel = "N", description = "A square number (default: 16).")
  private @Nullable Integer ranks;

  @Option(
      names = "--pixels",
      paramLabel = "NPIX",
      description =
          "Rows and columns of a matrix (default: 1800; with --quick and no option of these 500).")
  private @Nullable Integer pixels;

  @Option(names = "--bins", paramLabel = "NBIN", description = "Matrices (default: 8; 4).")
  private @Nullable Integer bins;

  @Option(
      names = "--rmod",
      paramLabel = "RMOD",
      description = "Of so many ranks one reads at a time (default: 1, all at once).")
  private @Nullable Integer readModulus;

  @Option(names = "--wmod", paramLabel = "WMOD", description = "The same for writes.")
  private @Nullable Integer writeModulus;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      description = "Where parts of ranks begin: at multiples of this (default: 4096).")
  private @Nullable Integer block;

  MadbenchCommand() {
    super(new MadbenchBenchmark(null));
  }

  @Override
  Benchmark benchmark() {
    boolean none =
        ranks == null
            && pixels == null
            && bins == null
            && readModulus == null
            && writeModulus == null
            && block == null;
    if (none) return new MadbenchBenchmark(null);
    try {
      return new MadbenchBenchmark(
          new MadbenchOptions(
              or(ranks, USUAL.ranks()),
              or(pixels, USUAL.pixels()),
              or(bins, USUAL.bins()),
              or(readModulus, USUAL.readModulus()),
              or(writeModulus, USUAL.writeModulus()),
              or(block, USUAL.blockBytes())));
    } catch (IllegalArgumentException impossible) {
      throw new CommandFailed(String.valueOf(impossible.getMessage()), impossible);
    }
  }

  private static int or(@Nullable Integer given, int usual) {
    return given == null ? usual : given;
  }
}
