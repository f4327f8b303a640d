// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing.fuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Changed copies of inputs: flipped bits, other numbers, parts cut out, doubled or joined. */
final class Mutations {
  static final int BYTES_MAX = 64 * 1024;
  private static final int EDITS_MAX = 6;

  /** Numbers at which lengths and counts tend to be wrong. */
  private static final long[] EDGES = {
    0,
    1,
    -1,
    2,
    127,
    128,
    255,
    256,
    4095,
    4096,
    65535,
    65536,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private final SplittableRandom random;
  private final List<byte[]> inputs;

  /**
   * Changes these.
   *
   * @param inputs one at least
   */
  Mutations(SplittableRandom random, List<byte[]> inputs) {
    this.random = random;
    this.inputs = List.copyOf(inputs);
  }

  byte[] next() {
    byte[] input = any().clone();
    int edits = 1 + random.nextInt(EDITS_MAX);
    for (int i = 0; i < edits; i++) input = edit(input);
    return input.length > BYTES_MAX ? Arrays.copyOf(input, BYTES_MAX) : input;
  }

  private byte[] any() {
    return inputs.get(random.nextInt(inputs.size()));
  }

  private byte[] edit(byte[] input) {
    int at = random.nextInt(input.length + 1);
    int length = random.nextInt(Math.min(64, input.length - at) + 1);
    return switch (random.nextInt(7)) {
      case 0 -> flip(input);
      case 1 -> number(input, at);
      case 2 -> join(input, at, noise(), at);
      case 3 -> join(input, at, new byte[0], at + length);
      case 4 -> join(input, at + length, Arrays.copyOfRange(input, at, at + length), at + length);
      case 5 -> spliced(input, at);
      default -> Arrays.copyOf(input, at);
    };
  }

  private byte[] flip(byte[] input) {
    if (input.length > 0) input[random.nextInt(input.length)] ^= (byte) (1 << random.nextInt(8));
    return input;
  }

  /** Overwrites one, two, four or eight bytes. */
  private byte[] number(byte[] input, int at) {
    int width = 1 << random.nextInt(4);
    if (at + width > input.length) return input;
    long value = EDGES[random.nextInt(EDGES.length)] + random.nextInt(-1, 2);
    byte[] wide = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    System.arraycopy(wide, Long.BYTES - width, input, at, width);
    return input;
  }

  private byte[] noise() {
    byte[] noise = new byte[1 + random.nextInt(16)];
    random.nextBytes(noise);
    return noise;
  }

  /** The end of another input instead of its own. */
  private byte[] spliced(byte[] input, int at) {
    byte[] other = any();
    int from = random.nextInt(other.length + 1);
    return join(input, at, Arrays.copyOfRange(other, from, other.length), input.length);
  }

  /** An input up to a place, then other bytes, then the input from another place on. */
  private static byte[] join(byte[] input, int to, byte[] middle, int from) {
    return ByteBuffer.allocate(to + middle.length + input.length - from)
        .put(input, 0, to)
        .put(middle)
        .put(input, from, input.length - from)
        .array();
  }
}
