// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.backing.Backing;
import io.forebay.base.RecordId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.Seat;
import io.forebay.seat.SeatConfig;
import io.forebay.seat.SeatEnvironment;
import io.forebay.seat.map.RememberedMap;
import io.forebay.simulation.backing.SimulatedBacking;
import io.forebay.store.Store;
import io.forebay.store.disk.Faults;
import io.forebay.store.log.LogId;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Address;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.Trust;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A server with one seat. */
public final class SeatNode extends Node {
  public static final int PORT = 7071;
  private static final long SECRETS = 0x7365_6372_6574_7321L;

  private final World world;
  private final LogId log;
  private final StoreConfig storeConfig;
  private final SimulatedDisks disks;
  private final SplittableRandom random;
  private final SplittableRandom secrets;
  private @Nullable Store store;
  private @Nullable SimulatedBacking backing;
  private @Nullable Seat seat;
  private boolean joins;
  private int after;
  private boolean left;
  private boolean lost;
  private long lostIncarnation;
  private int losses;
  private long wallNanos;
  private boolean failing;
  private final TreeSet<RecordId> flipped = new TreeSet<>();

  SeatNode(World world, int number, StoreConfig storeConfig, SplittableRandom random) {
    super("seat-" + number, world.clock());
    this.world = world;
    this.log = new LogId(number, random.nextLong());
    this.storeConfig = storeConfig;
    this.random = random;
    this.secrets = new SplittableRandom(SECRETS ^ log.low());
    this.disks = new SimulatedDisks(storeConfig, log, random.split());
  }

  /** It will join a ring that is formed, behind a seat or, with 0, any. */
  public void join(int behind) {
    joins = true;
    after = behind;
  }

  /** Whether it was told that it has left the ring. */
  public boolean hasLeft() {
    return left;
  }

  public void start() {
    begin();
    Store opened = disks.open(clock());
    SeatConfig config =
        new SeatConfig(
            world.managerAddresses(),
            host(),
            1,
            host(),
            log.high(),
            log.low(),
            1,
            storeConfig.memoryBytes(),
            storeConfig.ssdBytes(),
            SeatConfig.CREDIT_BYTES_DEFAULT,
            world.options().redirects(),
            world.options().snapshotBytes(),
            SeatConfig.SCRUB_BYTES_DEFAULT,
            SeatConfig.SHUFFLE_BYTES_MIN);
    if (joins) config = config.joining(after);
    SeatEnvironment environment =
        new SeatEnvironment(
            timers(),
            world.network().at(host()),
            opened,
            () -> clock().nanos() + wallNanos,
            random.split(),
            secrets.split(),
            world.eventsOf(host(), () -> left = true),
            (address, owner) -> backing(),
            Trust.ofProofs(Identity.ROOT));
    Seat started = new Seat(config, environment, !lost, () -> lost = false);
    try {
      started.listen(new Address.Inet(host(), PORT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    started.start();
    store = opened;
    seat = started;
  }

  /** Behaves as if there were no room for clients' writes, for a moment or until data goes. */
  public void callForRoom(long bytes, boolean full) {
    if (isRunning() && seat != null) seat.callForRoom(bytes, full);
  }

  /** Attempts at files that its process has open in the backing store. */
  public Set<String> openAttempts() {
    return backing == null ? Set.of() : backing.open();
  }

  private Backing backing() {
    SimulatedBacking opened = world.backing(host(), random.split());
    backing = opened;
    return opened;
  }

  /** The process dies; its data in memory and on the SSD stays for the next. */
  public void kill() {
    world.network().kill(host());
    end();
    if (backing != null) backing.close();
    backing = null;
    disks.processKilled();
    store = null;
    seat = null;
  }

  /** The machine dies, and all data that was not forced to the SSD with it. */
  public void killAndLoseMemory() {
    kill();
    loseMemory();
  }

  /** The machine on which it does not run at present dies. */
  public void loseMemory() {
    lostIncarnation = knownIncarnation();
    disks.memoryLost();
    world.store().machineLost(host());
    lost = true;
    losses++;
  }

  /**
   * Flips a bit at a distance before each occurrence of these bytes; returns the number of places.
   */
  public int damage(ByteBuffer bytes, int before) {
    return disks.damage(bytes, before);
  }

  /** Whether the manager may not have noticed its loss yet. */
  public boolean lossUnknown() {
    return lost || (lostIncarnation != 0 && knownIncarnation() == lostIncarnation);
  }

  /** The incarnation in the manager's map, or 0. */
  private long knownIncarnation() {
    RingMap map = world.map();
    if (map == null) return lostIncarnation;
    for (SeatEntry known : map.seats()) {
      if (known.server().equals(host())) return known.incarnation();
    }
    return 0;
  }

  /** Its incarnation when it last lost its memory, or 0. */
  public long lostIncarnation() {
    return lostIncarnation;
  }

  /** How often it lost its memory. */
  public int losses() {
    return losses;
  }

  /** Flips any bit of a record, in one of the places where it stands; says whether it does. */
  public boolean flipBit(RecordId record, SplittableRandom choice) {
    boolean done = disks.flipBit(record, choice);
    if (done) flipped.add(record);
    return done;
  }

  /** Records with a flipped bit here: the seat may lack them until they are repaired. */
  public Set<RecordId> flipped() {
    return Collections.unmodifiableSet(flipped);
  }

  public SimulatedDisks disks() {
    return disks;
  }

  /** Whether its disk fails at present. */
  public boolean failing() {
    return failing;
  }

  public void setFailing(boolean now) {
    failing = now;
  }

  public void wallClockJumps(long byNanos) {
    wallNanos += byNanos;
  }

  /** The seat of the running process. */
  public Seat seat() {
    if (seat == null) throw new IllegalStateException(host() + " is not running");
    return seat;
  }

  /** The highest map that the seat saw, whether it runs or not; null if it saw none. */
  public @Nullable RingMap knownMap() {
    if (seat != null) return seat.map();
    try {
      return RememberedMap.in(disks.open(clock()));
    } catch (MalformedFields e) {
      throw new IllegalStateException(e);
    } finally {
      disks.processKilled();
    }
  }

  /** From now on the SSD misbehaves like this. */
  public void setDiskFaults(Faults faults) {
    disks.setFaults(faults);
  }

  /** The store of the running process. */
  public Store store() {
    if (store == null) throw new IllegalStateException(host() + " is not running");
    return store;
  }

  @Override
  boolean poll() {
    return seat != null && seat.poll();
  }
}
