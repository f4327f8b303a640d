// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.netcdf.format.ElementType;
import io.forebay.netcdf.format.Format;
import io.forebay.netcdf.format.NetcdfException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConversionTest {
  private static final List<Double> FRACTIONS =
      List.of(
          0.0,
          -1.9,
          127.0,
          127.9,
          128.0,
          255.5,
          256.0,
          -129.0,
          32767.0,
          65536.0,
          2147483647.0,
          2147483648.0,
          4294967295.0,
          4294967296.0,
          -0x1p63,
          0x1p63,
          0x1p64,
          1e300,
          -1e300);

  private static final List<Long> INTEGERS =
      List.of(
          0L,
          -1L,
          1L,
          127L,
          128L,
          255L,
          256L,
          -128L,
          -129L,
          32767L,
          32768L,
          65535L,
          65536L,
          0x7fff_ffffL,
          0x8000_0000L,
          0xffff_ffffL,
          0x1_0000_0000L,
          Long.MAX_VALUE,
          Long.MIN_VALUE);

  /** Every number into every type, against exact arithmetic. */
  @Test
  void aValueFitsIfTheTypeHoldsIt() {
    for (ElementType to : ElementType.values()) {
      if (to == ElementType.CHAR) continue;
      for (double value : FRACTIONS) {
        BigDecimal exact = new BigDecimal(value);
        boolean fits = holds(exact, to);
        check(Values.of(value), to, fits, exact);
      }
      for (long value : INTEGERS) {
        check(
            Values.of(value), to, holds(BigDecimal.valueOf(value), to), BigDecimal.valueOf(value));
        BigDecimal unsigned = new BigDecimal(new BigInteger(Long.toUnsignedString(value)));
        check(Values.of(value).unsigned(), to, holds(unsigned, to), unsigned);
      }
    }
  }

  private static void check(Values source, ElementType to, boolean fits, BigDecimal exact) {
    Values target = room(to, 1);
    Values fill = Conversion.fillOf(to);
    assertThat(Conversion.convert(source, target, fill, Format.CDF5))
        .as("%s as %s", exact, to)
        .isEqualTo(fits);
    assertThat(Conversion.fits(source, to, Format.CDF5)).isEqualTo(fits);
    if (to.isFraction()) {
      double expected = to == ElementType.FLOAT ? exact.floatValue() : exact.doubleValue();
      // A double is rounded to a float from its own value, a whole number by way of a double.
      if (fits)
        assertThat(target.fraction(0))
            .isCloseTo(expected, org.assertj.core.data.Percentage.withPercentage(1e-5));
      else assertThat(target.fraction(0)).isEqualTo(to.fillFraction());
    } else {
      long expected = fits ? exact.toBigInteger().longValue() : to.fillInteger();
      assertThat(target.integer(0)).as("%s as %s", exact, to).isEqualTo(expected);
    }
  }

  private static boolean holds(BigDecimal value, ElementType to) {
    if (to == ElementType.DOUBLE) return true;
    if (to == ElementType.FLOAT) {
      return value.abs().compareTo(new BigDecimal(Float.MAX_VALUE)) <= 0;
    }
    int bits = 8 * to.sizeBytes();
    BigInteger low = to.isUnsigned() ? BigInteger.ZERO : BigInteger.TWO.pow(bits - 1).negate();
    BigInteger end = BigInteger.TWO.pow(to.isUnsigned() ? bits : bits - 1);
    // Fractions are compared as they are, except where the bound is not a double: see C.
    boolean inside = value.compareTo(new BigDecimal(low)) >= 0;
    BigDecimal highest = new BigDecimal(end.subtract(BigInteger.ONE));
    return inside && value.compareTo(highest) <= 0;
  }

  private static Values room(ElementType type, int elements) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(elements * type.sizeBytes());
    return Values.of(buffer.order(ByteOrder.BIG_ENDIAN), type);
  }

  @Test
  void notANumberStaysOneOrDoesNotFit() {
    Values floats = room(ElementType.FLOAT, 1);
    Values fill = Conversion.fillOf(ElementType.FLOAT);
    assertThat(Conversion.convert(Values.of(Double.NaN), floats, fill, Format.CDF1)).isTrue();
    assertThat(floats.fraction(0)).isNaN();
    assertThat(Conversion.fits(Values.of(Double.NaN), ElementType.INT, Format.CDF1)).isFalse();
    assertThat(Conversion.fits(Values.of(Double.POSITIVE_INFINITY), ElementType.FLOAT, Format.CDF1))
        .isFalse();
  }

  @Test
  void oldFilesHaveBytesOfEitherKind() {
    Values unsigned = Values.of((byte) 200).unsigned();
    assertThat(Conversion.fits(unsigned, ElementType.BYTE, Format.CDF2)).isTrue();
    assertThat(Conversion.fits(unsigned, ElementType.BYTE, Format.CDF5)).isFalse();
  }

  @Test
  void textIsNotANumber() throws NetcdfException {
    Conversion.check(ElementType.CHAR, ElementType.CHAR);
    assertThatThrownBy(() -> Conversion.check(ElementType.CHAR, ElementType.BYTE))
        .isInstanceOf(NetcdfException.class);
    assertThatThrownBy(() -> Conversion.check(ElementType.INT, ElementType.CHAR))
        .isInstanceOf(NetcdfException.class);
  }

  @Test
  void byteOrdersAreTurnedAround() {
    Values target = room(ElementType.INT, 2);
    Conversion.convert(
        Values.of(1, 0x01020304), target, Conversion.fillOf(ElementType.INT), Format.CDF1);
    byte[] bytes = target.memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    assertThat(bytes).containsExactly(0, 0, 0, 1, 1, 2, 3, 4);
  }
}
