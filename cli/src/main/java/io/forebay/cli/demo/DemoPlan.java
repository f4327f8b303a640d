// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import io.forebay.base.ByteSize;
import io.forebay.ring.PlacementSpec;
import io.forebay.server.ring.RingShape;
import io.forebay.server.ring.ServerSize;
import org.jspecify.annotations.Nullable;

/**
 * The size of the demo, fitted to the machine.
 *
 * @param burstBytes the total of all ranks' writes, the same amount each
 * @param server the size of each server
 * @param reduced whether the machine has no room for the usual size
 */
public record DemoPlan(long burstBytes, Budget server, boolean reduced) {
  /** The machine has no room for a demo of that size. The message is one sentence. */
  public static final class NoRoom extends Exception {
    private static final long serialVersionUID = 1;

    NoRoom(String sentence) {
      super(sentence);
    }
  }

  /** What a server gets: memory for two thirds of its part, so that some of it moves to disk. */
  public record Budget(int segmentBytes, long memoryBytes, long ssdBytes) {}

  /** Processes of an application. */
  public static final int RANKS = 4;

  public static final int SERVERS = 3;

  /** How many servers keep each byte. */
  public static final int COPIES = 2;

  public static final long BURST_BYTES_MIN = 16L * 1024 * 1024;
  private static final long BURST_BYTES_USUAL = 768L * 1024 * 1024;

  private static final int SEGMENT_BYTES_SMALL = 8 * 1024 * 1024;
  private static final int SEGMENT_BYTES_LARGE = 32 * 1024 * 1024;
  private static final long LARGE_FROM_BYTES = 512L * 1024 * 1024;

  /** Segments with records that other servers still lack stay in memory; these are enough. */
  private static final int MEMORY_SEGMENTS_MIN = 12;

  private static final int SPARE_SEGMENTS = 8;

  /** Which part of the burst is written before, to warm the ring. */
  private static final int WARM_UP_SHARE = 2;

  /** The usual size, or the largest below it for which there is room. */
  public static DemoPlan fitting(ServerSize room) throws NoRoom {
    for (long bytes = BURST_BYTES_USUAL; bytes >= BURST_BYTES_MIN; bytes /= 2) {
      DemoPlan plan = of(bytes, bytes < BURST_BYTES_USUAL);
      if (plan.obstacle(room) == null) return plan;
    }
    throw new NoRoom(of(BURST_BYTES_MIN, true).obstacle(room) + "; free some");
  }

  /** A burst of about that size. */
  public static DemoPlan sized(long burstBytes, ServerSize room) throws NoRoom {
    if (burstBytes > room.diskBytes()) {
      throw new NoRoom(
          "a burst of %s needs more than the %s that are free on disk; choose a smaller one"
              .formatted(ByteSize.format(burstBytes), ByteSize.format(room.diskBytes())));
    }
    DemoPlan plan = of(burstBytes, false);
    String obstacle = plan.obstacle(room);
    if (obstacle != null) throw new NoRoom(obstacle + "; choose a smaller one");
    return plan;
  }

  /** The ring it takes. */
  public RingShape ring() {
    // Stripes of one record: even a small burst goes to all servers alike.
    PlacementSpec stripes =
        new PlacementSpec(PlacementSpec.Kind.STRIPES, BurstPattern.RECORD_BYTES, 0);
    return new RingShape(
        SERVERS, COPIES, server.segmentBytes, server.memoryBytes, server.ssdBytes, stripes);
  }

  /** Of all servers. */
  public long memoryBytes() {
    return SERVERS * server.memoryBytes;
  }

  /** Of all servers. */
  public long ssdBytes() {
    return SERVERS * server.ssdBytes;
  }

  /** Records of each rank. */
  int recordsPerRank() {
    return (int) (burstBytes / RANKS / BurstPattern.RECORD_BYTES);
  }

  /**
   * Records of each rank in the burst that warms the ring: enough that the JIT has compiled the
   * code that the measured burst uses, and few enough that they take no more room than that burst.
   */
  int warmUpRecordsPerRank() {
    return Math.max(1, recordsPerRank() / WARM_UP_SHARE);
  }

  private static DemoPlan of(long wantedBytes, boolean reduced) {
    long round = (long) RANKS * BurstPattern.RECORD_BYTES;
    long burstBytes = (wantedBytes + round - 1) / round * round;
    int segmentBytes = burstBytes < LARGE_FROM_BYTES ? SEGMENT_BYTES_SMALL : SEGMENT_BYTES_LARGE;
    long partBytes = burstBytes * COPIES / SERVERS;
    long memorySegments = Math.max(MEMORY_SEGMENTS_MIN, partBytes * 2 / 3 / segmentBytes);
    // Records end with their segment, and parts are not equal; twice the part is plenty.
    long ssdSegments = SPARE_SEGMENTS + 2 * partBytes / segmentBytes;
    Budget server =
        new Budget(segmentBytes, memorySegments * segmentBytes, ssdSegments * segmentBytes);
    return new DemoPlan(burstBytes, server, reduced);
  }

  /** Where there is too little room, as a sentence; null if there is enough. */
  private @Nullable String obstacle(ServerSize room) {
    // The burst goes to a store twice: by the ring, and directly.
    long diskBytes = ssdBytes() + 2 * burstBytes;
    if (room.memoryBytes() < memoryBytes()) {
      return lack(memoryBytes(), "of memory", Math.max(0, room.memoryBytes()));
    }
    return room.diskBytes() < diskBytes ? lack(diskBytes, "on disk", room.diskBytes()) : null;
  }

  private String lack(long neededBytes, String where, long freeBytes) {
    return "a burst of %s needs %s %s and %s are free"
        .formatted(
            ByteSize.format(burstBytes),
            ByteSize.format(neededBytes),
            where,
            ByteSize.format(freeBytes));
  }
}
