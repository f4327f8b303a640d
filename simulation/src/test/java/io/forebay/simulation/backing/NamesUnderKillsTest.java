// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

import static io.forebay.simulation.backing.DrainedWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.namespace.GroupState;
import io.forebay.namespace.tree.BackingView;
import io.forebay.ring.Group;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Names;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Homes that die one after the other still give files their names in the backing store. */
class NamesUnderKillsTest {
  private static final int KILLS_MAX = 30;

  private final DrainedWorld drained = new DrainedWorld("close");
  private final World world = drained.world;
  private boolean renamed;

  @Test
  void takeoversInARowDoNotStarveThem() {
    drained.write("a", 1_000);
    assertThat(world.runUntil(() -> drained.named.size() == 1, 60 * SECOND)).isTrue();
    world.runFor(SECOND);
    world
        .store()
        .watch(
            new SimulatedBackingStore.Watcher() {
              @Override
              public void happened(String sentence) {
                renamed |= sentence.contains(" renames ");
              }
            });
    drained.change(root -> new Names.Rename(root, "a", root, "b", false, false));
    // The store has done it, and the home dies before it hears of it: the next one must wait.
    assertThat(world.runUntil(() -> renamed, 10 * SECOND)).isTrue();
    int kills = 0;
    while (!isNamed() && kills < KILLS_MAX) {
      SeatNode home = home();
      assertThat(home).isNotNull();
      home.kill();
      kills++;
      world.runFor(SECOND);
      home.start();
      world.runFor(4 * SECOND);
      if (kills == 1) drained.write("c", 1_000);
      assertThat(world.runUntil(() -> isNamed() || home() != null, 30 * SECOND)).isTrue();
      if (kills == 3) {
        assertThat(drained.ledger().trouble())
            .contains("names in the backing store wait until ")
            .contains("another took over");
      }
    }
    // Thirty seconds in all, however many homes waited for them.
    assertThat(kills).isBetween(5, KILLS_MAX - 1);
    assertThat(world.store().contents()).containsOnlyKeys("/b", "/c");
  }

  /** Whether the file behind the rename has its name in the store. */
  private boolean isNamed() {
    return drained.named.size() == 2;
  }

  /** The home that has to change a name in the store, or null. */
  private @Nullable SeatNode home() {
    for (SeatNode node : world.seats()) {
      for (Group group : world.map().groups()) {
        GroupState state = node.isAlive() ? node.seat().served(group.id()) : null;
        if (state != null && hasChange(state)) return node;
      }
    }
    return null;
  }

  private static boolean hasChange(GroupState state) {
    for (int instance : state.instances()) {
      for (int tree : state.trees(instance)) {
        BackingView view = state.backing(instance, tree);
        if (view != null && view.nextChange() != null) return true;
      }
    }
    return false;
  }
}
