// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all handles of a session read ahead into. When it is used up, the handle with the
 * oldest last read frees its chunks.
 */
public final class AheadMemory {
  private final long bytesMax;
  private final int chunkBytesMax;
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
  private final Set<ReadAhead> holders = new LinkedHashSet<>();
  private long takenBytes;

  /**
   * Sets the bounds; memory is allocated when needed.
   *
   * @param chunkBytesMax the maximum of one allocation
   */
  public AheadMemory(long bytesMax, int chunkBytesMax) {
    this.bytesMax = bytesMax;
    this.chunkBytesMax = chunkBytesMax;
  }

  int chunkBytesMax() {
    return chunkBytesMax;
  }

  /** Whether read-ahead is off. */
  boolean isNone() {
    return bytesMax == 0;
  }

  /** Marks a handle as the most recently read, so that it frees memory last. */
  void used(ReadAhead holder) {
    holders.remove(holder);
    holders.add(holder);
  }

  void left(ReadAhead holder) {
    holders.remove(holder);
  }

  /** Memory of this size, or null if other handles need all of it. */
  @Nullable ByteBuffer take(ReadAhead holder, int bytes) {
    while (takenBytes + charge(bytes) > bytesMax) {
      if (holders.isEmpty()) return null;
      ReadAhead oldest = holders.iterator().next();
      if (oldest.equals(holder)) return null;
      holders.remove(oldest);
      oldest.drop();
    }
    takenBytes += charge(bytes);
    if (!isWhole(bytes)) return ByteBuffer.allocate(bytes);
    ByteBuffer used = free.poll();
    return used == null ? ByteBuffer.allocateDirect(chunkBytesMax) : used.clear();
  }

  void giveBack(ByteBuffer memory) {
    takenBytes -= charge(memory.capacity());
    if (isWhole(memory.capacity())) free.push(memory);
  }

  /** Direct memory costs too much to be taken for a small part. */
  private boolean isWhole(int bytes) {
    return bytes > chunkBytesMax / 2;
  }

  private int charge(int bytes) {
    return isWhole(bytes) ? chunkBytesMax : bytes;
  }
}
