// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import io.forebay.bench.transfer.Cost;
import java.util.List;

/**
 * What one hop reaches alone.
 *
 * @param costs of each round; the processor time is 0 where it is not known
 */
record Hop(String name, List<Cost> costs) {
  Hop {
    costs = List.copyOf(costs);
  }

  Samples rates() {
    return Samples.of(costs, Cost::mibPerSecond);
  }

  double mibPerSecond() {
    return rates().median();
  }

  double cpuSecondsPerGib() {
    return Samples.of(costs, Cost::cpuSecondsPerGib).median();
  }

  Result result() {
    return Result.of(name, Rate.MIB_PER_SECOND, Better.HIGHER, rates());
  }
}
