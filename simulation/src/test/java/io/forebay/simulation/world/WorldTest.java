// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The ring forms, and a seed tells everything that happens. */
class WorldTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void ringFormsAndEveryGroupIsServed() {
    World world = new World(WorldOptions.CALM, 1);
    world.start();
    assertThat(world.runUntil(() -> world.map() != null, 10 * SECOND)).isTrue();
    world.runFor(SECOND);
    assertThat(String.join("\n", world.trace().lines()))
        .contains("group 1x2 is served by seat 1 in epoch 1")
        .contains("group 2x2 is served by seat 2 in epoch 1")
        .contains("group 3x2 is served by seat 3 in epoch 1");
  }

  @Test
  void sameSeedSameTrace() {
    assertThat(hashOf(7)).isEqualTo(hashOf(7)).isNotEqualTo(hashOf(8));
  }

  private static long hashOf(long seed) {
    World world = new World(WorldOptions.ROUGH, seed);
    world.start();
    world.runFor(5 * SECOND);
    return world.trace().hash();
  }
}
