// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.fake;

import io.forebay.base.Timers;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.wire.memory.MemoryNetwork;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/** A fake ring and clients in one thread and in simulated time. */
public final class SimulatedWorld {
  public static final PlacementSpec STRIPES =
      new PlacementSpec(PlacementSpec.Kind.STRIPES, 128 * 1024, 0);

  /** Far more than anything here should take. */
  private static final long NANOS_MAX = 600_000_000_000L;

  private long now = 1000;
  public final Timers timers = new Timers(() -> now);
  public final Random random;
  public final MemoryNetwork network;
  public final FakeRing ring = new FakeRing();

  public SimulatedWorld(int seats, long seed) throws IOException {
    this(seats, seed, new MemoryOptions(10_000, 200_000, 0, 0));
  }

  public SimulatedWorld(int seats, long seed, MemoryOptions travel) throws IOException {
    random = new Random(seed);
    network = new MemoryNetwork(timers, random, travel);
    ring.listen(seats, network::at, "cluster");
  }

  public static SimulatedWorld withInstance(int seats, int copies, long capacityBytes)
      throws IOException {
    SimulatedWorld world = new SimulatedWorld(seats, Long.getLong("forebay.seed", 7));
    world.ring.addInstance("scratch", copies, capacityBytes, Instance.Access.SHARED, STRIPES);
    return world;
  }

  public ClientConfig config(String node, String instance, ClientConfig.Sizes sizes) {
    return new ClientConfig(
        List.of(ring.manager()),
        instance,
        node,
        Identity.root(),
        sizes,
        ClientConfig.Times.DEFAULT);
  }

  public ClientCore client(String node) {
    return client(
        config(
            node, "scratch", new ClientConfig.Sizes(64 << 10, 1 << 20, 1 << 20, 1 << 20, 1 << 20)));
  }

  public ClientCore client(ClientConfig config) {
    return new ClientCore(config, timers, network.at(config.node()), random);
  }

  public ClientCore started(String node) {
    ClientCore client = client(node);
    get(client.start());
    return client;
  }

  /** Lets time pass until the future is complete. */
  public <T> T get(CompletableFuture<T> future) {
    runUntil(future::isDone);
    try {
      return future.join();
    } catch (CompletionException e) {
      throw new IllegalStateException(RequestFailed.from(e).code() + ": " + e.getMessage(), e);
    }
  }

  /** How a future failed. */
  public RequestFailed failure(CompletableFuture<?> future) {
    runUntil(future::isDone);
    try {
      throw new AssertionError("did not fail but gave " + future.join());
    } catch (CompletionException e) {
      return RequestFailed.from(e);
    }
  }

  public void runUntil(BooleanSupplier condition) {
    long end = now + NANOS_MAX;
    while (!condition.getAsBoolean()) {
      if (timers.runDue()) continue;
      long next = timers.nextNanos();
      if (next == Timers.NEVER || now + next > end) throw new AssertionError("nothing happens");
      now += next;
    }
  }

  public void pass(long nanos) {
    long until = now + nanos;
    while (true) {
      if (timers.runDue()) continue;
      long next = timers.nextNanos();
      if (next == Timers.NEVER || now + next > until) break;
      now += next;
    }
    now = until;
  }
}
