// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.Bytes;
import io.forebay.ring.RingMap;
import io.forebay.seat.consensus.BrokenLog;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.consensus.LogConsensus;
import io.forebay.seat.consensus.SavedLog;
import io.forebay.seat.manager.Manager;
import io.forebay.seat.manager.access.Admission;
import io.forebay.seat.manager.access.UserDirectory;
import io.forebay.seat.manager.certificate.Signer;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.store.log.LogId;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Address;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.Trust;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A manager's process. */
public final class ManagerNode extends Node implements GroupNode {
  private static final int SEGMENT_BYTES = 256 * 1024;
  private static final long SSD_BYTES = 16L * SEGMENT_BYTES;

  private final World world;
  private final ManagerConfig config;
  private final SplittableRandom random;
  private final Address address;
  private final @Nullable SimulatedGroup group;
  private SimulatedDisks disks;
  private @Nullable LogConsensus consensus;
  private @Nullable SimulatedConsensus agreement;
  private @Nullable Manager manager;

  /**
   * The process of a manager.
   *
   * @param group the managers that agree with it; null for one that is alone
   */
  ManagerNode(
      World world,
      Address.Inet address,
      ManagerConfig config,
      @Nullable SimulatedGroup group,
      SplittableRandom random) {
    super(address.host(), world.clock());
    this.world = world;
    this.address = address;
    this.config = config;
    this.group = group;
    this.random = random;
    this.disks = newDisks();
  }

  private SimulatedDisks newDisks() {
    return new SimulatedDisks(
        StoreConfig.ssd(SEGMENT_BYTES, SSD_BYTES), new LogId(0, random.nextLong()), random.split());
  }

  public void start() {
    begin();
    try {
      Consensus opened = open();
      Manager started =
          new Manager(
              config,
              new Manager.Environment(
                  timers(),
                  world.network().at(host()),
                  opened,
                  random.split(),
                  world.managerEvents(host())),
              () -> world.clock().nanos(),
              new Admission(
                  Trust.ofProofs(Identity.ROOT),
                  random.split(),
                  Signer.NONE,
                  UserDirectory.PROVED,
                  new SimulatedCredentials()));
      started.start(address);
      manager = started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (BrokenLog e) {
      throw new IllegalStateException(e);
    }
  }

  private Consensus open() throws BrokenLog {
    if (group != null) {
      SimulatedConsensus joined = new SimulatedConsensus(group, this, world.managers(), timers());
      agreement = joined;
      return joined;
    }
    LogConsensus opened = LogConsensus.open(disks.open(clock()), timers());
    consensus = opened;
    return opened;
  }

  @Override
  public Address address() {
    return address;
  }

  /** Null without a group, too. */
  @Override
  public @Nullable SimulatedConsensus agreement() {
    return agreement;
  }

  public void kill() {
    world.network().kill(host());
    end();
    disks.processKilled();
    consensus = null;
    agreement = null;
    manager = null;
  }

  /** The machine dies, and all unforced data with it. */
  public void killAndLoseMemory() {
    kill();
    disks.memoryLost();
  }

  /** What its log says while it does not run. */
  public SavedLog savedLog() {
    try {
      return SavedLog.read(disks.open(clock()));
    } catch (BrokenLog e) {
      throw new IllegalStateException(e);
    } finally {
      disks.processKilled();
    }
  }

  /** It gets a new log with that state, which was made from a map, and starts. */
  public void recover(RingMap from, Bytes state) {
    world.trace().recovered(world.nanos(), host(), from);
    disks = newDisks();
    try {
      SavedLog.begin(disks.open(clock()), state);
    } catch (BrokenLog e) {
      throw new IllegalStateException(e);
    } finally {
      disks.processKilled();
    }
    start();
  }

  /** The newest map that others may know, or null. */
  public @Nullable RingMap map() {
    return manager == null ? null : manager.map();
  }

  @Override
  boolean poll() {
    return consensus != null && consensus.poll();
  }
}
