// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.cdl;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One conversion of C's printf with the text around it, such as {@code %6.2f}. ncdump prints
 * numbers with it, and a variable's attribute {@code C_format} may set it.
 */
public final class CFormat {
  private static final Pattern SHAPE =
      Pattern.compile(
          "((?:[^%]|%%)*)%([-+ #0]*)(\\d{1,3})?(?:\\.(\\d{0,3}))?(?:hh|h|ll|l|L|q)?([diouxXeEfFgG])"
              + "((?:[^%]|%%)*)",
          Pattern.DOTALL);
  private static final int PRECISION_DEFAULT = 6;
  private static final int NOT_GIVEN = -1;

  /** Below this power of ten %g becomes %e. */
  private static final int PLAIN_EXPONENT_MIN = -4;

  private final String before;
  private final String flags;
  private final int width;
  private final int precision;
  private final char conversion;
  private final String behind;

  private CFormat(Matcher shape) {
    before = shape.group(1).replace("%%", "%");
    flags = shape.group(2);
    width = shape.group(3) == null ? 0 : Integer.parseInt(shape.group(3));
    String digits = shape.group(4);
    precision = digits == null ? NOT_GIVEN : digits.isEmpty() ? 0 : Integer.parseInt(digits);
    conversion = shape.group(5).charAt(0);
    behind = shape.group(6).replace("%%", "%");
  }

  /** Reads a format; null if it is none with exactly one conversion of a number. */
  public static @Nullable CFormat parse(String text) {
    Matcher shape = SHAPE.matcher(text);
    return shape.matches() ? new CFormat(shape) : null;
  }

  /** A format that is known to be valid. */
  static CFormat of(String text) {
    CFormat format = parse(text);
    if (format == null) throw new IllegalArgumentException("format " + text);
    return format;
  }

  /** Whether it is for fractions; else it is for whole numbers. */
  public boolean isFraction() {
    return "eEfFgG".indexOf(conversion) >= 0;
  }

  /** A number that is finite. */
  public String fraction(double value) {
    boolean negative = value < 0 || (value == 0 && 1 / value < 0);
    double size = Math.abs(value);
    int places = precision == NOT_GIVEN ? PRECISION_DEFAULT : precision;
    String text =
        switch (Character.toLowerCase(conversion)) {
          case 'f' -> plain(size, places);
          case 'e' -> scientific(size, places);
          default -> general(size, Math.max(1, places));
        };
    if (Character.isUpperCase(conversion)) text = text.toUpperCase(Locale.ROOT);
    return before + padded(sign(negative), text, has('0')) + behind;
  }

  /**
   * A whole number.
   *
   * @param sizeBytes its size in C, which matters where negative numbers are shown as unsigned
   */
  public String integer(long value, boolean unsigned, int sizeBytes) {
    boolean signed = conversion == 'd' || conversion == 'i';
    int bits = Math.max(Integer.BYTES, sizeBytes) * Byte.SIZE;
    long shown = bits == Long.SIZE || (signed && !unsigned) ? value : value & ((1L << bits) - 1);
    boolean negative = signed && !unsigned && value < 0;
    String digits =
        switch (conversion) {
          case 'x', 'X' -> Long.toHexString(shown);
          case 'o' -> Long.toOctalString(shown);
          default -> negative ? Long.toString(value).substring(1) : Long.toUnsignedString(shown);
        };
    if (precision > digits.length()) digits = "0".repeat(precision - digits.length()) + digits;
    if (has('#') && value != 0) {
      if (conversion == 'o' && !digits.startsWith("0")) digits = "0" + digits;
      if (conversion == 'x' || conversion == 'X') digits = "0x" + digits;
    }
    if (conversion == 'X') digits = digits.toUpperCase(Locale.ROOT);
    boolean zeros = has('0') && precision == NOT_GIVEN;
    return before + padded(signed ? sign(negative) : "", digits, zeros) + behind;
  }

  private String sign(boolean negative) {
    if (negative) return "-";
    if (has('+')) return "+";
    return has(' ') ? " " : "";
  }

  private String padded(String sign, String text, boolean zeros) {
    int missing = width - sign.length() - text.length();
    if (missing <= 0) return sign + text;
    if (has('-')) return sign + text + " ".repeat(missing);
    return zeros ? sign + "0".repeat(missing) + text : " ".repeat(missing) + sign + text;
  }

  private boolean has(char flag) {
    return flags.indexOf(flag) >= 0;
  }

  private String plain(double size, int places) {
    String text = new BigDecimal(size).setScale(places, RoundingMode.HALF_EVEN).toPlainString();
    return places == 0 && has('#') ? text + "." : text;
  }

  private String scientific(double size, int places) {
    Digits digits = size == 0 ? new Digits("0".repeat(places + 1), 0) : Digits.of(size, places + 1);
    return mantissa(digits.digits(), 1) + power(digits.exponent());
  }

  private String general(double size, int count) {
    Digits digits = size == 0 ? new Digits("0".repeat(count), 0) : Digits.of(size, count);
    int exponent = digits.exponent();
    if (exponent < PLAIN_EXPONENT_MIN || exponent >= count) {
      return trimmed(mantissa(digits.digits(), 1)) + power(exponent);
    }
    if (exponent >= 0) return trimmed(mantissa(digits.digits(), exponent + 1));
    return trimmed("0." + "0".repeat(-exponent - 1) + digits.digits());
  }

  /** Digits with the point after this many of them. */
  private String mantissa(String digits, int whole) {
    boolean point = digits.length() > whole || has('#');
    return digits.substring(0, whole) + (point ? "." : "") + digits.substring(whole);
  }

  private static String power(int exponent) {
    int size = Math.abs(exponent);
    return (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + size;
  }

  /** Zeros at the end of a fraction are dropped unless the format asks for them. */
  private String trimmed(String text) {
    return has('#') || text.indexOf('.') < 0 ? text : withoutZeros(text, false);
  }

  /** Cuts zeros at the end of a fraction, and its point if that is not to be kept. */
  static String withoutZeros(String text, boolean keepPoint) {
    int end = text.length();
    while (text.charAt(end - 1) == '0') end--;
    if (text.charAt(end - 1) == '.' && !keepPoint) end--;
    return text.substring(0, end);
  }
}
