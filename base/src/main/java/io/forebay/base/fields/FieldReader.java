// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.fields;

import io.forebay.base.Checksums;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads fields in order. Allocates no memory that the bytes do not fill. */
public final class FieldReader {
  private final ByteBuffer bytes;

  /** Reads between position and limit and moves the position. */
  public FieldReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  public int remaining() {
    return bytes.remaining();
  }

  public byte getByte() throws MalformedFields {
    return require(Byte.BYTES).get();
  }

  public short getShort() throws MalformedFields {
    return require(Short.BYTES).getShort();
  }

  public int getInt() throws MalformedFields {
    return require(Integer.BYTES).getInt();
  }

  public long getLong() throws MalformedFields {
    return require(Long.BYTES).getLong();
  }

  /** A count of elements that take at least this many bytes each. */
  public int getCount(int bytesEach) throws MalformedFields {
    int count = getInt();
    if (count < 0 || (long) count * bytesEach > bytes.remaining()) {
      throw new MalformedFields(
          "a count of " + count + " with " + bytes.remaining() + " bytes left");
    }
    return count;
  }

  public boolean getBoolean() throws MalformedFields {
    int value = getByte();
    if (value != 0 && value != 1) throw new MalformedFields(value + " is neither true nor false");
    return value == 1;
  }

  public Checksums getChecksums() throws MalformedFields {
    int[] values = new int[getCount(Integer.BYTES)];
    for (int block = 0; block < values.length; block++) values[block] = bytes.getInt();
    return Checksums.of(values);
  }

  public String getText() throws MalformedFields {
    ByteBuffer encoded = slice(getCount(1));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedFields("text that is not UTF-8", e);
    }
  }

  /** The next bytes as a view. */
  public ByteBuffer getBytes() throws MalformedFields {
    return slice(getCount(1));
  }

  private ByteBuffer slice(int length) {
    ByteBuffer part = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    return part;
  }

  private ByteBuffer require(int count) throws MalformedFields {
    if (bytes.remaining() < count) {
      throw new MalformedFields("ends too early", new BufferUnderflowException());
    }
    return bytes;
  }
}
