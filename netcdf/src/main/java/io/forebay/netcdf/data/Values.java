// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.data;

import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Elements in memory, the source or target of a program's transfer. It is a view; nothing is
 * copied. Their type need not be that of the variable.
 *
 * @param memory the elements, one behind the other
 * @param order the byte order of elements
 */
public record Values(MemorySegment memory, ElementType type, ByteOrder order) {
  /** The longest array that every machine has. */
  private static final long ARRAY_MAX = Integer.MAX_VALUE - 8;

  public Values {
    if (memory.byteSize() % type.sizeBytes() != 0) {
      throw new IllegalArgumentException(
          "memory of %d bytes for elements of %d".formatted(memory.byteSize(), type.sizeBytes()));
    }
  }

  /** Memory of this machine's byte order. */
  public static Values of(MemorySegment memory, ElementType type) {
    return new Values(memory, type, ByteOrder.nativeOrder());
  }

  /** What lies between the buffer's position and its limit, in the buffer's byte order. */
  public static Values of(ByteBuffer buffer, ElementType type) {
    return new Values(MemorySegment.ofBuffer(buffer), type, buffer.order());
  }

  public static Values of(byte... elements) {
    return of(MemorySegment.ofArray(elements), ElementType.BYTE);
  }

  public static Values of(short... elements) {
    return of(MemorySegment.ofArray(elements), ElementType.SHORT);
  }

  public static Values of(int... elements) {
    return of(MemorySegment.ofArray(elements), ElementType.INT);
  }

  public static Values of(long... elements) {
    return of(MemorySegment.ofArray(elements), ElementType.INT64);
  }

  public static Values of(float... elements) {
    return of(MemorySegment.ofArray(elements), ElementType.FLOAT);
  }

  public static Values of(double... elements) {
    return of(MemorySegment.ofArray(elements), ElementType.DOUBLE);
  }

  /** Text to be written, as UTF-8. */
  public static Values text(String text) {
    return text(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Text as bytes, to be written or read. */
  public static Values text(byte[] bytes) {
    return of(MemorySegment.ofArray(bytes), ElementType.CHAR);
  }

  /**
   * New memory for elements of a type.
   *
   * @throws IllegalArgumentException if an array cannot be that long
   */
  public static Values allocate(ElementType type, long count) {
    long bytes = Math.multiplyExact(count, type.sizeBytes());
    if (bytes < 0 || bytes / Long.BYTES > ARRAY_MAX) {
      throw new IllegalArgumentException(count + " elements");
    }
    long[] memory = new long[(int) Math.ceilDiv(bytes, Long.BYTES)];
    return of(MemorySegment.ofArray(memory).asSlice(0, bytes), type);
  }

  /** A copy of the elements as whole numbers; throws {@code OUT_OF_RANGE} if one does not fit. */
  public int[] toInts() throws NetcdfException {
    int[] copy = new int[arrayLength()];
    convert(of(copy));
    return copy;
  }

  public long[] toLongs() throws NetcdfException {
    long[] copy = new long[arrayLength()];
    convert(of(copy));
    return copy;
  }

  public float[] toFloats() throws NetcdfException {
    float[] copy = new float[arrayLength()];
    convert(of(copy));
    return copy;
  }

  public double[] toDoubles() throws NetcdfException {
    double[] copy = new double[arrayLength()];
    convert(of(copy));
    return copy;
  }

  /** The elements, which are text, without zeros at the end. */
  public String toText() throws NetcdfException {
    Conversion.check(ElementType.CHAR, type);
    byte[] bytes = memory.toArray(ValueLayout.JAVA_BYTE);
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == 0) length--;
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private int arrayLength() throws NetcdfException {
    if (count() <= ARRAY_MAX) return (int) count();
    throw new NetcdfException(
        NetcdfError.WRONG_LENGTH, count() + " elements do not fit an array; read parts");
  }

  private void convert(Values target) throws NetcdfException {
    Conversion.check(target.type, type);
    // The rule for bytes without a sign is one of old files, and not of memory.
    if (Conversion.convert(this, target, Conversion.fillOf(target.type), Format.CDF5)) return;
    throw new NetcdfException(
        NetcdfError.OUT_OF_RANGE, "values of %s do not fit %s".formatted(type, target.type));
  }

  /** The same elements, taken as numbers without a sign. */
  public Values unsigned() {
    ElementType unsigned =
        switch (type) {
          case BYTE -> ElementType.UBYTE;
          case SHORT -> ElementType.USHORT;
          case INT -> ElementType.UINT;
          case INT64 -> ElementType.UINT64;
          case UBYTE, USHORT, UINT, UINT64 -> type;
          case CHAR, FLOAT, DOUBLE ->
              throw new IllegalArgumentException(type + " has no unsigned counterpart");
        };
    return new Values(memory, unsigned, order);
  }

  /** How many elements there are. */
  public long count() {
    return memory.byteSize() / type.sizeBytes();
  }

  /** Some of the elements. */
  public Values slice(long first, long count) {
    int size = type.sizeBytes();
    return new Values(memory.asSlice(first * size, count * size), type, order);
  }

  ValueLayout.OfShort shorts() {
    return ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
  }

  ValueLayout.OfInt ints() {
    return ValueLayout.JAVA_INT_UNALIGNED.withOrder(order);
  }

  ValueLayout.OfLong longs() {
    return ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order);
  }

  ValueLayout.OfFloat floats() {
    return ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(order);
  }

  ValueLayout.OfDouble doubles() {
    return ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(order);
  }

  /** One integer; unsigned ones of 64 bits as their bits. */
  public long integer(long index) {
    long at = index * type.sizeBytes();
    return switch (type) {
      case BYTE -> memory.get(ValueLayout.JAVA_BYTE, at);
      case CHAR, UBYTE -> memory.get(ValueLayout.JAVA_BYTE, at) & 0xffL;
      case SHORT -> memory.get(shorts(), at);
      case USHORT -> memory.get(shorts(), at) & 0xffffL;
      case INT -> memory.get(ints(), at);
      case UINT -> memory.get(ints(), at) & 0xffff_ffffL;
      case INT64, UINT64 -> memory.get(longs(), at);
      case FLOAT, DOUBLE -> throw new IllegalStateException(type + " is a fraction");
    };
  }

  /** One fraction. */
  public double fraction(long index) {
    return switch (type) {
      case FLOAT -> memory.get(floats(), index * Float.BYTES);
      case DOUBLE -> memory.get(doubles(), index * Double.BYTES);
      default -> throw new IllegalStateException(type + " is no fraction");
    };
  }

  /** Stores the low bits of a whole number. */
  void setInteger(long index, long value) {
    long at = index * type.sizeBytes();
    switch (type.sizeBytes()) {
      case Byte.BYTES -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
      case Short.BYTES -> memory.set(shorts(), at, (short) value);
      case Integer.BYTES -> memory.set(ints(), at, (int) value);
      default -> memory.set(longs(), at, value);
    }
  }

  void setFraction(long index, double value) {
    if (type == ElementType.FLOAT) memory.set(floats(), index * Float.BYTES, (float) value);
    else memory.set(doubles(), index * Double.BYTES, value);
  }
}
