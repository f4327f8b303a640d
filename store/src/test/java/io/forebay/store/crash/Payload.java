// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.crash;

import io.forebay.base.RecordId;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** The bytes of a record, which follow from its id: a ledger need not hold them. */
final class Payload {
  private static final long SESSION_FACTOR = 0x9E3779B97F4A7C15L;
  private static final long SEQUENCE_FACTOR = 0xC2B2AE3D27D4EB4FL;

  private final long seed;

  Payload(long seed) {
    this.seed = seed;
  }

  byte[] of(RecordId id, int payloadBytes) {
    byte[] bytes = new byte[payloadBytes];
    fill(id, ByteBuffer.wrap(bytes));
    return bytes;
  }

  /** Fills all that remains. */
  void fill(RecordId id, ByteBuffer target) {
    SplittableRandom random =
        new SplittableRandom(
            seed ^ (id.session() * SESSION_FACTOR) ^ (id.sequence() * SEQUENCE_FACTOR));
    while (target.remaining() >= Long.BYTES) target.putLong(random.nextLong());
    for (long rest = random.nextLong(); target.hasRemaining(); rest >>>= Byte.SIZE) {
      target.put((byte) rest);
    }
  }
}
