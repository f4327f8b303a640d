// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Points in time as people write them: {@code 12h}, a date, or a date with a time. Stateless. */
public final class TimeText {
  private static final Pattern DISTANCE = Pattern.compile("([0-9]{1,9})([smhd])");
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

  private TimeText() {}

  /**
   * Reads one; a duration counts from now on.
   *
   * @param option the option that it is given to
   * @throws IllegalArgumentException if it is none; the message says what to write
   */
  public static Instant later(String option, String text, Instant now) {
    Matcher distance = DISTANCE.matcher(text);
    return distance.matches() ? now.plus(duration(distance)) : point(option, text);
  }

  /** The same; a duration counts back from now. */
  public static Instant earlier(String option, String text, Instant now) {
    Matcher distance = DISTANCE.matcher(text);
    return distance.matches() ? now.minus(duration(distance)) : point(option, text);
  }

  private static Duration duration(Matcher distance) {
    long number = Long.parseLong(distance.group(1));
    return switch (distance.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  private static Instant point(String option, String text) {
    try {
      if (DATE.matcher(text).matches()) {
        return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
      }
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s cannot be '%s'; write such as 12h, 30d, 2030-01-31 or 2030-01-31T12:00:00Z"
              .formatted(option, text),
          e);
    }
  }
}
