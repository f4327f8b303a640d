// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.s3;

import io.forebay.backing.location.BackingLocation;
import io.forebay.base.ByteSize;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings in the address of a bucket. Credentials are never part of it: they come from the
 * same places as for AWS's own tools.
 *
 * @param prefix the prefix of all keys: empty, or ending with a slash
 * @param endpoint the endpoint of a store other than AWS's own, or null
 * @param region or null for the default of AWS's own tools
 * @param profile of AWS's configuration files, or null for the usual one
 * @param pathStyle whether the bucket is named in the path rather than in the host name
 * @param checksums whether each part carries a CRC32C that the store verifies
 */
record S3Settings(
    String bucket,
    String prefix,
    @Nullable URI endpoint,
    @Nullable String region,
    @Nullable String profile,
    boolean pathStyle,
    long partBytes,
    boolean checksums) {
  private static final String ENDPOINT = "endpoint";
  private static final String REGION = "region";
  private static final String PROFILE = "profile";
  private static final String PATH_STYLE = "path-style";
  private static final String PART = "part";
  private static final String CHECKSUM = "checksum";

  /** S3's own bounds. */
  static final long PART_BYTES_MIN = 5L << 20;

  static final long PART_BYTES_MAX = 5L << 30;
  static final int PARTS_MAX = 10_000;
  static final int KEY_BYTES_MAX = 1024;

  private static final String PART_DEFAULT = "16MiB";
  // Stores other than AWS's do not look at it.
  private static final String REGION_ELSEWHERE = "us-east-1";
  private static final Map<String, Boolean> YES_OR_NO = Map.of("true", true, "false", false);
  private static final Map<String, Boolean> CHECKSUMS = Map.of("crc32c", true, "none", false);

  /** Reads them from {@code s3://bucket/prefix?key=value}. */
  static S3Settings of(BackingLocation location) {
    location.requireKnown();
    String rest = location.rest();
    String name = rest.startsWith("//") ? rest.substring(2) : "";
    int slash = name.indexOf('/');
    String bucket = slash < 0 ? name : name.substring(0, slash);
    if (bucket.isEmpty()) {
      throw new IllegalArgumentException(
          "'s3:%s' names no bucket: write such as s3://bucket/directory".formatted(rest));
    }
    if (bucket.contains("@") || bucket.contains(":")) {
      throw new IllegalArgumentException(
          "an S3 address holds no credentials: put them into AWS_ACCESS_KEY_ID and"
              + " AWS_SECRET_ACCESS_KEY, or name a profile of AWS's configuration files");
    }
    URI endpoint = endpoint(location.setting(ENDPOINT));
    String region = location.setting(REGION);
    if (region == null && endpoint != null) region = REGION_ELSEWHERE;
    return new S3Settings(
        bucket,
        prefix(slash < 0 ? "" : name.substring(slash + 1)),
        endpoint,
        region,
        location.setting(PROFILE),
        choice(location, PATH_STYLE, YES_OR_NO, endpoint != null),
        partBytes(location.setting(PART)),
        choice(location, CHECKSUM, CHECKSUMS, true));
  }

  String description() {
    String place = "S3 bucket %s/%s".formatted(bucket, prefix);
    return endpoint == null ? place : place + " at " + endpoint;
  }

  private static String prefix(String text) {
    String trimmed = text;
    while (trimmed.endsWith("/")) trimmed = trimmed.substring(0, trimmed.length() - 1);
    return trimmed.isEmpty() ? "" : trimmed + "/";
  }

  private static @Nullable URI endpoint(@Nullable String text) {
    if (text == null) return null;
    if (!text.matches("https?://[^/?#@]+/?")) {
      throw new IllegalArgumentException(
          "'%s' is not an endpoint: write such as https://s3.example.org:9000".formatted(text));
    }
    return URI.create(text);
  }

  private static long partBytes(@Nullable String text) {
    long bytes = ByteSize.parse(text == null ? PART_DEFAULT : text).bytes();
    if (bytes >= PART_BYTES_MIN && bytes <= PART_BYTES_MAX) return bytes;
    throw new IllegalArgumentException(
        "part: S3 takes parts of %s to %s, not %s"
            .formatted(
                ByteSize.format(PART_BYTES_MIN),
                ByteSize.format(PART_BYTES_MAX),
                ByteSize.format(bytes)));
  }

  private static boolean choice(
      BackingLocation location, String key, Map<String, Boolean> choices, boolean otherwise) {
    String text = location.setting(key);
    if (text == null) return otherwise;
    Boolean chosen = choices.get(text);
    if (chosen != null) return chosen;
    throw new IllegalArgumentException(
        "%s: '%s' is none of %s".formatted(key, text, choices.keySet()));
  }
}
