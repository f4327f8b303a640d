// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.cdl;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * The decimal digits of a number above zero, rounded to a given count as C's printf rounds: the
 * exact value, to the nearest, and to an even digit where two are equally near.
 *
 * @param digits the requested number of digits, the first of which is not 0
 * @param exponent the power of ten of the first digit
 */
record Digits(String digits, int exponent) {
  /**
   * Decimals of up to this many digits are all different doubles, so the shortest text is exact.
   */
  private static final int SURE_DIGITS = 15;

  static Digits of(double value, int count) {
    if (value <= 0) throw new IllegalArgumentException("digits of " + value);
    if (count > SURE_DIGITS || value < Double.MIN_NORMAL) return exactly(value, count);
    String text = Double.toString(value);
    int exponentAt = text.indexOf('E');
    String mantissa = exponentAt < 0 ? text : text.substring(0, exponentAt);
    int power = exponentAt < 0 ? 0 : Integer.parseInt(text.substring(exponentAt + 1));
    int point = mantissa.indexOf('.');
    String all = mantissa.substring(0, point) + mantissa.substring(point + 1);
    int first = 0;
    while (all.charAt(first) == '0') first++;
    int end = all.length();
    while (all.charAt(end - 1) == '0') end--;
    return rounded(value, all.substring(first, end), power + point - 1 - first, count);
  }

  private static Digits rounded(double value, String digits, int exponent, int count) {
    if (digits.length() <= count) {
      return new Digits(digits + "0".repeat(count - digits.length()), exponent);
    }
    char next = digits.charAt(count);
    // The shortest text is not the exact value, so it cannot decide where it ends in the middle.
    if (next == '5' && digits.length() == count + 1) return exactly(value, count);
    String kept = digits.substring(0, count);
    return next < '5' ? new Digits(kept, exponent) : increased(kept, exponent);
  }

  private static Digits increased(String digits, int exponent) {
    char[] next = digits.toCharArray();
    int at = next.length - 1;
    while (at >= 0 && next[at] == '9') next[at--] = '0';
    if (at < 0) return new Digits("1" + "0".repeat(digits.length() - 1), exponent + 1);
    next[at]++;
    return new Digits(new String(next), exponent);
  }

  private static Digits exactly(double value, int count) {
    BigDecimal exact = new BigDecimal(value).round(new MathContext(count, RoundingMode.HALF_EVEN));
    String digits = exact.unscaledValue().toString();
    int exponent = digits.length() - 1 - exact.scale();
    if (digits.length() < count) digits += "0".repeat(count - digits.length());
    return new Digits(digits.substring(0, count), exponent);
  }
}
