// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.memory;

/**
 * The delays and faults of messages.
 *
 * @param delayNanosMin the shortest time a message takes
 * @param delayNanosMax the longest
 * @param reordering the probability that a message may arrive before an earlier one of the same
 *     connection; the delayed message takes up to twice the longest time more
 * @param duplication the probability that a message arrives twice
 * @param damage the probability that one bit of a payload is flipped
 */
public record MemoryOptions(
    long delayNanosMin, long delayNanosMax, double reordering, double duplication, double damage) {
  /** Messages take no time and the contract of a network holds exactly. */
  public static final MemoryOptions PERFECT = new MemoryOptions(0, 0, 0, 0);

  /** Messages that arrive as they were sent. */
  public MemoryOptions(
      long delayNanosMin, long delayNanosMax, double reordering, double duplication) {
    this(delayNanosMin, delayNanosMax, reordering, duplication, 0);
  }

  public MemoryOptions {
    if (delayNanosMin < 0 || delayNanosMax < delayNanosMin) {
      throw new IllegalArgumentException(
          "delays from " + delayNanosMin + " to " + delayNanosMax + " ns");
    }
    if (!isProbability(reordering) || !isProbability(duplication) || !isProbability(damage)) {
      throw new IllegalArgumentException(
          "probabilities of %s, %s and %s, not from 0 to 1"
              .formatted(reordering, duplication, damage));
    }
  }

  public MemoryOptions withDamage(double probability) {
    return new MemoryOptions(delayNanosMin, delayNanosMax, reordering, duplication, probability);
  }

  private static boolean isProbability(double value) {
    return value >= 0 && value <= 1;
  }
}
