// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times in policies as text: a number and a unit. */
public final class TimeText {
  private static final Pattern TIME = Pattern.compile("(\\d{1,10})(ms|s|m|h|d)");

  private enum Unit {
    DAYS("d", TimeUnit.DAYS),
    HOURS("h", TimeUnit.HOURS),
    MINUTES("m", TimeUnit.MINUTES),
    SECONDS("s", TimeUnit.SECONDS),
    MILLIS("ms", TimeUnit.MILLISECONDS);

    private final String text;
    private final long millis;

    Unit(String text, TimeUnit unit) {
      this.text = text;
      millis = unit.toMillis(1);
    }
  }

  private TimeText() {}

  /**
   * Reads a time.
   *
   * @throws IllegalArgumentException if it is none, or 0
   */
  public static long millis(String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + value + "' is no time such as 30s or 5m");
    }
    long amount = Long.parseLong(matcher.group(1));
    long millis = 0;
    for (Unit unit : Unit.values()) {
      if (unit.text.equals(matcher.group(2))) millis = amount * unit.millis;
    }
    if (millis == 0) throw new IllegalArgumentException("'" + value + "' is no time");
    return millis;
  }

  /** The shortest that is exact. */
  public static String of(long millis) {
    for (Unit unit : Unit.values()) {
      if (millis % unit.millis == 0) return millis / unit.millis + unit.text;
    }
    throw new IllegalStateException(millis + " ms have no unit");
  }
}
