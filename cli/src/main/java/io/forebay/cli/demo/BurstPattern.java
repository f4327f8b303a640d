package io.forebay.cli.demo;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The bytes of a burst: random ones, stamped with their place in every page, so that no page can
 * stand for another. They follow from a seed, so nobody needs to keep them.
 */
final class BurstPattern {
  static final int RECORD_BYTES = 1024 * 1024;
  private static final int PAGE_BYTES = 4096;

  private final ByteBuffer block = ByteBuffer.allocateDirect(RECORD_BYTES);

  BurstPattern(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    while (block.hasRemaining()) block.putLong(random.nextLong());
    block.flip();
  }

  /** A rank's record of that number; to be used before the next is asked for. */
  ByteBuffer record(int rank, int number) {
    for (int page = 0; page < RECORD_BYTES; page += PAGE_BYTES) {
      block.putInt(page, rank).putInt(page + Integer.BYTES, number).putInt(page + Long.BYTES, page);
    }
    return block.duplicate();
  }
}
