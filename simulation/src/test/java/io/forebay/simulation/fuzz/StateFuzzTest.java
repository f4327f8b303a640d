// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fuzz;

import io.forebay.testing.TestSeed;
import org.junit.jupiter.api.Test;

/** Changes that clients may ask for, whatever they are, leave a state that can be read back. */
class StateFuzzTest {
  private static final int SEEDS = 10;
  private static final int CHANGES = 200;

  @Test
  void noChangeMakesAStateThrow() throws Exception {
    long first = TestSeed.first("StateFuzzTest");
    System.out.println("StateFuzzTest: -Dforebay.seed=" + first);
    for (int i = 0; i < SEEDS; i++) new StateFuzz(first + i).round(CHANGES);
  }
}
