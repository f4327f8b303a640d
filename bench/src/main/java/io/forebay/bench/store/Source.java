// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The source of payloads: memory outside the heap, larger than a core's own caches, given out piece
 * by piece in turn.
 */
final class Source {
  private static final int BYTES = 64 * Scale.MIB;

  private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
  private int next;

  Source(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int at = 0; at < BYTES; at += Long.BYTES) bytes.putLong(at, random.nextLong());
  }

  /** Copies the next piece to a position of the target. */
  void copy(ByteBuffer target, int position, int lengthBytes) {
    target.put(position, bytes, take(lengthBytes), lengthBytes);
  }

  /** The next piece itself. */
  ByteBuffer slice(int lengthBytes) {
    return bytes.slice(take(lengthBytes), lengthBytes);
  }

  private int take(int lengthBytes) {
    if (next > BYTES - lengthBytes) next = 0;
    int at = next;
    next += lengthBytes;
    return at;
  }
}
