package io.forebay.server;

import io.forebay.base.ByteSize;
import io.forebay.seat.SeatConfig;
import io.forebay.store.StoreConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a server keeps its data, and how much.
 *
 * @param directory what must last is below it
 * @param memoryRoot a directory in memory; null for the machine's usual one
 * @param memoryBytes of the whole server; 0 to keep data on the SSD only
 * @param ssdBytes of the whole server; 0 to keep data in memory only
 */
public record Storage(
    Path directory, @Nullable Path memoryRoot, long memoryBytes, long ssdBytes, int segmentBytes) {
  /** What each of so many seats gets. */
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
