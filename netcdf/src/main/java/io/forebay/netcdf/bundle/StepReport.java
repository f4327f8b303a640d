// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.Map;

/**
 * How one step went; the same on all ranks. The times are those of the rank that was the last to
 * end, so that they add up.
 *
 * @param scheme how ranks were divided
 * @param predictedNanos what the cost model expected of each scheme; empty without a choice
 * @param totalNanos from the call until the last rank had done its part
 * @param createNanos waiting for the file to exist
 * @param shuffleNanos packing, sending and receiving parts of planes between all ranks
 * @param aggregateNanos moving planes to the ranks that write, within groups
 * @param writeNanos waiting for writes
 * @param memoryBytes the most memory that any rank used for the bytes of the step
 */
public record StepReport(
    Scheme scheme,
    Map<Scheme, Long> predictedNanos,
    long totalNanos,
    long createNanos,
    long shuffleNanos,
    long aggregateNanos,
    long writeNanos,
    long memoryBytes) {}
