// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.base.ByteSize;
import io.forebay.seat.SeatConfig;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.directory.MemoryRoom;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The storage of a server and its sizes.
 *
 * @param directory the directory of lasting data
 * @param memoryRoot a directory in memory; null for the machine's usual one
 * @param memoryBytes of the whole server; 0 to keep data on the SSD only
 * @param ssdBytes of the whole server; 0 to keep data in memory only
 * @param anonymousMemory whether memory may die with the process where the root has no room
 */
public record Storage(
    Path directory,
    @Nullable Path memoryRoot,
    long memoryBytes,
    long ssdBytes,
    int segmentBytes,
    boolean anonymousMemory) {
  /** The options of each seat's log, in the order of seats. */
  List<LogDirectory.Options> logs(int seats) throws StartFailed {
    StoreConfig share = share(seats);
    List<LogDirectory.Options> logs = new ArrayList<>();
    for (int number = 1; number <= seats; number++) {
      logs.add(
          LogDirectory.Options.create(SeatCore.directoryOf(directory, number), share)
              .withMemoryRoot(memoryRoot)
              .withAnonymousMemory(anonymousMemory));
    }
    return logs;
  }

  /** The memory that the logs need; nothing if they need none there. */
  List<MemoryRoom> memory(int seats) throws StartFailed, IOException {
    List<MemoryRoom> rooms = new ArrayList<>();
    if (anonymousMemory) return rooms;
    try {
      for (LogDirectory.Options log : logs(seats)) rooms.add(MemoryRoom.of(log));
    } catch (LogUnavailable e) {
      throw new StartFailed(e.sentence(), e);
    }
    return rooms;
  }

  /** Refuses servers that do not find the memory that they promise. */
  static void requireMemory(List<MemoryRoom> rooms) throws StartFailed, IOException {
    try {
      MemoryRoom.require(rooms);
    } catch (LogUnavailable e) {
      throw new StartFailed(e.sentence(), e);
    }
  }

  /** The share of each seat. */
  StoreConfig share(int seats) throws StartFailed {
    long memory = memoryBytes / seats;
    long ssd = ssdBytes / seats;
    if (memory == 0 && ssd == 0) {
      throw new StartFailed("memory and ssd are both 0; give data some room in one of them");
    }
    if (segmentBytes < SeatConfig.SEGMENT_BYTES_MIN) {
      throw new StartFailed(
          "segment is %s; a seat's log needs at least %s"
              .formatted(
                  ByteSize.format(segmentBytes), ByteSize.format(SeatConfig.SEGMENT_BYTES_MIN)));
    }
    try {
      if (ssd == 0) return StoreConfig.memory(segmentBytes, memory);
      if (memory == 0) return StoreConfig.ssd(segmentBytes, ssd);
      return StoreConfig.hybrid(segmentBytes, memory, ssd);
    } catch (IllegalArgumentException e) {
      throw new StartFailed(
          "memory %s, ssd %s and segment %s do not fit %d %s: %s"
              .formatted(
                  ByteSize.format(memoryBytes),
                  ByteSize.format(ssdBytes),
                  ByteSize.format(segmentBytes),
                  seats,
                  seats == 1 ? "seat" : "seats",
                  e.getMessage()),
          e);
    }
  }
}
