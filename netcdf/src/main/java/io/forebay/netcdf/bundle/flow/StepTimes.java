// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

/**
 * One rank's time in a step, by what it went to.
 *
 * @param createNanos waiting for files to exist
 * @param shuffleNanos parts of planes between all ranks
 * @param aggregateNanos planes within a group, to the ranks that write
 * @param writeNanos waiting for writes
 */
public record StepTimes(long createNanos, long shuffleNanos, long aggregateNanos, long writeNanos) {
  static final StepTimes NONE = new StepTimes(0, 0, 0, 0);

  StepTimes plusCreate(long nanos) {
    return new StepTimes(createNanos + nanos, shuffleNanos, aggregateNanos, writeNanos);
  }

  StepTimes plusShuffle(long nanos) {
    return new StepTimes(createNanos, shuffleNanos + nanos, aggregateNanos, writeNanos);
  }

  StepTimes plusAggregate(long nanos) {
    return new StepTimes(createNanos, shuffleNanos, aggregateNanos + nanos, writeNanos);
  }

  StepTimes plusWrite(long nanos) {
    return new StepTimes(createNanos, shuffleNanos, aggregateNanos, writeNanos + nanos);
  }
}
