// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.AttemptPlan;
import io.forebay.backing.FileAttributes;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The metadata of an object: the attempt that stored it, and the file's attributes. */
final class Metadata {
  static final String ATTEMPT = "forebay-attempt";
  private static final String VERSION_PREFIX = "attempt ";
  private static final String MODE = "forebay-mode";
  private static final String USER = "forebay-user";
  private static final String GROUP = "forebay-group";
  private static final String MODIFIED = "forebay-modified";
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private Metadata() {}

  static Map<String, String> of(AttemptPlan plan) {
    Map<String, String> metadata = attributes(plan.attributes());
    metadata.put(ATTEMPT, plan.id().text());
    return metadata;
  }

  static Map<String, String> attributes(FileAttributes attributes) {
    Map<String, String> metadata = new TreeMap<>();
    putKnown(metadata, MODE, attributes.mode());
    putKnown(metadata, USER, attributes.user());
    putKnown(metadata, GROUP, attributes.group());
    putKnown(metadata, MODIFIED, attributes.modifyNanos());
    return metadata;
  }

  /** The attributes, with the object's own time if no other is known. */
  static FileAttributes attributes(Map<String, String> metadata, @Nullable Instant stored) {
    long modifyNanos = number(metadata, MODIFIED);
    if (modifyNanos == FileAttributes.UNKNOWN && stored != null) modifyNanos = nanos(stored);
    return new FileAttributes(
        (int) number(metadata, MODE),
        (int) number(metadata, USER),
        (int) number(metadata, GROUP),
        modifyNanos);
  }

  /**
   * The version of an object: the attempt that stored it, which a copy keeps, or the tag that the
   * store gave it, which a copy does not.
   */
  static String version(Map<String, String> metadata, String tag) {
    String attempt = metadata.get(ATTEMPT);
    return attempt == null ? tag : VERSION_PREFIX + attempt;
  }

  static boolean isAttempt(String version) {
    return version.startsWith(VERSION_PREFIX);
  }

  static long nanos(Instant time) {
    return (time.getEpochSecond() * NANOS_PER_SECOND) + time.getNano();
  }

  private static void putKnown(Map<String, String> metadata, String key, long value) {
    if (value != FileAttributes.UNKNOWN) metadata.put(key, Long.toString(value));
  }

  private static long number(Map<String, String> metadata, String key) {
    String text = metadata.get(key);
    if (text == null) return FileAttributes.UNKNOWN;
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException notOurs) {
      return FileAttributes.UNKNOWN;
    }
  }
}
