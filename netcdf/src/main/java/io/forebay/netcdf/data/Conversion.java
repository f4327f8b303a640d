// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.data;

import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.lang.foreign.MemorySegment;

/**
 * Converts elements between types, as netCDF defines it: integers and floating-point numbers into
 * each other, fractions towards zero; text only into text. A value that the target type cannot hold
 * becomes a fill value, and the result says that there was one. In CDF-1 and CDF-2, which have no
 * unsigned bytes, a byte in a file may also be read and written as unsigned.
 */
public final class Conversion {
  private static final double LONG_END = 0x1p63;
  private static final double UNSIGNED_LONG_END = 0x1p64;

  private Conversion() {}

  /** Throws if elements of one type can never become the other. */
  public static void check(ElementType memory, ElementType file) throws NetcdfException {
    if ((memory == ElementType.CHAR) != (file == ElementType.CHAR)) {
      throw new NetcdfException(
          NetcdfError.TEXT_AND_NUMBERS, "%s in memory, %s in the file".formatted(memory, file));
    }
  }

  /** Whether the other type can hold every value of the one. */
  public static boolean alwaysFits(ElementType from, ElementType to, Format format) {
    if (from == to || isOldByte(from, to, format)) return true;
    if (to.isFraction()) return to == ElementType.DOUBLE || !from.isFraction();
    if (from.isFraction()) return false;
    if (from.isUnsigned() && to.isUnsigned()) return from.sizeBytes() <= to.sizeBytes();
    if (from.isUnsigned()) return from.sizeBytes() < to.sizeBytes();
    return !to.isUnsigned() && from.sizeBytes() <= to.sizeBytes();
  }

  /** Whether all of these values can be elements of that type. */
  public static boolean fits(Values source, ElementType to, Format format) {
    if (alwaysFits(source.type(), to, format)) return true;
    for (long i = 0; i < source.count(); i++) {
      if (!fits(source, i, to)) return false;
    }
    return true;
  }

  /**
   * Copies all elements of the source to the target, which has as many.
   *
   * @param fill holds one element of the target's type, for values that do not fit
   * @return whether all fitted
   */
  public static boolean convert(Values source, Values target, Values fill, Format format) {
    long count = source.count();
    if (target.count() != count) throw new IllegalArgumentException(count + " elements");
    if (source.type() == target.type() || isOldByte(source.type(), target.type(), format)) {
      copy(source, target);
      return true;
    }
    boolean checked = !alwaysFits(source.type(), target.type(), format);
    boolean allFit = true;
    for (long i = 0; i < count; i++) {
      if (checked && !fits(source, i, target.type())) {
        allFit = false;
        copy(fill, target.slice(i, 1));
      } else {
        one(source, target, i);
      }
    }
    return allFit;
  }

  private static boolean isOldByte(ElementType a, ElementType b, Format format) {
    return format != Format.CDF5
        && ((a == ElementType.BYTE && b == ElementType.UBYTE)
            || (a == ElementType.UBYTE && b == ElementType.BYTE));
  }

  private static void one(Values source, Values target, long i) {
    boolean toFraction = target.type().isFraction();
    if (source.type().isFraction()) {
      double value = source.fraction(i);
      if (toFraction) target.setFraction(i, value);
      else target.setInteger(i, integerOf(value, target.type()));
    } else {
      long value = source.integer(i);
      if (!toFraction) target.setInteger(i, value);
      else target.setFraction(i, fractionOf(value, source.type()));
    }
  }

  private static long integerOf(double value, ElementType type) {
    if (type != ElementType.UINT64 || value < LONG_END) return (long) value;
    return (long) (value - LONG_END) + Long.MIN_VALUE;
  }

  private static double fractionOf(long value, ElementType type) {
    if (type != ElementType.UINT64 || value >= 0) return value;
    // Halved with its last bit kept, so that rounding is as from the whole number.
    return ((value >>> 1) | (value & 1)) * 2.0;
  }

  private static boolean fits(Values source, long i, ElementType to) {
    if (source.type().isFraction()) return fits(source.fraction(i), to);
    return fits(source.integer(i), source.type(), to);
  }

  private static boolean fits(double value, ElementType to) {
    return switch (to) {
      case DOUBLE -> true;
      // As in C: infinity is beyond the largest number, while "not a number" is not compared.
      case FLOAT -> !(Math.abs(value) > Float.MAX_VALUE);
      case BYTE -> value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE;
      case SHORT -> value >= Short.MIN_VALUE && value <= Short.MAX_VALUE;
      case INT -> value >= Integer.MIN_VALUE && value <= Integer.MAX_VALUE;
      case UBYTE, CHAR -> value >= 0 && value <= 0xff;
      case USHORT -> value >= 0 && value <= 0xffff;
      case UINT -> value >= 0 && value <= 0xffff_ffffL;
      case INT64 -> value >= -LONG_END && value < LONG_END;
      case UINT64 -> value >= 0 && value < UNSIGNED_LONG_END;
    };
  }

  private static boolean fits(long value, ElementType from, ElementType to) {
    boolean huge = from == ElementType.UINT64 && value < 0;
    return switch (to) {
      case FLOAT, DOUBLE -> true;
      case UINT64 -> huge || value >= 0;
      case INT64 -> !huge;
      case BYTE -> !huge && value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE;
      case SHORT -> !huge && value >= Short.MIN_VALUE && value <= Short.MAX_VALUE;
      case INT -> !huge && value >= Integer.MIN_VALUE && value <= Integer.MAX_VALUE;
      case UBYTE, CHAR -> value >= 0 && value <= 0xff;
      case USHORT -> value >= 0 && value <= 0xffff;
      case UINT -> value >= 0 && value <= 0xffff_ffffL;
    };
  }

  /** Copies elements of one size, turning their bytes around where the order differs. */
  public static void copy(Values source, Values target) {
    MemorySegment from = source.memory();
    MemorySegment to = target.memory();
    long count = source.count();
    switch (source.type().sizeBytes()) {
      case Byte.BYTES -> MemorySegment.copy(from, 0, to, 0, count);
      case Short.BYTES ->
          MemorySegment.copy(from, source.shorts(), 0, to, target.shorts(), 0, count);
      case Integer.BYTES -> MemorySegment.copy(from, source.ints(), 0, to, target.ints(), 0, count);
      default -> MemorySegment.copy(from, source.longs(), 0, to, target.longs(), 0, count);
    }
  }

  /** The default fill value of a type, as one element. */
  public static Values fillOf(ElementType type) {
    Values fill = Values.of(MemorySegment.ofArray(new long[1]).asSlice(0, type.sizeBytes()), type);
    if (type.isFraction()) fill.setFraction(0, type.fillFraction());
    else fill.setInteger(0, type.fillInteger());
    return fill;
  }
}
