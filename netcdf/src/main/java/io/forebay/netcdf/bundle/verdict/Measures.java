// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.verdict;

import io.forebay.netcdf.bundle.file.StoreUse;
import io.forebay.netcdf.bundle.flow.StepTimes;

/**
 * What was measured in a step, on one rank or on several.
 *
 * @param totalNanos of the slowest rank
 * @param times of the slowest rank
 * @param store of all ranks
 * @param memoryBytes the most that one rank used
 */
public record Measures(long totalNanos, StepTimes times, StoreUse store, long memoryBytes) {
  Measures merge(Measures other) {
    Measures slowest = totalNanos >= other.totalNanos ? this : other;
    return new Measures(
        slowest.totalNanos,
        slowest.times,
        store.merge(other.store),
        Math.max(memoryBytes, other.memoryBytes));
  }
}
