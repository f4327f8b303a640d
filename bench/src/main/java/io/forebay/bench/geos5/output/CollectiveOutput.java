// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.netcdf.CreateMode;
import io.forebay.netcdf.Hints;
import io.forebay.netcdf.NetcdfFile;
import io.forebay.netcdf.Selection;
import io.forebay.netcdf.VariableId;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.util.List;

/** GEOS-5 with PnetCDF: all ranks write each bundle together, one bundle after the other. */
final class CollectiveOutput implements StepOutput {
  private final OutputGround ground;
  private long createNanos;
  private long writeNanos;

  CollectiveOutput(OutputGround ground) {
    this.ground = ground;
  }

  @Override
  public void write(int step) throws IOException {
    createNanos = 0;
    writeNanos = 0;
    for (int bundle = 0; bundle < ground.pattern().bundles().size(); bundle++) write(step, bundle);
  }

  private void write(int step, int number) throws IOException {
    BundlePattern pattern = ground.pattern();
    Bundle bundle = pattern.bundles().get(number);
    long start = System.nanoTime();
    NetcdfFile file =
        ground
            .files()
            .create(
                ground.group(),
                ground.place() + BundlePattern.name(bundle, step),
                pattern.format(),
                CreateMode.REPLACE,
                Hints.parse("burst_buffer=disable"));
    List<VariableId> ids = BundlePattern.shape(bundle, step).define(file);
    createNanos += System.nanoTime() - start;
    pattern.puts(
        pattern.file(step, number),
        ground.group().rank(),
        put -> {
          long count = put.part().elements();
          Selection selection = count == 0 ? Selection.none() : Selection.list(List.of(put.part()));
          file.putAll(
              ids.get(put.variable()),
              selection,
              ground.values(step, number, put.variable(), count));
        });
    writeNanos += file.statistics().fileWriteNanos();
    start = System.nanoTime();
    file.close();
    writeNanos += System.nanoTime() - start;
  }

  @Override
  public StepTimes times(long totalNanos) {
    long[] slowest = ground.group().allReduce(new long[] {createNanos, writeNanos}, Reduction.MAX);
    return StepTimes.communicating(totalNanos, slowest[0], slowest[1]);
  }

  @Override
  public void close() {}
}
