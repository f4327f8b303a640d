// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.geos5.Geos5Bundles;
import io.forebay.netcdf.bundle.BundleOptions;
import io.forebay.netcdf.bundle.BundleSet;
import io.forebay.netcdf.bundle.StepReport;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The library's choice of a scheme, on simulated ranks and store. */
class AutomaticSchemeTest {
  private static final int RANKS = 24;
  private static final int STEPS = 10;

  /** What each rank was told of each step. */
  private static List<List<StepReport>> write() throws IOException {
    List<Bundle> bundles = Geos5Bundles.of(Geos5Bundles.HALF_DEGREE, 56, BundleFormat.CDF5);
    SimulatedRanks cluster = new SimulatedRanks(SimulatedMachine.discover(), RANKS);
    List<List<StepReport>> reports = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) reports.add(new ArrayList<>());
    cluster.run(
        group -> {
          try (BundleSet set =
              BundleSet.create(
                  group, bundles, Blocks.even(group), BundleOptions.defaults(), cluster.ground())) {
            for (int step = 0; step < STEPS; step++) {
              reports
                  .get(group.rank())
                  .add(set.write(step + BundleSet.NAME_PLACE, cluster.elements()));
            }
          }
        });
    return reports;
  }

  @Test
  void allRanksTakeTheSameSchemeAndExpectTheSame() throws IOException {
    List<List<StepReport>> reports = write();
    assertThat(reports).allSatisfy(each -> assertThat(each).isEqualTo(reports.getFirst()));
    assertThat(write()).as("the same on the same machine").isEqualTo(reports);
  }

  @Test
  void theFirstStepTellsWhatTheStoreCosts() throws IOException {
    List<StepReport> steps = write().getFirst();
    for (Scheme scheme : Scheme.values()) {
      assertThat(steps.get(1).predictedNanos().get(scheme))
          .isGreaterThan(steps.get(0).predictedNanos().get(scheme));
    }
  }
}
