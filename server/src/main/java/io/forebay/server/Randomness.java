package io.forebay.server;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Randomness that no other process has. */
final class Randomness {
  private Randomness() {}

  static RandomGenerator fresh() {
    return new SplittableRandom(new SecureRandom().nextLong());
  }
}
