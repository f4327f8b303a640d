// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.netcdf.bundle.BundleOptions;
import io.forebay.netcdf.bundle.BundleSet;
import io.forebay.netcdf.bundle.StepData;
import io.forebay.netcdf.bundle.StepReport;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Groups of ranks write, each its own bundle. */
final class BundledOutput implements StepOutput {
  private final OutputGround ground;
  private final BundleSet set;
  private @Nullable StepReport report;

  /** Makes all ranks ready; collective. */
  BundledOutput(OutputGround ground, BundleOptions options) throws IOException {
    this.ground = ground;
    set =
        BundleSet.create(
            ground.group(),
            ground.pattern().bundles(),
            Blocks.even(ground.group()),
            options,
            ground.files());
  }

  @Override
  public void write(int step) throws IOException {
    report = set.write(ground.place() + BundlePattern.names(step), data(step));
  }

  private StepData data(int step) {
    List<Bundle> bundles = ground.pattern().bundles();
    StepData data = new StepData();
    for (int b = 0; b < bundles.size(); b++) {
      Bundle bundle = bundles.get(b);
      long block = Blocks.even(ground.group()).apply(bundle.grid()).elements();
      for (int v = 0; v < bundle.variables().size(); v++) {
        PlaneVariable variable = bundle.variables().get(v);
        data.put(
            bundle.name(), variable.name(), ground.values(step, b, v, variable.planes() * block));
      }
    }
    return data;
  }

  @Override
  public StepTimes times(long totalNanos) {
    StepReport last = report;
    if (last == null) throw new IllegalStateException("nothing was written");
    return new StepTimes(
        totalNanos,
        last.createNanos(),
        last.shuffleNanos(),
        last.aggregateNanos(),
        last.writeNanos(),
        last.memoryBytes(),
        Optional.of(last.scheme()),
        last.predictedNanos());
  }

  @Override
  public void close() throws IOException {
    set.close();
  }
}
