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
 */
public record Scenario(long seed, WorldOptions world, int users, boolean forced, boolean parted) {
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
    return new Scenario(seed, world, users, random.nextInt(3) == 0, random.nextBoolean());
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
    run.world().trace().follow(lines);
    return run.run(OPERATIONS, forced);
  }

  /** In words, for people who look into a failure. */
  public String describe() {
    return "%d seats, %d %s, %s, %d users, %s writes%s"
        .formatted(
            world.seats(),
            world.copies(),
            world.copies() == 1 ? "copy" : "copies",
            world.store().mode().name().toLowerCase(Locale.ROOT),
            users,
            forced ? "forced" : "replicated",
            parted ? ", partitions" : "");
  }
}
