// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import io.forebay.base.FileId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names one attempt to drain one version of one file, globally and forever: it becomes part of a
 * file name or of an object's metadata. Ids are unique.
 */
public record AttemptId(String text) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,119}");
  private static final Pattern MADE =
      Pattern.compile("([0-9a-f]+)\\.(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)");

  public AttemptId {
    if (!PLAIN.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not an attempt's id");
    }
  }

  /**
   * The id of an attempt.
   *
   * @param cluster two clusters may drain into one directory
   * @param version the publish number that the attempt writes
   */
  public static AttemptId of(long cluster, FileId file, long version, int attempt) {
    return new AttemptId(
        "%x.%d.%d.%d.%d".formatted(cluster, file.instance(), file.number(), version, attempt));
  }

  /** The origin of an attempt. */
  public record Origin(long cluster, FileId file, long version, int attempt) {}

  /** The arguments of {@link #of}, or null if the id was made otherwise. */
  public @Nullable Origin origin() {
    Matcher matcher = MADE.matcher(text);
    if (!matcher.matches()) return null;
    try {
      return new Origin(
          Long.parseUnsignedLong(matcher.group(1), 16),
          new FileId(Integer.parseInt(matcher.group(2)), Long.parseLong(matcher.group(3))),
          Long.parseLong(matcher.group(4)),
          Integer.parseInt(matcher.group(5)));
    } catch (NumberFormatException tooLong) {
      return null;
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
