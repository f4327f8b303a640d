// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.machine;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Randomness that is unpredictable to other processes. */
public final class Randomness {
  private Randomness() {}

  public static RandomGenerator fresh() {
    return new SplittableRandom(new SecureRandom().nextLong());
  }
}
