// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.series;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A series as users describe it: a name in which {@code *} matches anything and {@code ?} one
 * character. The number is the first one in the parts that stars match, or the part that {@code #}
 * matches if there is one: {@code ckpt-*.nc}, {@code rank-*.ckpt-#}. A path in front names the
 * directory: {@code /run/ckpt-*}.
 */
public final class SeriesPattern {
  /** More are no description, and take long to compare. */
  private static final int STARS_MAX = 4;

  private static final int CHARS_MAX = 255;
  private static final String SPECIAL = "*?#\\";
  private static final Pattern MARK = Pattern.compile("(?<!\\\\)(\\\\\\\\)*#");
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  private final String text;
  private final String directory;
  private final Pattern regex;
  private final int groups;

  private SeriesPattern(String text, String directory, Pattern regex, int groups) {
    this.text = text;
    this.directory = directory;
    this.regex = regex;
    this.groups = groups;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it describes no series; the message names it and the remedy
   */
  public static SeriesPattern parse(String text) {
    int slash = text.lastIndexOf('/');
    String directory = text.substring(0, Math.max(0, slash));
    String name = text.substring(slash + 1);
    if (text.length() > CHARS_MAX) throw wrong(text, "it is too long");
    if (slash >= 0 && !text.startsWith("/")) throw wrong(text, "a path begins with a slash");
    StringBuilder regex = new StringBuilder();
    // A marked number has a group of its own.
    String star = MARK.matcher(name).find() ? ".*?" : "(.*?)";
    int stars = 0;
    int numbers = 0;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      switch (c) {
        case '*' -> {
          regex.append(star);
          stars++;
        }
        case '?' -> regex.append('.');
        case '#' -> {
          regex.append("([0-9]{1," + NumberedName.DIGITS_MAX + "})(?![0-9])");
          numbers++;
        }
        case '\\' -> {
          if (++i == name.length()) throw wrong(text, "nothing stands behind the backslash");
          regex.append(Pattern.quote(name.substring(i, i + 1)));
        }
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    if (stars + numbers == 0) throw wrong(text, "nothing in it stands for the number");
    if (numbers > 1) throw wrong(text, "there are two numbers");
    if (stars > STARS_MAX) throw wrong(text, "more than " + STARS_MAX + " stars");
    int groups = numbers == 0 ? stars : 1;
    return new SeriesPattern(
        text, directory, Pattern.compile(regex.toString(), Pattern.DOTALL), groups);
  }

  private static IllegalArgumentException wrong(String text, String why) {
    return new IllegalArgumentException(
        "'%s' describes no series: %s; write such as ckpt-*.nc, with * or # for the number"
            .formatted(text, why));
  }

  /** A piece of a name as a pattern that matches only itself. */
  static String quote(String piece) {
    StringBuilder quoted = new StringBuilder();
    for (int i = 0; i < piece.length(); i++) {
      char c = piece.charAt(i);
      if (SPECIAL.indexOf(c) >= 0) quoted.append('\\');
      quoted.append(c);
    }
    return quoted.toString();
  }

  /** Whether names in that directory may belong to it; the root is the empty path. */
  public boolean isIn(String path) {
    return !text.startsWith("/") || directory.equals(path);
  }

  /** The number of a checkpoint of that name, if it belongs to the series. */
  public OptionalLong numberOf(String name) {
    Matcher matcher = regex.matcher(name);
    if (!matcher.matches()) return OptionalLong.empty();
    for (int i = 1; i <= groups; i++) {
      Matcher digits = DIGITS.matcher(matcher.group(i));
      if (!digits.find()) continue;
      boolean tooLong = digits.end() - digits.start() > NumberedName.DIGITS_MAX;
      return tooLong ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(digits.group()));
    }
    return OptionalLong.empty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SeriesPattern pattern && text.equals(pattern.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The text as it was read. */
  @Override
  public String toString() {
    return text;
  }
}
