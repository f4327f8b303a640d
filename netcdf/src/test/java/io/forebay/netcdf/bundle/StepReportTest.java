// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepReportTest {
  private static StepReport report(Map<Scheme, Long> predicted) {
    return new StepReport(
        Scheme.BPS, predicted, 12_345_678, 0, 4_000_000, 3_060_000, 5_200_000, 3 << 20);
  }

  @Test
  void aLineHasPredictionsAndMeasurements() {
    assertThat(report(Map.of(Scheme.IPS, 15_100_000L, Scheme.BPS, 11_900_000L, Scheme.LPS, 0L)))
        .hasToString(
            "BPS 12.3 ms (predicted 11.9; LPS 0.0, IPS 15.1):"
                + " create 0.0, shuffle 4.0, aggregate 3.1, write 5.2; memory 3 MiB");
  }

  @Test
  void withoutAChoiceThereAreNoPredictions() {
    assertThat(report(Map.of()).toString()).startsWith("BPS 12.3 ms: create 0.0, ");
  }
}
