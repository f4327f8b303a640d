package io.forebay.bench.netcdf;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.bench.netcdf.mode.Mode;
import io.forebay.bench.netcdf.pattern.Pattern;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Our blocking collective writes next to those of PnetCDF, with the same pattern and elements, on
 * the page cache. One thread.
 */
final class PnetcdfPeer {
  private static final double AIM = 0.8;

  private final NetcdfGround ground;
  private final NetcdfOptions options;
  private final Scratch scratch;

  PnetcdfPeer(NetcdfGround ground, NetcdfOptions options, Scratch scratch) {
    this.ground = ground;
    this.options = options;
    this.scratch = scratch;
  }

  /** Adds a result, or a note why there is none. */
  void measure(Workload workload, int rounds, List<Result> results, List<String> notes)
      throws IOException, InterruptedException {
    PnetcdfProgram program;
    Path work = scratch.onDevice("pnetcdf");
    try {
      program = PnetcdfProgram.compile(work);
    } catch (BenchmarkImpossible missing) {
      notes.add("No comparison with PnetCDF: " + missing.getMessage() + ".");
      return;
    }
    Pattern pattern = workload.pattern();
    Path theirs = scratch.inMemory("pnetcdf");
    Path script = work.resolve("script");
    long bytes = pattern.totalBytes();
    List<Samples> rates =
        Rounds.figures(
            rounds,
            1,
            List.of(
                () ->
                    Rate.mibPerSecond(
                        bytes,
                        ground
                            .measure(workload, Mode.DIRECT, Store.FAST, LogPlace.LOCAL, options)
                            .totalNanos()),
                () -> Rate.mibPerSecond(bytes, program.write(pattern, script, theirs))));
    String how = options.kind().name().toLowerCase(Locale.ROOT);
    String size = workload.kind().isIor() ? Rate.sizeName((int) workload.size()) + " " : "";
    results.add(
        Result.of(size + "fast direct as " + how, Rate.MIB_PER_SECOND, Better.HIGHER, rates.get(0))
            .against("PnetCDF, blocking", rates.get(1))
            .aimingAt(AIM));
    notes.add(ground.compare(workload, theirs, options));
  }
}
