// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import java.util.SplittableRandom;

/** What else is drawn of a seed, separately, so that known seeds still show what they showed. */
final class SeedChoices {
  private static final long PACKED = 0x6275_6e64_6c65_0011L;
  private static final int PACKED_ONE_IN = 4;

  /** Chosen so that known seeds of planted faults still show what they showed. */
  private static final long PUTS = 0x7075_7466_0001_67e6L;

  private static final int PUTS_ONE_IN = 4;

  private SeedChoices() {}

  /** Whether small files are stored together in a seed that is drained. */
  static boolean packs(long seed) {
    return new SplittableRandom(seed ^ PACKED).nextInt(PACKED_ONE_IN) == 0;
  }

  /** Whether users put whole files in a seed. */
  static boolean puts(long seed) {
    return new SplittableRandom(seed ^ PUTS).nextInt(PUTS_ONE_IN) == 0;
  }
}
