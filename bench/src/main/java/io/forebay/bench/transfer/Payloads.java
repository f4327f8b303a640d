// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.transfer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The written bytes, as pieces of one size in turn: memory outside the heap, larger than a core's
 * own caches. The bytes never change.
 */
public final class Payloads {
  private static final int BYTES = 64 << 20;

  private final int payloadBytes;
  private final List<ByteBuffer> pieces = new ArrayList<>();
  private int next;

  private Payloads(ByteBuffer bytes, int payloadBytes) {
    this.payloadBytes = payloadBytes;
    for (int at = 0; at <= bytes.capacity() - payloadBytes; at += payloadBytes) {
      pieces.add(bytes.slice(at, payloadBytes));
    }
  }

  /** Random bytes to cut payloads from. */
  public static ByteBuffer random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
    for (int at = 0; at < BYTES; at += Long.BYTES) bytes.putLong(at, random.nextLong());
    return bytes;
  }

  public static Payloads of(ByteBuffer bytes, int payloadBytes) {
    return new Payloads(bytes, payloadBytes);
  }

  public int payloadBytes() {
    return payloadBytes;
  }

  /** The next piece, with a position and a limit of its own. */
  public ByteBuffer next() {
    if (next == pieces.size()) next = 0;
    return pieces.get(next++).duplicate();
  }
}
