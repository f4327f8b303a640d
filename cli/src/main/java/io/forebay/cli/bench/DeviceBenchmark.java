// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.bench;

import io.forebay.bench.Benchmark;
import io.forebay.bench.BenchmarkImpossible;
import io.forebay.bench.Scratch;
import io.forebay.bench.netcdf.NetcdfBenchmark;
import io.forebay.bench.netcdf.NetcdfOptions;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.cli.demo.LoopDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A netCDF pattern on a throttled device that exists only during the run. */
record DeviceBenchmark(Workload.Kind kind, NetcdfOptions options) implements Benchmark {
  private static final long DEVICE_BYTES = 1L << 30;

  @Override
  public String name() {
    return new NetcdfBenchmark(kind, options).name();
  }

  @Override
  public Outcome run(Options given, Progress progress)
      throws IOException, InterruptedException, BenchmarkImpossible {
    long bytes = LoopDevice.imageBytes(DEVICE_BYTES);
    try (Scratch scratch = new Scratch(given.directory(), 0, bytes)) {
      Path memory = scratch.inMemory("device");
      try (LoopDevice device = new LoopDevice(memory, memory)) {
        device.mount(DEVICE_BYTES);
        NetcdfBenchmark benchmark = new NetcdfBenchmark(kind, options.onDevice(device.directory()));
        Outcome outcome = benchmark.run(given, progress);
        List<String> notes = new ArrayList<>(outcome.notes());
        notes.add("device is " + device.label() + ", to which files are forced");
        return new Outcome(outcome.results(), notes);
      } catch (LoopDevice.Impossible impossible) {
        throw new BenchmarkImpossible(
            "no throttled device (%s); run as root, or leave --store device out"
                .formatted(impossible.getMessage()));
      }
    }
  }
}
