// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.ending;

import io.forebay.cli.terminal.Brief;
import io.forebay.cli.terminal.TimeText;
import io.forebay.ring.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When an instance ends by itself, as people write and read it. Stateless. */
public final class ExpiryTime {
  private static final Duration WARNED = Duration.ofHours(24);

  private ExpiryTime() {}

  /**
   * Reads a duration such as {@code 12h}, a date, or a date with a time.
   *
   * @throws IllegalArgumentException if it is none, or in the past; the message says what to write
   */
  public static Instant parse(String text, Instant now) {
    Instant end = TimeText.later("--expires", text, now);
    if (end.isAfter(now)) return end;
    throw new IllegalArgumentException("--expires '" + text + "' is in the past");
  }

  /** When an instance ends by itself, for programs; null for never. */
  public static @Nullable String json(Instance instance) {
    long seconds = instance.tenancy().expiresSeconds();
    return seconds == 0 ? null : Instant.ofEpochSecond(seconds).toString();
  }

  /** A sentence for each instance that ends by itself soon. */
  public static List<String> sentences(List<Instance> instances, Instant now) {
    List<String> sentences = new ArrayList<>();
    for (Instance each : instances) {
      long seconds = each.tenancy().expiresSeconds();
      if (seconds == 0 || each.drain().ending()) continue;
      Duration left = Duration.between(now, Instant.ofEpochSecond(seconds));
      if (left.compareTo(WARNED) > 0) continue;
      sentences.add(
          "'%s' expires in %s, at %s: it ends then with all its data"
              .formatted(
                  each.name(),
                  Brief.duration(Math.max(0, left.toNanos())),
                  Instant.ofEpochSecond(seconds)));
    }
    return sentences;
  }
}
