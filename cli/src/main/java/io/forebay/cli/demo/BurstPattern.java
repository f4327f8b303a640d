// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The bytes of a burst: random, with their position stamped into every page, so that no two pages
 * are equal. They follow from a seed, so they need not be stored. Any thread.
 */
final class BurstPattern {
  static final int RECORD_BYTES = 1024 * 1024;
  private static final int PAGE_BYTES = 4096;

  private final ByteBuffer block;

  BurstPattern(long seed) {
    ByteBuffer random = ByteBuffer.allocate(RECORD_BYTES);
    SplittableRandom source = new SplittableRandom(seed);
    while (random.hasRemaining()) random.putLong(source.nextLong());
    block = random.flip().asReadOnlyBuffer();
  }

  /** A buffer for one record. */
  static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(RECORD_BYTES);
  }

  /** Makes a rank's record of that number. */
  void fill(ByteBuffer record, int rank, int number) {
    record.clear().put(block.duplicate()).flip();
    for (int page = 0; page < RECORD_BYTES; page += PAGE_BYTES) {
      record
          .putInt(page, rank)
          .putInt(page + Integer.BYTES, number)
          .putInt(page + Long.BYTES, page);
    }
  }
}
