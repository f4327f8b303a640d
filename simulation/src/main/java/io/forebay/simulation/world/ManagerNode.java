// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.ring.RingMap;
import io.forebay.seat.consensus.BrokenLog;
import io.forebay.seat.consensus.LogConsensus;
import io.forebay.seat.manager.Manager;
import io.forebay.seat.manager.access.Admission;
import io.forebay.seat.manager.access.UserDirectory;
import io.forebay.seat.manager.certificate.Signer;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.store.log.LogId;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.Trust;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The manager's process. */
public final class ManagerNode extends Node {
  private static final int SEGMENT_BYTES = 256 * 1024;
  private static final long SSD_BYTES = 16L * SEGMENT_BYTES;

  private final World world;
  private final ManagerConfig config;
  private final SimulatedDisks disks;
  private final SplittableRandom random;
  private @Nullable LogConsensus consensus;
  private @Nullable Manager manager;

  ManagerNode(World world, ManagerConfig config, SplittableRandom random) {
    super(World.MANAGER_HOST, world.clock());
    this.world = world;
    this.config = config;
    this.random = random;
    this.disks =
        new SimulatedDisks(
            StoreConfig.ssd(SEGMENT_BYTES, SSD_BYTES),
            new LogId(0, random.nextLong()),
            random.split());
  }

  public void start() {
    begin();
    try {
      LogConsensus opened = LogConsensus.open(disks.open(clock()), timers());
      Manager started =
          new Manager(
              config,
              new Manager.Environment(
                  timers(),
                  world.network().at(host()),
                  opened,
                  random.split(),
                  world.managerEvents()),
              () -> world.clock().nanos(),
              new Admission(
                  Trust.ofProofs(Identity.ROOT),
                  random.split(),
                  Signer.NONE,
                  UserDirectory.PROVED,
                  new SimulatedCredentials()));
      started.start(World.MANAGER_ADDRESS);
      consensus = opened;
      manager = started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (BrokenLog e) {
      throw new IllegalStateException(e);
    }
  }

  public void kill() {
    world.network().kill(host());
    end();
    disks.processKilled();
    consensus = null;
    manager = null;
  }

  /** The machine dies, and all unforced data with it. */
  public void killAndLoseMemory() {
    kill();
    disks.memoryLost();
  }

  /** The newest map that others may know, or null. */
  @Nullable RingMap map() {
    return manager == null ? null : manager.map();
  }

  @Override
  boolean poll() {
    return consensus != null && consensus.poll();
  }
}
