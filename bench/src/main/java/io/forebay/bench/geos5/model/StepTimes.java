// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

/**
 * How long one step took on the simulated cluster, and its parts.
 *
 * @param moveNanos moving parts of planes between all ranks: the shuffle, or the way to the master
 * @param lastMoveNanos the same until the last rank has its parts; {@code moveNanos} is the mean of
 *     ranks where the two differ
 * @param aggregateNanos moving planes within groups
 */
public record StepTimes(
    long totalNanos,
    long createNanos,
    long moveNanos,
    long lastMoveNanos,
    long aggregateNanos,
    long writeNanos) {
  /** What the paper calls the collective write operation: aggregation and writes. */
  public long collectiveWriteNanos() {
    return totalNanos - createNanos - moveNanos;
  }
}
