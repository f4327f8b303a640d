// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.client.core.ClientCore;
import io.forebay.client.core.route.ClientConfig;
import io.forebay.client.core.route.ClientEnvironment;
import io.forebay.wire.message.Identity;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A client's process. */
public final class ClientNode extends Node {
  private static final int PIECE_BYTES = 4096;
  private static final long WINDOW_BYTES = 64 * 1024;
  private static final long SECOND = 1_000_000_000L;

  private final World world;
  private final ClientConfig config;
  private final SplittableRandom random;
  private @Nullable ClientCore core;

  public ClientNode(World world, int number, String instance, SplittableRandom random) {
    super("client-" + number, world.clock());
    this.world = world;
    this.random = random;
    this.config =
        new ClientConfig(
            world.managerAddresses(),
            instance,
            host(),
            Identity.root(),
            new ClientConfig.Sizes(
                PIECE_BYTES, WINDOW_BYTES, WINDOW_BYTES, WINDOW_BYTES, WINDOW_BYTES),
            new ClientConfig.Times(30 * SECOND, 2 * SECOND, 20 * SECOND));
  }

  public static int pieceBytes() {
    return PIECE_BYTES;
  }

  public void start() {
    begin();
    core =
        new ClientCore(
            config,
            new ClientEnvironment(
                timers(),
                world.network().at(host()),
                random.split(),
                warning -> world.trace().said(world.nanos(), host(), "warning: " + warning)));
  }

  /** The process dies without a message. */
  public void kill() {
    world.network().kill(host());
    end();
    core = null;
  }

  public ClientCore core() {
    if (core == null) throw new IllegalStateException(host() + " is not running");
    return core;
  }

  @Override
  boolean poll() {
    return false;
  }
}
