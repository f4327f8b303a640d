// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.cdl;

import io.forebay.netcdf.format.Attribute;
import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Variable;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Numbers as CDL writes them: those of one variable, or those of an attribute. */
final class ElementText {
  private static final String C_FORMAT = "C_format";
  private static final String FILL = "_";

  private final ElementType type;
  private final CFormat format;
  private final boolean hasFill;
  private final long fillBits;

  /** For the data of a variable. */
  ElementText(Variable variable, CdlOptions.Precision precision) {
    type = variable.type();
    CFormat wanted = wanted(variable, precision);
    format = wanted != null ? wanted : usual(type, precision);
    Attribute fill = variable.attribute(Attribute.FILL_VALUE);
    boolean own = fill != null && fill.type() == type && fill.count() == 1;
    // Bytes often use all their values, so without the attribute none is taken for a fill value.
    hasFill = own || type.sizeBytes() > 1;
    if (own && fill != null) fillBits = comparable(bits(fill.values().asBuffer(), type), type);
    else fillBits = hasFill ? usualFill(type) : 0;
  }

  private static @Nullable CFormat wanted(Variable variable, CdlOptions.Precision precision) {
    boolean fraction = variable.type().isFraction();
    if (fraction && precision.given()) return null;
    Attribute attribute = variable.attribute(C_FORMAT);
    if (attribute == null || attribute.type() != ElementType.CHAR) return null;
    String text = attribute.text();
    int end = text.indexOf(0);
    CFormat format = CFormat.parse(end < 0 ? text : text.substring(0, end));
    return format != null && format.isFraction() == fraction ? format : null;
  }

  private static CFormat usual(ElementType type, CdlOptions.Precision precision) {
    return switch (type) {
      case FLOAT -> CFormat.of("%." + precision.floatDigits() + "g");
      case DOUBLE -> CFormat.of("%." + precision.doubleDigits() + "g");
      default -> CFormat.of("%d");
    };
  }

  private static long usualFill(ElementType type) {
    return switch (type) {
      case FLOAT -> Float.floatToIntBits((float) type.fillFraction());
      case DOUBLE -> Double.doubleToLongBits(type.fillFraction());
      default -> type.fillInteger();
    };
  }

  /** The next element's bits; integers as their value. */
  private static long bits(ByteBuffer bytes, ElementType type) {
    return switch (type) {
      case BYTE, CHAR -> bytes.get();
      case UBYTE -> bytes.get() & 0xff;
      case SHORT -> bytes.getShort();
      case USHORT -> bytes.getShort() & 0xffff;
      case INT, FLOAT -> bytes.getInt();
      case UINT -> bytes.getInt() & 0xffff_ffffL;
      case INT64, UINT64, DOUBLE -> bytes.getLong();
    };
  }

  /** Bits that are the same where C calls the numbers the same, or both are no numbers. */
  private static long comparable(long bits, ElementType type) {
    return switch (type) {
      case FLOAT -> Float.floatToIntBits(Float.intBitsToFloat((int) bits) + 0f);
      case DOUBLE -> Double.doubleToLongBits(Double.longBitsToDouble(bits) + 0d);
      default -> bits;
    };
  }

  /** Reads the next element and writes it as data. */
  String next(ByteBuffer bytes) {
    long bits = bits(bytes, type);
    if (hasFill && comparable(bits, type) == fillBits) return FILL;
    return switch (type) {
      case FLOAT -> {
        float value = Float.intBitsToFloat((int) bits);
        yield Float.isFinite(value) ? format.fraction(value) : infinite(value) + "f";
      }
      case DOUBLE -> {
        double value = Double.longBitsToDouble(bits);
        yield Double.isFinite(value) ? format.fraction(value) : infinite(value);
      }
      default -> format.integer(bits, type.isUnsigned(), type.sizeBytes());
    };
  }

  private static String infinite(double value) {
    if (Double.isNaN(value)) return "NaN";
    return value < 0 ? "-Infinity" : "Infinity";
  }

  /** Reads the next element of an attribute and writes it with the letters that tell its type. */
  static String attribute(ByteBuffer bytes, ElementType type, CdlOptions.Precision precision) {
    long bits = bits(bytes, type);
    return switch (type) {
      case BYTE -> bits + "b";
      case SHORT -> bits + "s";
      case CHAR, INT -> Long.toString(bits);
      case FLOAT -> fraction(Float.intBitsToFloat((int) bits), precision.floatDigits()) + "f";
      case DOUBLE -> fraction(Double.longBitsToDouble(bits), precision.doubleDigits());
      case UBYTE -> bits + "UB";
      case USHORT -> bits + "US";
      case UINT -> bits + "U";
      case INT64 -> bits + "LL";
      case UINT64 -> Long.toUnsignedString(bits) + "ULL";
    };
  }

  /** With a point, which tells a fraction from a whole number, but without zeros behind it. */
  private static String fraction(double value, int digits) {
    if (!Double.isFinite(value)) return infinite(value);
    String text = CFormat.of("%#." + digits + "g").fraction(value);
    int power = text.indexOf('e');
    if (power < 0) return CFormat.withoutZeros(text, true);
    return CFormat.withoutZeros(text.substring(0, power), true) + text.substring(power);
  }
}
