// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import io.forebay.simulation.audit.LockAudit;
import io.forebay.simulation.world.ClientNode;
import io.forebay.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Several clients that compete for the same locks; occasionally one dies, and a new one replaces
 * it.
 */
public final class LockPlayers {
  private static final int PLAYERS = 3;

  /** Far from the numbers of other clients. */
  private static final int FIRST_NUMBER = 1000;

  private static final long DEATH_NANOS_MAX = 20_000_000_000L;

  private final World world;
  private final String instance;
  private final LockAudit audit;
  private final SplittableRandom random;
  private final List<LockPlayer> alive = new ArrayList<>();
  private int made;
  private long deathNanos;
  private boolean stopped;

  public LockPlayers(World world, String instance, LockAudit audit, SplittableRandom random) {
    this.world = world;
    this.instance = instance;
    this.audit = audit;
    this.random = random;
  }

  public void act() {
    if (stopped) return;
    alive.removeIf(player -> !player.isRunning());
    if (deathNanos == 0) deathNanos = world.nanos() + random.nextLong(DEATH_NANOS_MAX);
    if (world.nanos() > deathNanos && !alive.isEmpty()) {
      deathNanos = 0;
      alive.get(random.nextInt(alive.size())).kill();
    }
    while (alive.size() < PLAYERS) {
      ClientNode node = new ClientNode(world, FIRST_NUMBER + made++, instance, random.split());
      world.add(node);
      LockPlayer player = new LockPlayer(world, node, audit, random.split());
      alive.add(player);
      player.start();
    }
  }

  public void stop() {
    stopped = true;
    alive.forEach(LockPlayer::kill);
  }
}
