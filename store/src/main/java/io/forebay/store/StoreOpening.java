// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import io.forebay.base.MonotonicClock;
import io.forebay.store.disk.Disk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.Stream;
import io.forebay.store.recovery.LogMismatch;
import io.forebay.store.recovery.RecoveryReport;
import io.forebay.store.segment.Segments;
import io.forebay.store.segment.SlotReserve;
import io.forebay.store.tier.DyingMemory;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Opens a store over existing disks: recovers its log, or begins a new one. */
public final class StoreOpening {
  /** The prefixes of slots' names. */
  public static final String MEMORY_PREFIX = "memory-";

  public static final String SSD_PREFIX = "segment-";

  /** SSD slots are made so far ahead that ingest rarely waits for one. */
  private static final int SSD_AHEAD = SlotReserve.leaves(Stream.INGEST) + 2;

  /**
   * Where slots are.
   *
   * @param memory places for memory slots, the preferred one first
   * @param ssd the SSD tier's directory, where the mode has one
   * @param dying asked before a memory slot that dies with the process keeps records
   */
  public record Volumes(List<SlotPool.Place> memory, @Nullable Disk ssd, DyingMemory dying) {
    public Volumes {
      memory = List.copyOf(memory);
    }

    /** Volumes whose owner knows which memory dies with the process. */
    public Volumes(List<SlotPool.Place> memory, @Nullable Disk ssd) {
      this(memory, ssd, DyingMemory.ALLOWED);
    }
  }

  /** An open store and what opening it found. */
  public record Opened(Store store, RecoveryReport report) {}

  private StoreOpening() {}

  /** Blocks while it reads the log; afterwards nothing in the store does. */
  public static Opened open(
      StoreConfig config,
      LogId log,
      Volumes volumes,
      MonotonicClock clock,
      RandomGenerator random,
      StoreEvents events)
      throws IOException, LogMismatch {
    Segments segments = new Segments(log, config.segmentBytes(), random);
    SlotPool memory =
        new SlotPool(
            new SlotPool.Config(
                MEMORY_PREFIX,
                config.segmentBytes(),
                config.memorySlots(),
                config.memorySlots(),
                true),
            volumes.memory(),
            clock,
            (from, to, detail) -> events.warned(memoryWarning(config, from, to, detail)));
    SlotPool ssd = config.hasSsd() ? ssdPool(config, volumes, clock, events) : null;
    SlotReserve room = new SlotReserve(config, segments, volumes.dying(), memory, ssd);
    Store store = new Store(config, segments, room, disks(volumes), clock, events);
    Recovery recovery = new Recovery(segments, store.marks(), memory, ssd);
    recovery.scan(volumes);
    RecoveryReport report = recovery.assemble();
    // Before anything else can have a slot.
    room.giveFilesOwed();
    return new Opened(store, report);
  }

  private static SlotPool ssdPool(
      StoreConfig config, Volumes volumes, MonotonicClock clock, StoreEvents events) {
    Disk disk = volumes.ssd();
    if (disk == null) throw new IllegalArgumentException("mode " + config.mode() + " needs an SSD");
    return new SlotPool(
        new SlotPool.Config(SSD_PREFIX, config.segmentBytes(), config.ssdSlots(), SSD_AHEAD, false),
        List.of(new SlotPool.Place(disk, true, "the SSD tier")),
        clock,
        (from, to, detail) ->
            events.warned(
                "no further segment can be made on the SSD tier ("
                    + detail
                    + "); it is tried again every second, and until then the tier is smaller than"
                    + " its budget"));
  }

  private static Set<Disk> disks(Volumes volumes) {
    Set<Disk> disks = new LinkedHashSet<>();
    for (SlotPool.Place place : volumes.memory()) disks.add(place.disk());
    if (volumes.ssd() != null) disks.add(volumes.ssd());
    return disks;
  }

  private static String memoryWarning(
      StoreConfig config, SlotPool.Place from, SlotPool.@Nullable Place to, String detail) {
    String start =
        "no room for further memory segments in " + from.description() + " (" + detail + ")";
    if (to == null) return start + "; the memory tier stays smaller than its budget";
    String using = start + "; using " + to.description() + " instead";
    if (to.lasting()) return using + ", which is slower if it is not memory";
    return config.hasSsd()
        ? using + ": what goes there is written to the SSD before it counts"
        : using + ": what stands there is lost when this process ends";
  }
}
