package io.forebay.base.fields;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Takes fields, in order, into an array that grows. One owner. */
public final class FieldWriter {
  private static final int INITIAL_BYTES = 256;

  private byte[] bytes = new byte[INITIAL_BYTES];
  private ByteBuffer view = ByteBuffer.wrap(bytes);

  /** Starts anew, keeping the room. */
  public void clear() {
    view.clear();
  }

  /** What was written, valid until the next write or {@link #clear}. */
  public ByteBuffer written() {
    return view.duplicate().flip();
  }

  public int length() {
    return view.position();
  }

  /** Leaves room for what is known only at the end; it is put into {@link #written}. */
  public void putZeros(int count) {
    ByteBuffer out = room(count);
    for (int i = 0; i < count; i++) out.put((byte) 0);
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
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(position, more)));
      view = ByteBuffer.wrap(bytes).position(position);
    }
    return view;
  }
}
