package io.forebay.simulation;

import io.forebay.store.StoreConfig;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * What one seed stands for: the cluster, how its network behaves, who uses it, and what is done to
 * it. The same seed is the same scenario, and the same course of events.
 *
 * @param users clients at work at any time
 * @param forced whether writes are forced to disks
 * @param parted whether hosts are parted from each other too
 * @param silent whether seats are silent for so long that others take their place
 * @param losing whether machines lose what they had not forced
 * @param growing whether servers join and leave
 */
public record Scenario(
    long seed,
    WorldOptions world,
    int users,
    boolean forced,
    boolean parted,
    boolean silent,
    boolean losing,
    boolean growing) {
  /** Operations of a seed at least. */
  public static final int OPERATIONS = 200;

  private static final int SEGMENT_BYTES = 512 * 1024;
  private static final long MEMORY_BYTES = 12L * SEGMENT_BYTES;
  private static final long SSD_BYTES = 48L * SEGMENT_BYTES;
  private static final long SHORT_SNAPSHOT_BYTES = 2_000;

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
    // With one copy nobody can take another's place, and a loss is a loss.
    boolean replicated = copies > 1;
    boolean silent = replicated && random.nextBoolean();
    // Where a seat may stay away for good, not all members become current again, and only then may
    // one lose what it holds.
    boolean losing = replicated && !silent && random.nextInt(3) == 0;
    boolean growing = random.nextInt(3) == 0;
    return new Scenario(seed, world, users, forced, parted, silent, losing, growing);
  }

  private static StoreConfig store(SplittableRandom random) {
    return random.nextInt(4) == 0
        ? StoreConfig.ssd(SEGMENT_BYTES, SSD_BYTES)
        : StoreConfig.hybrid(SEGMENT_BYTES, MEMORY_BYTES, SSD_BYTES);
  }

  /** Plays it. */
  public SimulationRun.Outcome play() {
    return play(line -> {});
  }

  /** Plays it and shows every event. */
  public SimulationRun.Outcome play(Consumer<String> lines) {
    SimulationRun run = new SimulationRun(world, users, seed).withKills();
    if (parted) run.withPartitions();
    if (silent) run.withSilence();
    if (losing) run.withLosses();
    if (growing) run.withGrowth();
    run.world().trace().follow(lines);
    return run.run(OPERATIONS, forced);
  }

  /** In words, for people who look into a failure. */
  public String describe() {
    return "%d seats, %d %s, %s, %d users, %s writes%s%s%s%s"
        .formatted(
            world.seats(),
            world.copies(),
            world.copies() == 1 ? "copy" : "copies",
            world.store().mode().name().toLowerCase(Locale.ROOT),
            users,
            forced ? "forced" : "replicated",
            parted ? ", partitions" : "",
            silent ? ", silence" : "",
            losing ? ", losses" : "",
            growing ? ", growth" : "");
  }
}
