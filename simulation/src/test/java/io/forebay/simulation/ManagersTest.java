// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.DrainSpec;
import io.forebay.simulation.world.Administrator;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three managers, of which each leads for a while, next to all other faults (P33 to P35). */
class ManagersTest {
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @ValueSource(longs = {71272, 102948, 1105895})
  void decideAsOne(long seed) {
    Scenario scenario = Scenario.of(seed).withManagers();
    SimulationRun.Outcome outcome = scenario.play();
    assertThat(outcome.problems()).as("seed %d: %s", seed, scenario.describe()).isEmpty();
    assertThat(outcome.operations()).isGreaterThanOrEqualTo(Scenario.OPERATIONS);
  }

  @Test
  void instancesAreMadeOnceWhileLeadersChange() {
    SimulationRun run = new SimulationRun(WorldOptions.CALM.withManagers(3), 2, 9).withKills();
    SimulationRun.Outcome outcome = run.run(Scenario.OPERATIONS, false);
    assertThat(outcome.problems()).isEmpty();
    assertThat(run.made()).isPositive();
  }

  /** The ring serves on while a majority of the managers is gone, and changes when it is back. */
  @Test
  void withoutAMajorityNothingIsDecided() {
    World world = new World(WorldOptions.CALM.withManagers(3), 4);
    world.start();
    new Administrator(world).createInstance("a", 2, false, "continue", DrainSpec.NONE);
    world.calmManagers();
    world.managers().get(1).kill();
    world.managers().get(2).kill();
    world.runFor(5 * SECOND);
    long epoch = world.map().epoch();
    world.seats().get(2).kill();
    world.runFor(30 * SECOND);
    assertThat(world.map().epoch()).as("one of three decides nothing").isEqualTo(epoch);
    world.managers().get(1).start();
    assertThat(world.runUntil(() -> world.map().seats().get(2).away(), 20 * SECOND))
        .as("two of three go on")
        .isTrue();
  }
}
