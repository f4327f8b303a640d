// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import java.nio.charset.StandardCharsets;

/** A hash that is the same everywhere and forever: 64-bit FNV-1a with a final mix. */
final class Spread {
  private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private Spread() {}

  static long hash(String text) {
    long hash = OFFSET_BASIS;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ Byte.toUnsignedInt(each)) * PRIME;
    }
    return mix(hash);
  }

  /** Makes every bit depend on every other: the finalizer of SplitMix64. */
  static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
