// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.format;

import io.forebay.base.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A named note on the file or on a variable.
 *
 * @param values the elements as in the file: big-endian, in order
 */
public record Attribute(String name, ElementType type, Bytes values) {
  /** The attribute with the value of a variable's unwritten elements. */
  public static final String FILL_VALUE = "_FillValue";

  public Attribute {
    if (values.length() % type.sizeBytes() != 0) {
      throw new IllegalArgumentException(
          "attribute '%s': %d bytes of %s".formatted(name, values.length(), type));
    }
  }

  public static Attribute text(String name, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Attribute(name, ElementType.CHAR, Bytes.copyOf(bytes));
  }

  /** Whole numbers of 8 bits; {@link #unsigned} for those without a sign. */
  public static Attribute ofBytes(String name, byte... values) {
    return new Attribute(name, ElementType.BYTE, Bytes.copyOf(values));
  }

  public static Attribute ofShorts(String name, short... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Short.BYTES);
    for (short value : values) bytes.putShort(value);
    return new Attribute(name, ElementType.SHORT, Bytes.copyOf(bytes.array()));
  }

  public static Attribute ofInts(String name, int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES);
    for (int value : values) bytes.putInt(value);
    return new Attribute(name, ElementType.INT, Bytes.copyOf(bytes.array()));
  }

  /** Whole numbers of 64 bits, which only CDF-5 has. */
  public static Attribute ofLongs(String name, long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
    for (long value : values) bytes.putLong(value);
    return new Attribute(name, ElementType.INT64, Bytes.copyOf(bytes.array()));
  }

  public static Attribute ofFloats(String name, float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
    for (float value : values) bytes.putFloat(value);
    return new Attribute(name, ElementType.FLOAT, Bytes.copyOf(bytes.array()));
  }

  public static Attribute ofDoubles(String name, double... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES);
    for (double value : values) bytes.putDouble(value);
    return new Attribute(name, ElementType.DOUBLE, Bytes.copyOf(bytes.array()));
  }

  /** The same bits as numbers without a sign, which only CDF-5 has. */
  public Attribute unsigned() {
    ElementType unsigned =
        switch (type) {
          case BYTE, UBYTE -> ElementType.UBYTE;
          case SHORT, USHORT -> ElementType.USHORT;
          case INT, UINT -> ElementType.UINT;
          case INT64, UINT64 -> ElementType.UINT64;
          case CHAR, FLOAT, DOUBLE ->
              throw new IllegalArgumentException(type + " has no unsigned counterpart");
        };
    return new Attribute(name, unsigned, values);
  }

  /** Its elements as whole numbers; throws {@code OUT_OF_RANGE} if one does not fit. */
  public int[] ints() throws NetcdfException {
    int[] numbers = new int[count()];
    ByteBuffer bytes = bytes();
    for (int i = 0; i < numbers.length; i++) {
      long number = whole(bytes, i);
      if (number != (int) number) throw outOfRange(ElementType.INT);
      numbers[i] = (int) number;
    }
    return numbers;
  }

  public long[] longs() throws NetcdfException {
    long[] numbers = new long[count()];
    ByteBuffer bytes = bytes();
    for (int i = 0; i < numbers.length; i++) numbers[i] = whole(bytes, i);
    return numbers;
  }

  public float[] floats() throws NetcdfException {
    float[] numbers = new float[count()];
    ByteBuffer bytes = bytes();
    for (int i = 0; i < numbers.length; i++) {
      double number = fraction(bytes, i);
      if (Math.abs(number) > Float.MAX_VALUE) throw outOfRange(ElementType.FLOAT);
      numbers[i] = (float) number;
    }
    return numbers;
  }

  public double[] doubles() throws NetcdfException {
    double[] numbers = new double[count()];
    ByteBuffer bytes = bytes();
    for (int i = 0; i < numbers.length; i++) numbers[i] = fraction(bytes, i);
    return numbers;
  }

  /** The only element as a whole number. */
  public long integer() throws NetcdfException {
    requireOne();
    return whole(bytes(), 0);
  }

  /** The only element as a fraction. */
  public double number() throws NetcdfException {
    requireOne();
    return fraction(bytes(), 0);
  }

  private void requireOne() throws NetcdfException {
    if (count() == 1) return;
    throw new NetcdfException(
        NetcdfError.WRONG_LENGTH, "attribute '%s' has %d elements".formatted(name, count()));
  }

  private ByteBuffer bytes() {
    return ByteBuffer.wrap(values.toArray());
  }

  private long whole(ByteBuffer bytes, int index) throws NetcdfException {
    if (type.isFraction()) {
      double number = fraction(bytes, index);
      boolean fits = number >= Long.MIN_VALUE && number < -(double) Long.MIN_VALUE;
      if (!fits) throw outOfRange(ElementType.INT64);
      return (long) number;
    }
    long bits = bits(bytes, index);
    if (type == ElementType.UINT64 && bits < 0) throw outOfRange(ElementType.INT64);
    return bits;
  }

  private double fraction(ByteBuffer bytes, int index) throws NetcdfException {
    if (type == ElementType.FLOAT) return bytes.getFloat(index * Float.BYTES);
    if (type == ElementType.DOUBLE) return bytes.getDouble(index * Double.BYTES);
    long bits = bits(bytes, index);
    boolean huge = type == ElementType.UINT64 && bits < 0;
    // Halved with its last bit kept, so that rounding is as from the whole number.
    return huge ? ((bits >>> 1) | (bits & 1)) * 2.0 : bits;
  }

  private long bits(ByteBuffer bytes, int index) throws NetcdfException {
    int at = index * type.sizeBytes();
    return switch (type) {
      case BYTE -> bytes.get(at);
      case UBYTE -> bytes.get(at) & 0xff;
      case SHORT -> bytes.getShort(at);
      case USHORT -> bytes.getShort(at) & 0xffff;
      case INT -> bytes.getInt(at);
      case UINT -> bytes.getInt(at) & 0xffff_ffffL;
      case INT64, UINT64 -> bytes.getLong(at);
      case CHAR ->
          throw new NetcdfException(
              NetcdfError.TEXT_AND_NUMBERS, "attribute '" + name + "' is text");
      case FLOAT, DOUBLE -> throw new IllegalStateException(type + " holds fractions");
    };
  }

  private NetcdfException outOfRange(ElementType wanted) {
    return new NetcdfException(
        NetcdfError.OUT_OF_RANGE, "attribute '%s' does not fit %s".formatted(name, wanted));
  }

  /** How many elements it has. */
  public int count() {
    return values.length() / type.sizeBytes();
  }

  /** Its bytes as text. */
  public String text() {
    return new String(values.toArray(), StandardCharsets.UTF_8);
  }
}
