// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.disturbance;

import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.simulation.world.ManagerRequest;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.SplittableRandom;

/**
 * Instances with a capacity come, change their size and go, beside the one that users write to.
 * They take a small part of the pool, so that users go on; now and then one asks for more than
 * there is.
 */
public final class Allocations {
  private static final String ADMINISTRATOR = "allocator";
  private static final long PAUSE_NANOS_MAX = 4_000_000_000L;
  private static final long STRIPE_BYTES = 64 * 1024;
  private static final int INSTANCES = 2;
  private static final int GRANULES_MAX = 2;

  /** More than any simulated ring keeps. */
  private static final int GRANULES_TOO_MANY = 100_000;

  private static final int TOO_MANY_ONE_IN = 4;

  private final World world;
  private final SplittableRandom random;
  private long nextNanos;
  private int asked;

  public Allocations(World world, SplittableRandom random) {
    this.world = world;
    this.random = random;
    this.nextNanos = world.nanos() + random.nextLong(PAUSE_NANOS_MAX);
  }

  /** The number of requests. */
  public int asked() {
    return asked;
  }

  public void act() {
    RingMap map = world.map();
    if (map == null || world.nanos() < nextNanos) return;
    nextNanos = world.nanos() + random.nextLong(PAUSE_NANOS_MAX);
    asked++;
    ManagerRequest.send(world, ADMINISTRATOR, next(map));
  }

  /** No further requests. */
  public void stop() {
    nextNanos = Long.MAX_VALUE;
  }

  private Message next(RingMap map) {
    String name = "allocated-" + random.nextInt(INSTANCES);
    Instance instance = map.instance(name);
    boolean tooMany = random.nextInt(TOO_MANY_ONE_IN) == 0;
    long granules = tooMany ? GRANULES_TOO_MANY : 1 + random.nextInt(GRANULES_MAX);
    long bytes = granules * World.GRANULE_BYTES - random.nextInt(1000);
    long op = random.nextLong();
    if (instance == null) return create(op, name, bytes);
    return random.nextInt(3) == 0
        ? new Maps.DestroyInstance(op, name, Identity.root())
        : new Maps.ResizeInstance(op, name, Identity.root(), bytes);
  }

  private Maps.CreateInstance create(long op, String name, long bytes) {
    return new Maps.CreateInstance(
        op,
        name,
        Identity.root(),
        "persistent",
        random.nextBoolean() ? "shared" : "private",
        bytes,
        world.options().copies(),
        false,
        "continue",
        "ketama",
        STRIPE_BYTES,
        0,
        "",
        "",
        "",
        false,
        "",
        "everyone",
        "squash",
        0,
        random.nextBoolean() ? Pool.DEFAULT : "");
  }
}
