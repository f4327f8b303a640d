// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The memory of one rank, which the plan of each step divides into buffers. Another plan uses it
 * again, and adds only what does not fit into it: memory that is new costs more than all copies.
 * Owned by one rank's thread.
 */
public final class RankMemory implements AutoCloseable {
  private static final long ALIGNMENT_BYTES = Long.BYTES;

  private final Memory memory;
  private final long bytesMax;
  private final List<MemorySegment> segments = new ArrayList<>();
  private Arena arena = Arena.ofShared();

  /**
   * Memory that is empty at first.
   *
   * @param bytesMax the bound; one plan alone never needs more
   */
  public RankMemory(Memory memory, long bytesMax) {
    this.memory = memory;
    this.bytesMax = bytesMax;
  }

  /** How much there is in all. */
  public long totalBytes() {
    return segments.stream().mapToLong(MemorySegment::byteSize).sum();
  }

  /** Divides it into buffers of these lengths. Buffers of before must not be used any more. */
  public List<MemorySegment> divide(long... lengths) {
    long[] bytes = Arrays.stream(lengths).map(RankMemory::aligned).toArray();
    MemorySegment[] buffers = new MemorySegment[bytes.length];
    long missingBytes = place(bytes, buffers);
    if (missingBytes > 0) {
      grow(missingBytes, Arrays.stream(bytes).sum());
      place(bytes, buffers);
    }
    return IntStream.range(0, lengths.length)
        .mapToObj(i -> buffers[i].asSlice(0, lengths[i]))
        .toList();
  }

  /**
   * Gives each buffer the first place that is long enough, the longest buffer first.
   *
   * @return how much is missing for the others
   */
  private long place(long[] bytes, MemorySegment[] buffers) {
    long[] usedBytes = new long[segments.size()];
    long missingBytes = 0;
    List<Integer> longestFirst =
        IntStream.range(0, bytes.length)
            .boxed()
            .sorted(Comparator.comparingLong(i -> -bytes[i]))
            .toList();
    for (int i : longestFirst) {
      buffers[i] = MemorySegment.NULL;
      if (bytes[i] == 0) continue;
      int at = 0;
      while (at < usedBytes.length && segments.get(at).byteSize() - usedBytes[at] < bytes[i]) at++;
      if (at == usedBytes.length) {
        missingBytes += bytes[i];
      } else {
        buffers[i] = segments.get(at).asSlice(usedBytes[at], bytes[i]);
        usedBytes[at] += bytes[i];
      }
    }
    return missingBytes;
  }

  /** Adds what is missing, or begins anew if both together would be more than the bound. */
  private void grow(long missingBytes, long neededBytes) {
    if (totalBytes() + missingBytes <= bytesMax) {
      segments.add(memory.allocate(arena, missingBytes));
      return;
    }
    // An empty arena is used as it is: to close one stops every thread of the process.
    if (!segments.isEmpty()) {
      segments.clear();
      arena.close();
      arena = Arena.ofShared();
    }
    segments.add(memory.allocate(arena, neededBytes));
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  }

  /** Gives the memory up. Closing again does nothing. */
  @Override
  public void close() {
    segments.clear();
    if (arena.scope().isAlive()) arena.close();
  }
}
