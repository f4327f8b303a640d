// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A short, immutable sequence of bytes, compared by content. */
public final class Bytes {
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  public static Bytes copyOf(byte[] content) {
    return content.length == 0 ? EMPTY : new Bytes(content.clone());
  }

  /** Copies what lies between position and limit; the buffer stays as it is. */
  public static Bytes copyOf(ByteBuffer content) {
    byte[] copy = new byte[content.remaining()];
    content.get(content.position(), copy);
    return new Bytes(copy);
  }

  public int length() {
    return content.length;
  }

  public byte[] toArray() {
    return content.clone();
  }

  /** The bytes as a buffer that cannot be written to. */
  public ByteBuffer asBuffer() {
    return ByteBuffer.wrap(content).asReadOnlyBuffer();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return content.length + " bytes";
  }
}
