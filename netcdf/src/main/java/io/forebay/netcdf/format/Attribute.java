package io.forebay.netcdf.format;

import io.forebay.base.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A named note on the file or on a variable.
 *
 * @param values the elements as the file has them: big-endian, one behind the other
 */
public record Attribute(String name, ElementType type, Bytes values) {
  /** The attribute that says what a variable's unwritten elements hold. */
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

  public static Attribute ofInts(String name, int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES);
    for (int value : values) bytes.putInt(value);
    return new Attribute(name, ElementType.INT, Bytes.copyOf(bytes.array()));
  }

  public static Attribute ofDoubles(String name, double... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES);
    for (double value : values) bytes.putDouble(value);
    return new Attribute(name, ElementType.DOUBLE, Bytes.copyOf(bytes.array()));
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
