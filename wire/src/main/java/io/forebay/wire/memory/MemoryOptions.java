package io.forebay.wire.memory;

/**
 * How well messages travel.
 *
 * @param delayNanosMin the shortest time a message takes
 * @param delayNanosMax the longest
 * @param reordering how probably a message may arrive before one that was sent earlier on the same
 *     connection; such a message takes up to twice the longest time more
 * @param duplication how probably a message arrives twice
 */
public record MemoryOptions(
    long delayNanosMin, long delayNanosMax, double reordering, double duplication) {
  /** Messages take no time and the contract of a network holds exactly. */
  public static final MemoryOptions PERFECT = new MemoryOptions(0, 0, 0, 0);

  public MemoryOptions {
    if (delayNanosMin < 0 || delayNanosMax < delayNanosMin) {
      throw new IllegalArgumentException(
          "delays from " + delayNanosMin + " to " + delayNanosMax + " ns");
    }
    if (!isProbability(reordering) || !isProbability(duplication)) {
      throw new IllegalArgumentException(
          "probabilities of " + reordering + " and " + duplication + ", not from 0 to 1");
    }
  }

  private static boolean isProbability(double value) {
    return value >= 0 && value <= 1;
  }
}
