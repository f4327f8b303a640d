// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.Nodes;
import io.forebay.client.file.RingRoom;
import io.forebay.client.file.Usage;
import io.forebay.mount.fuse.operation.Space;
import io.forebay.wire.message.Names;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to statfs(2): the capacity of the instance or, if it has none, of the ring. That
 * requires a question to every server, so it is cached for a moment. Any thread.
 */
final class SpaceReport {
  private static final int BLOCK_BYTES = 4096;
  private static final long NODES_FREE = 1L << 32;
  private static final long MEMORY_NANOS = 2_000_000_000L;

  private record Known(RingRoom room, long sinceNanos) {}

  private final Nodes nodes;
  private final LongSupplier clock;
  private volatile @Nullable Known known;

  SpaceReport(Nodes nodes, LongSupplier clock) {
    this.nodes = nodes;
    this.clock = clock;
  }

  Space space() throws IOException {
    Usage usage = nodes.usage();
    long total = usage.capacityBytes();
    long free = total - usage.usedBytes() - usage.promisedBytes();
    if (total == 0) {
      RingRoom room = room();
      total = room.totalBytes();
      free = room.freeBytes();
    }
    return new Space(
        BLOCK_BYTES,
        total / BLOCK_BYTES,
        Math.max(0, free) / BLOCK_BYTES,
        usage.nodes() + NODES_FREE,
        NODES_FREE,
        Names.NAME_BYTES_MAX);
  }

  private RingRoom room() throws IOException {
    Known last = known;
    long now = clock.getAsLong();
    if (last != null && now - last.sinceNanos < MEMORY_NANOS) return last.room;
    RingRoom room = nodes.ringRoom();
    known = new Known(room, now);
    return room;
  }
}
