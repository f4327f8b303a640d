// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import java.util.SplittableRandom;

/** A permutation of the numbers below a bound, which follows from a seed. */
final class Shuffle {
  private Shuffle() {}

  static int[] of(int count, long seed) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) numbers[i] = i;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = numbers[i];
      numbers[i] = numbers[other];
      numbers[other] = kept;
    }
    return numbers;
  }
}
