// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingPath;
import io.forebay.backing.FileAttributes;
import io.forebay.base.FileId;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.simulation.world.Administrator;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import org.junit.jupiter.api.Test;

/** What nobody knows any more goes from the store, and nothing else. */
class BackingLeftoversTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long FILE = 99;

  @Test
  void ofThisTreeAreRemovedAndThoseOfOthersAreNot() throws BackingException {
    World world = new World(WorldOptions.CALM, 1);
    world.start();
    new Administrator(world)
        .createInstance("drained", 2, false, "continue", new DrainSpec("null:", "close"));
    Instance instance = world.map().instance("drained");
    long cluster = world.map().cluster();
    begin(world, AttemptId.of(cluster, new FileId(instance.id(), FILE), 7, 1));
    AttemptId foreign = AttemptId.of(cluster + 1, new FileId(instance.id(), FILE), 7, 1);
    AttemptId another = AttemptId.of(cluster, new FileId(instance.id() + 1, FILE), 7, 1);
    AttemptId strange = new AttemptId("somebody-else");
    begin(world, foreign);
    begin(world, another);
    begin(world, strange);
    // A tree is there once somebody has used it.
    LoneClient client = new LoneClient(world, "client");
    client.get(client.start("drained").start());
    assertThat(world.store().attempts()).hasSize(4);
    assertThat(world.runUntil(() -> world.store().attempts().size() == 3, 60 * SECOND)).isTrue();
    world.runFor(10 * SECOND);
    assertThat(world.store().attempts()).containsExactlyInAnyOrder(foreign, another, strange);
  }

  private static void begin(World world, AttemptId id) throws BackingException {
    world.store().begin(new AttemptPlan(id, BackingPath.of("file"), 10, FileAttributes.NONE));
  }
}
