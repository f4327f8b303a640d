// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes as people write it: {@code 4096}, {@code 64MiB}, {@code 1 g}. {@code K}, {@code
 * Ki} and {@code KiB} are 1024 bytes, {@code KB} is 1000; likewise for M, G, T, P and E; case does
 * not matter.
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
  private static final String PREFIXES = "KMGTPE";
  private static final Pattern TEXT =
      Pattern.compile(
          "\\s*(\\d+)\\s*(?:([" + PREFIXES + "])(i?B?)|B)?\\s*", Pattern.CASE_INSENSITIVE);

  public ByteSize {
    if (bytes < 0) throw new IllegalArgumentException("negative size: " + bytes + " bytes");
  }

  /**
   * Reads a size.
   *
   * @throws IllegalArgumentException if the text is not a whole, non-negative number with a known
   *     unit, or exceeds {@link Long#MAX_VALUE} bytes; the message names the text
   */
  public static ByteSize parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a size: write a whole number of bytes or one with a unit, such as 64MiB"
              .formatted(text));
    }
    try {
      long number = Long.parseLong(matcher.group(1));
      return new ByteSize(Math.multiplyExact(number, unitBytes(matcher)));
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "'%s' is too large a size: at most %d bytes".formatted(text, Long.MAX_VALUE), e);
    }
  }

  private static long unitBytes(Matcher matcher) {
    String prefix = matcher.group(2);
    if (prefix == null) return 1;
    // A bare "B" after the prefix is the decimal unit; "", "i" and "iB" are the binary one.
    long step = matcher.group(3).equalsIgnoreCase("B") ? 1000 : 1024;
    long unit = 1;
    for (int power = PREFIXES.indexOf(prefix.toUpperCase(Locale.ROOT)); power >= 0; power--) {
      unit *= step;
    }
    return unit;
  }

  /**
   * Such as {@code 512 B}, {@code 64 MiB} or {@code 1.5 GiB}; at most one decimal, rounded down.
   */
  public static String format(long bytes) {
    if (bytes < 0) throw new IllegalArgumentException("negative size: " + bytes + " bytes");
    if (bytes < 1024) return bytes + " B";
    int power = (Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes)) / 10;
    BigDecimal amount =
        BigDecimal.valueOf(bytes)
            .divide(BigDecimal.valueOf(1L << (10 * power)), 1, RoundingMode.DOWN)
            .stripTrailingZeros();
    return amount.toPlainString() + " " + PREFIXES.charAt(power - 1) + "iB";
  }

  @Override
  public int compareTo(ByteSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /** The size as {@link #format} writes it. */
  @Override
  public String toString() {
    return format(bytes);
  }
}
