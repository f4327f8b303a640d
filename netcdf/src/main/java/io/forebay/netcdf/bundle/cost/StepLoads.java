// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The work of every group under every scheme.
 *
 * @param stepBytes what all groups write together
 */
record StepLoads(Map<Scheme, List<GroupLoad>> groups, long stepBytes) {
  /** The time of a step under each scheme. */
  Map<Scheme, Double> nanos(MachineCosts costs) {
    CostModel model = new CostModel(costs, stepBytes);
    Map<Scheme, Double> nanos = new EnumMap<>(Scheme.class);
    groups.forEach((scheme, loads) -> nanos.put(scheme, model.stepNanos(loads)));
    return nanos;
  }
}
