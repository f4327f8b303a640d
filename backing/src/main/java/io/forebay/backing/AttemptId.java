package io.forebay.backing;

import io.forebay.base.FileId;
import java.util.regex.Pattern;

/**
 * Names one attempt to drain one version of one file, everywhere and for ever: it becomes part of a
 * file name or of an object's metadata. No two attempts have the same.
 */
public record AttemptId(String text) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,119}");

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

  @Override
  public String toString() {
    return text;
  }
}
