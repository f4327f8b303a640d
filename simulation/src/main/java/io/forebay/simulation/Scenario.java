// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import io.forebay.simulation.fault.Trouble;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.memory.MemoryOptions;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The scenario of one seed: the cluster, its network, its users, and its faults. The same seed
 * gives the same scenario and the same course of events.
 *
 * @param users the number of concurrent clients
 * @param forced whether writes are forced to disks
 * @param parted whether hosts are also partitioned
 * @param silent whether seats are silent long enough for others to replace them
 * @param losing whether machines lose data that they had not forced
 * @param cutting whether all machines lose such data at once
 * @param growing whether servers join and leave
 * @param drained whether files are drained to a store with occasional failures
 * @param allocating whether instances with a capacity come and go
 * @param locking clients take advisory locks from each other
 * @param troubles further faults
 */
public record Scenario(
    long seed,
    WorldOptions world,
    int users,
    boolean forced,
    boolean parted,
    boolean silent,
    boolean losing,
    boolean cutting,
    boolean growing,
    boolean drained,
    boolean allocating,
    boolean locking,
    Set<Trouble> troubles) {
  /** The minimum number of operations of a seed. */
  public static final int OPERATIONS = 200;

  private static final int MANAGERS = 3;
  private static final int SEGMENT_BYTES = 512 * 1024;
  private static final long MEMORY_BYTES = 12L * SEGMENT_BYTES;
  private static final long SSD_BYTES = 48L * SEGMENT_BYTES;
  private static final int SMALL_SEGMENT_BYTES = 320 * 1024;
  private static final long SMALL_MEMORY_BYTES = 7L * SMALL_SEGMENT_BYTES;
  private static final long SMALL_SSD_BYTES = 24L * SMALL_SEGMENT_BYTES;
  private static final long SHORT_SNAPSHOT_BYTES = 2_000;

  private static final int TROUBLE_ONE_IN = 4;
  private static final int CUTTING_ONE_IN = 2;

  /** The period of seeds in which all messages are late. */
  private static final int LATE_ONE_IN = 6;

  private static final int FLIPS_ONE_IN = 3;

  /** Later additions are drawn separately, so that existing seeds keep their meaning. */
  private static final long MORE = 0x2545f4914f6cdd1dL;

  private static final long LATE_NANOS_MAX = 80_000_000;
  private static final double DAMAGE = 0.01;
  private static final long DRAINED = 0x6472_6169_6e65_6421L;
  private static final int DRAINED_ONE_IN = 3;
  private static final int STORE_FAILS_ONE_IN = 50;
  private static final long PROTECTED = 0x7072_6f74_6563_7421L;
  private static final int PROTECTED_ONE_IN = 4;
  private static final long ALLOCATED = 0x706f_6f6c_6564_2121L;
  private static final int ALLOCATED_ONE_IN = 4;

  /** The scenario of a seed. */
  public static Scenario of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int copies = 1 + random.nextInt(3);
    int seats = copies + random.nextInt(3);
    WorldOptions world = random.nextInt(4) == 0 ? WorldOptions.CALM : WorldOptions.ROUGH;
    world = world.withSeats(seats, copies).withStore(store(random));
    if (random.nextBoolean()) world = world.withSnapshotBytes(SHORT_SNAPSHOT_BYTES);
    int users = 2 + random.nextInt(4);
    boolean forced = random.nextInt(3) == 0;
    boolean parted = random.nextBoolean();
    // With one copy no seat can replace another, and lost data is gone.
    boolean replicated = copies > 1;
    boolean silent = replicated && random.nextBoolean();
    // If a seat may stay away permanently, not all members become current again, and only when all
    // are may one lose its data.
    boolean losing = replicated && !silent && random.nextInt(3) == 0;
    boolean growing = random.nextInt(3) == 0;
    Set<Trouble> troubles = troubles(random);
    // Damage together with the death of the seat with the other copy would be a loss.
    boolean othersStay = replicated && !silent && !losing;
    SplittableRandom more = new SplittableRandom(seed ^ MORE);
    if (othersStay && more.nextInt(FLIPS_ONE_IN) == 0) troubles.add(Trouble.BIT_FLIPS);
    world = disturbed(world, troubles, random);
    // A permanently dead seat does not come back with its data, nor does a seat that lacks data
    // without having said so. Drawn separately, so that existing seeds keep their meaning.
    boolean soundDisks = Collections.disjoint(troubles, Trouble.OF_DISKS);
    boolean cutting =
        forced && !silent && soundDisks && new SplittableRandom(~seed).nextInt(CUTTING_ONE_IN) == 0;
    boolean drained = new SplittableRandom(seed ^ DRAINED).nextInt(DRAINED_ONE_IN) == 0;
    boolean allocating = new SplittableRandom(seed ^ ALLOCATED).nextInt(ALLOCATED_ONE_IN) == 0;
    return new Scenario(
        seed,
        world,
        users,
        forced,
        parted,
        silent,
        losing,
        cutting,
        growing,
        drained,
        allocating,
        false,
        troubles);
  }

  /** Some of them; no seed has all. */
  private static Set<Trouble> troubles(SplittableRandom random) {
    Set<Trouble> chosen = EnumSet.noneOf(Trouble.class);
    for (Trouble each : Trouble.values()) {
      if (each == Trouble.BIT_FLIPS) continue; // Drawn separately.
      if (random.nextInt(TROUBLE_ONE_IN) == 0) chosen.add(each);
    }
    return chosen;
  }

  private static WorldOptions disturbed(
      WorldOptions world, Set<Trouble> troubles, SplittableRandom random) {
    MemoryOptions network = world.network();
    if (random.nextInt(LATE_ONE_IN) == 0) {
      network =
          new MemoryOptions(
              network.delayNanosMin(), LATE_NANOS_MAX, network.reordering(), network.duplication());
    }
    if (troubles.contains(Trouble.DAMAGED_PAYLOADS)) network = network.withDamage(DAMAGE);
    return world.withNetwork(network);
  }

  private static StoreConfig store(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> StoreConfig.ssd(SEGMENT_BYTES, SSD_BYTES);
      // So small that segments are constantly spilled, emptied and reused.
      case 1 -> StoreConfig.hybrid(SMALL_SEGMENT_BYTES, SMALL_MEMORY_BYTES, SMALL_SSD_BYTES);
      default -> StoreConfig.hybrid(SEGMENT_BYTES, MEMORY_BYTES, SSD_BYTES);
    };
  }

  /** The same without a drain. */
  public Scenario withoutDraining() {
    return new Scenario(
        seed,
        world,
        users,
        forced,
        parted,
        silent,
        losing,
        cutting,
        growing,
        false,
        allocating,
        locking,
        troubles);
  }

  /** The same with a backing store that fails occasionally. */
  public Scenario withDraining() {
    return new Scenario(
        seed,
        world,
        users,
        forced,
        parted,
        silent,
        losing,
        cutting,
        growing,
        true,
        allocating,
        locking,
        troubles);
  }

  /**
   * The same with clients that take locks, where only a client's own death ends its session: a
   * partitioned client may rely on its lock longer than the servers grant it.
   */
  public Scenario withLocks() {
    Set<Trouble> others = EnumSet.noneOf(Trouble.class);
    if (troubles.contains(Trouble.MOMENTS)) others.add(Trouble.MOMENTS);
    return new Scenario(
        seed, world, users, forced, false, silent, false, false, growing, false, false, true,
        others);
  }

  /** The same where machines and their disks keep what they have; only the manager may lose it. */
  public Scenario withoutLosses() {
    Set<Trouble> others = EnumSet.noneOf(Trouble.class);
    others.addAll(troubles);
    others.removeAll(Trouble.OF_DISKS);
    others.remove(Trouble.BIT_FLIPS);
    return new Scenario(
        seed, world, users, forced, parted, silent, false, false, growing, drained, false, locking,
        others);
  }

  /** The same with three managers, of which each leads for a while. */
  public Scenario withManagers() {
    return new Scenario(
        seed,
        world.withManagers(MANAGERS),
        users,
        forced,
        parted,
        silent,
        losing,
        cutting,
        growing,
        drained,
        allocating,
        locking,
        troubles);
  }

  /** Plays it. */
  public SimulationRun.Outcome play() {
    return play(line -> {});
  }

  /** Plays it and shows every event. */
  public SimulationRun.Outcome play(Consumer<String> lines) {
    return play(run(), lines);
  }

  /** Plays it with a user that has no rights to the files of the others and tries to use them. */
  public SimulationRun.Outcome playWithStranger() {
    return play(run().withStranger(), line -> {});
  }

  /** Plays it with write protection that refuses writes now and then. */
  public SimulationRun.Outcome playProtected() {
    return play(run().withProtection(), line -> {});
  }

  /** Plays it with further instances that end while a stage of theirs is due. */
  public SimulationRun.Outcome playWithEnds() {
    return play(run().withEnds(forced), line -> {});
  }

  /** Plays it with a manager that loses its log, and is brought back from the seats' maps. */
  public SimulationRun.Outcome playWithRecoveries() {
    return play(run().withRecoveries(), line -> {});
  }

  private SimulationRun run() {
    SimulationRun run = new SimulationRun(world, users, seed).withKills();
    if (new SplittableRandom(seed ^ PROTECTED).nextInt(PROTECTED_ONE_IN) == 0) run.withProtection();
    if (parted) run.withPartitions();
    if (silent) run.withSilence();
    if (losing) run.withLosses();
    if (cutting) run.withPowerCuts();
    if (growing) run.withGrowth();
    if (drained) run.withDraining(STORE_FAILS_ONE_IN);
    if (allocating) run.withAllocations();
    if (locking) run.withLocks();
    run.with(troubles);
    return run;
  }

  private SimulationRun.Outcome play(SimulationRun run, Consumer<String> lines) {
    run.world().trace().follow(lines);
    return run.run(OPERATIONS, forced);
  }

  /** Whether stores are so small that segments are constantly reused. */
  public boolean isSmall() {
    return world.store().segmentBytes() == SMALL_SEGMENT_BYTES;
  }

  /** Whether all messages take long. */
  public boolean isLate() {
    return world.network().delayNanosMax() == LATE_NANOS_MAX;
  }

  /** As text, to investigate a failure. */
  public String describe() {
    String others =
        troubles.stream().map(each -> ", " + each.words()).collect(Collectors.joining());
    return "%s%d seats, %d %s, %s%s, %d users, %s writes%s%s%s%s%s%s%s%s%s%s"
        .formatted(
            world.managers() == 1 ? "" : world.managers() + " managers, ",
            world.seats(),
            world.copies(),
            world.copies() == 1 ? "copy" : "copies",
            isSmall() ? "small " : "",
            world.store().mode().name().toLowerCase(Locale.ROOT),
            users,
            forced ? "forced" : "replicated",
            parted ? ", partitions" : "",
            silent ? ", silence" : "",
            losing ? ", losses" : "",
            cutting ? ", power cuts" : "",
            growing ? ", growth" : "",
            drained ? ", draining" : "",
            allocating ? ", allocations" : "",
            locking ? ", locks" : "",
            isLate() ? ", late messages" : "",
            others);
  }
}
