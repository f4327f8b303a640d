// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.client.core.ClientCore;
import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.core.route.ClientEnvironment;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.wire.message.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A program that uses the client. */
public final class LoneClient extends Node {
  public static final ClientConfig.Sizes SMALL =
      new ClientConfig.Sizes(16 << 10, 256 << 10, 256 << 10, 256 << 10, 1 << 20);

  private static final long NANOS_MAX = 120_000_000_000L;

  private final World world;
  private final SplittableRandom random;
  private ClientCore core;

  /** What the program was told. */
  public final List<String> warnings = new ArrayList<>();

  public LoneClient(World world, String host) {
    super(host, world.clock());
    this.world = world;
    this.random = world.random().split();
    world.add(this);
  }

  public ClientCore start(String instance) {
    begin();
    core =
        new ClientCore(
            new ClientConfig(
                List.of(World.MANAGER_ADDRESS),
                instance,
                host(),
                Identity.root(),
                SMALL,
                ClientConfig.Times.DEFAULT),
            new ClientEnvironment(timers(), world.network().at(host()), random, warnings::add));
    return core;
  }

  void kill() {
    world.network().kill(host());
    end();
  }

  public <T> T get(CompletableFuture<T> future) {
    if (!world.runUntil(future::isDone, NANOS_MAX)) {
      throw new IllegalStateException(
          "no end\n" + String.join("\n", world.trace().lines().reversed().subList(0, 60)));
    }
    try {
      return future.join();
    } catch (CompletionException e) {
      throw new IllegalStateException(RequestFailed.from(e).code() + ": " + e.getMessage(), e);
    }
  }

  @Override
  boolean poll() {
    return false;
  }
}
