// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Rounds;
import io.forebay.bench.Samples;
import io.forebay.bench.Scratch;
import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Our blocking collective writes next to those of PnetCDF, and our log next to its burst-buffer
 * driver, with the same pattern and elements, on the page cache. One thread.
 */
final class PnetcdfPeer {
  private static final double AIM = 0.8;
  private static final String WITHOUT_BURST_BUFFER =
      "This PnetCDF was built without its burst-buffer driver, so logs are not compared with it; "
          + PnetcdfProgram.FOLDER_VARIABLE
          + " names the folder of another one.";

  private final NetcdfGround ground;
  private final NetcdfOptions options;
  private final Scratch scratch;

  PnetcdfPeer(NetcdfGround ground, NetcdfOptions options, Scratch scratch) {
    this.ground = ground;
    this.options = options;
    this.scratch = scratch;
  }

  /** Adds results, or a note why there are none. */
  void measure(List<Workload> workloads, int rounds, List<Result> results, List<String> notes)
      throws IOException, InterruptedException {
    PnetcdfProgram program;
    Path work = scratch.onDevice("pnetcdf");
    try {
      program = PnetcdfProgram.compile(work);
    } catch (BenchmarkImpossible missing) {
      notes.add("No comparison with PnetCDF: " + missing.getMessage() + ".");
      return;
    }
    Map<Mode, String> drivers = new EnumMap<>(Mode.class);
    if (options.modes().contains(Mode.DIRECT)) drivers.put(Mode.DIRECT, "PnetCDF, blocking");
    if (options.modes().contains(Mode.LOG_PROCESS)) {
      if (program.hasBurstBuffer(work)) drivers.put(Mode.LOG_PROCESS, "PnetCDF, burst buffer");
      else notes.add(WITHOUT_BURST_BUFFER);
    }
    Path theirs = scratch.inMemory("pnetcdf");
    Path logs = scratch.inMemory("pnetcdf-logs");
    for (Workload workload : workloads) {
      Path script = work.resolve("script-" + workload.size());
      for (Map.Entry<Mode, String> driver : drivers.entrySet()) {
        Path place = driver.getKey() == Mode.DIRECT ? null : logs;
        Run run = () -> program.write(workload.pattern(), script, theirs, place).totalNanos();
        results.add(beside(workload, driver.getKey(), driver.getValue(), run, rounds));
        String same = ground.compare(workload, theirs, options);
        if (!notes.contains(same)) notes.add(same);
      }
    }
  }

  /** Writes with PnetCDF; returns how long it took. */
  private interface Run {
    long write() throws IOException;
  }

  /** Our rate next to theirs, measured in turns. */
  private Result beside(Workload workload, Mode mode, String driver, Run theirs, int rounds)
      throws IOException, InterruptedException {
    long bytes = workload.pattern().totalBytes();
    List<Samples> rates =
        Rounds.figures(
            rounds,
            1,
            List.of(
                () ->
                    Rate.mibPerSecond(
                        bytes,
                        ground
                            .measure(workload, mode, Store.FAST, LogPlace.LOCAL, options)
                            .totalNanos()),
                () -> Rate.mibPerSecond(bytes, theirs.write())));
    String size = workload.kind().isIor() ? Rate.sizeName((int) workload.size()) + " " : "";
    String how = options.kind().name().toLowerCase(Locale.ROOT);
    String name = "%sfast %s as %s".formatted(size, mode.text(), how);
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, rates.get(0))
        .against(driver, rates.get(1))
        .aimingAt(AIM);
  }
}
