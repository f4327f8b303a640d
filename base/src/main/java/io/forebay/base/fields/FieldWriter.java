// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.fields;

import io.forebay.base.Checksums;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes fields, in order, into an array that grows up to a bound. One owner. */
public final class FieldWriter {
  private static final int INITIAL_BYTES = 256;

  /** The longest array that every JVM can make. */
  private static final int ARRAY_BYTES_MAX = Integer.MAX_VALUE - 8;

  private final int bytesMax;
  private byte[] bytes = new byte[INITIAL_BYTES];
  private ByteBuffer view = ByteBuffer.wrap(bytes);

  public FieldWriter() {
    this(ARRAY_BYTES_MAX);
  }

  /**
   * With a bound.
   *
   * @param bytesMax {@link FieldsTooLong} is thrown instead of writing more
   */
  public FieldWriter(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Starts over, keeping its buffer. */
  public void clear() {
    view.clear();
  }

  /** The bytes written so far, valid until the next write or {@link #clear}. */
  public ByteBuffer written() {
    return view.duplicate().flip();
  }

  public int length() {
    return view.position();
  }

  /** Leaves room for bytes that are known only at the end, to be put into {@link #written}. */
  public void skip(int count) {
    ByteBuffer out = room(count);
    out.position(out.position() + count);
  }

  public void putByte(int value) {
    room(Byte.BYTES).put((byte) value);
  }

  public void putShort(int value) {
    room(Short.BYTES).putShort((short) value);
  }

  public void putInt(int value) {
    room(Integer.BYTES).putInt(value);
  }

  public void putLong(long value) {
    room(Long.BYTES).putLong(value);
  }

  public void putBoolean(boolean value) {
    putByte(value ? 1 : 0);
  }

  public void putChecksums(Checksums checksums) {
    int count = checksums.count();
    putInt(count);
    ByteBuffer out = room(Math.multiplyExact(count, Integer.BYTES));
    for (int block = 0; block < count; block++) out.putInt(checksums.at(block));
  }

  public void putText(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    putInt(encoded.length);
    room(encoded.length).put(encoded);
  }

  public void putBytes(ByteBuffer content) {
    putInt(content.remaining());
    room(content.remaining()).put(content.duplicate());
  }

  private ByteBuffer room(int more) {
    if (view.remaining() < more) {
      int position = view.position();
      long needed = (long) position + more;
      if (needed > bytesMax) throw new FieldsTooLong(bytesMax);
      bytes = Arrays.copyOf(bytes, (int) Math.min(bytesMax, Math.max(2L * bytes.length, needed)));
      view = ByteBuffer.wrap(bytes).position(position);
    }
    return view;
  }
}
