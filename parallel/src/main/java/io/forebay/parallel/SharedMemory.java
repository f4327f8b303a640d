// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

import java.lang.foreign.MemorySegment;

/** Checks of memory that other ranks read or write; every implementation makes the same ones. */
final class SharedMemory {
  /** A thread that never runs: memory that it may access is accessible to all threads. */
  private static final Thread ANYBODY = Thread.ofPlatform().name("anybody").unstarted(() -> {});

  private SharedMemory() {}

  static void require(MemorySegment memory) {
    if (!memory.isNative() || !memory.isAccessibleBy(ANYBODY)) {
      throw new IllegalArgumentException(
          "ranks exchange memory off the heap that every thread may access, not " + memory);
    }
  }

  static void requireBlocks(MemorySegment memory, long[] blockBytes, int ranks) {
    require(memory);
    if (blockBytes.length != ranks) {
      throw new IllegalArgumentException(blockBytes.length + " blocks for " + ranks + " ranks");
    }
    long total = 0;
    for (long bytes : blockBytes) {
      if (bytes < 0) throw new IllegalArgumentException("a block of " + bytes + " bytes");
      total = Math.addExact(total, bytes);
    }
    if (total > memory.byteSize()) {
      throw new IllegalArgumentException(
          "blocks of " + total + " bytes in memory of " + memory.byteSize());
    }
  }

  /** Checks that what one rank sends and receives is within what all were told. */
  static void requireAtMost(long rankBytesMax, long[] sendBytes, long[] receiveBytes) {
    for (long[] blocks : new long[][] {sendBytes, receiveBytes}) {
      long total = 0;
      for (long bytes : blocks) total += bytes;
      if (total > rankBytesMax) {
        throw new IllegalArgumentException(
            "blocks of " + total + " bytes where " + rankBytesMax + " is the most");
      }
    }
  }

  /** Checks that a message is short enough for one that is not waited for. */
  static void requirePostable(MemorySegment memory) {
    if (memory.byteSize() > Group.POSTED_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a message of %d bytes; at most %d can be posted"
              .formatted(memory.byteSize(), Group.POSTED_BYTES_MAX));
    }
  }

  static void requireFits(long messageBytes, MemorySegment memory) {
    if (messageBytes > memory.byteSize()) {
      throw new IllegalArgumentException(
          "a message of " + messageBytes + " bytes for memory of " + memory.byteSize());
    }
  }
}
