// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Bytes that follow from a seed, so that they need not be stored. */
final class Content {
  private Content() {}

  static ByteBuffer of(long seed, int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(seed).nextBytes(content);
    return ByteBuffer.wrap(content);
  }

  /** How many bytes differ, of buffers of the same length. */
  static int differing(ByteBuffer one, ByteBuffer other) {
    int at = one.mismatch(other);
    if (at < 0) return 0;
    int differing = 0;
    for (int i = at; i < one.remaining(); i++) {
      if (one.get(i) != other.get(i)) differing++;
    }
    return differing;
  }
}
