// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.location;

import io.forebay.base.ByteSize;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a store, taken apart: {@code scheme:rest?key=value&key=value}. A plain path is one
 * of {@code posix:}. {@code slow+ADDRESS} has the scheme {@code slow} and the other address as its
 * rest; {@code slow=64MB/s+ADDRESS} has a {@code rate} besides.
 *
 * @param settings by key; values have their percent signs decoded
 */
public record BackingLocation(String scheme, String rest, Map<String, String> settings) {
  public static final String SLOW = "slow";

  /** The setting of {@link #SLOW}: bytes per second of the whole store. */
  public static final String RATE = "rate";

  private static final Pattern SLOW_ADDRESS =
      Pattern.compile(SLOW + "(?:=([^+]*))?\\+(.*)", Pattern.DOTALL);
  private static final String PER_SECOND = "/s";
  private static final List<String> KINDS = List.of("posix", "file", "s3", "hdfs", "null", SLOW);

  /**
   * The settings of each kind that has any. They are here, so that the creator of an instance gets
   * the error.
   */
  private static final Map<String, Set<String>> SETTINGS =
      Map.of(
          "posix",
          Set.of("stripe"),
          "file",
          Set.of("stripe"),
          "s3",
          Set.of("endpoint", "region", "profile", "path-style", "part", "checksum"),
          "hdfs",
          Set.of("config", "user", "replication"),
          SLOW,
          Set.of(RATE));

  private static final Pattern ADDRESS =
      Pattern.compile("([a-z][a-z0-9-]*):([^?]*)(?:\\?(.*))?", Pattern.DOTALL);

  public BackingLocation {
    settings = Collections.unmodifiableMap(new TreeMap<>(settings));
  }

  /**
   * Takes an address apart.
   *
   * @throws IllegalArgumentException with a sentence for people if it is none
   */
  public static BackingLocation parse(String address) {
    if (address.isBlank()) {
      throw new IllegalArgumentException(
          "the address of a backing store is empty: give a directory, or such as s3://bucket/dir");
    }
    Matcher slow = SLOW_ADDRESS.matcher(address);
    if (slow.matches()) {
      Map<String, String> rate = slow.group(1) == null ? Map.of() : Map.of(RATE, slow.group(1));
      return new BackingLocation(SLOW, slow.group(2), rate);
    }
    Matcher matcher = ADDRESS.matcher(address);
    if (!matcher.matches()) return new BackingLocation("posix", address, Map.of());
    return new BackingLocation(
        matcher.group(1), matcher.group(2), settings(address, matcher.group(3)));
  }

  /**
   * Fails if no such store exists, regardless of what is installed, or none with such settings.
   *
   * @throws IllegalArgumentException naming the existing kinds or settings
   */
  public void requireKnown() {
    if (!KINDS.contains(scheme)) {
      throw new IllegalArgumentException(
          "there is no kind of backing store '%s:'; there are %s".formatted(scheme, KINDS));
    }
    if (scheme.equals(SLOW)) {
      rate();
      parse(rest).requireKnown();
    }
    requireOnly(SETTINGS.getOrDefault(scheme, Set.of()));
  }

  /** The address behind a slow profile; any other address unchanged. */
  public static String withoutPace(String address) {
    BackingLocation location = parse(address);
    return location.scheme().equals(SLOW) ? withoutPace(location.rest()) : address;
  }

  public @Nullable String setting(String key) {
    return settings.get(key);
  }

  /**
   * The rate of a slow store in bytes per second, or null for the profile's own.
   *
   * @throws IllegalArgumentException with a sentence for people if it is none
   */
  public @Nullable Long rate() {
    String text = settings.get(RATE);
    if (text == null) return null;
    if (!text.endsWith(PER_SECOND)) throw noRate(text, null);
    try {
      long bytes = ByteSize.parse(text.substring(0, text.length() - PER_SECOND.length())).bytes();
      if (bytes > 0) return bytes;
    } catch (IllegalArgumentException e) {
      throw noRate(text, e);
    }
    throw noRate(text, null);
  }

  private static IllegalArgumentException noRate(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "'%s' is not a rate: write slow=64MB/s+ADDRESS".formatted(text), cause);
  }

  private void requireOnly(Set<String> keys) {
    for (String key : settings.keySet()) {
      if (keys.contains(key)) continue;
      throw new IllegalArgumentException(
          "'%s' is not a setting of a backing store '%s:'; it has %s"
              .formatted(key, scheme, keys.isEmpty() ? "none" : new TreeSet<>(keys)));
    }
  }

  private static Map<String, String> settings(String address, @Nullable String query) {
    Map<String, String> settings = new TreeMap<>();
    if (query == null) return settings;
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException(
            "'%s' in '%s' is not a setting: write key=value".formatted(pair, address));
      }
      String value = URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
      if (settings.put(pair.substring(0, equals), value) != null) {
        throw new IllegalArgumentException(
            "'%s' is given twice in '%s'".formatted(pair.substring(0, equals), address));
      }
    }
    return settings;
  }
}
