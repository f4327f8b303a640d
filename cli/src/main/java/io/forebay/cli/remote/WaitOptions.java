// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.remote;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** For commands that wait for something that may take hours. */
public final class WaitOptions extends ClusterOptions {
  /** Longer than a ring needs to fail over from a dead server. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(s|m|h|d|)");

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description =
          "Give up if it is not done by then: seconds, or such as 90s, 10m or 2h (default: wait for"
              + " as long as it takes).")
  private @Nullable String text;

  /** How long to wait. */
  public Duration patience() {
    if (text == null) return FOR_EVER;
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      throw wrong("--timeout cannot be '" + text + "'; write seconds, or such as 90s, 10m or 2h");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofSeconds(number);
    };
  }

  @Override
  Duration timeout() {
    Duration patience = patience();
    if (patience.compareTo(ANSWER_MAX) > 0) return ANSWER_MAX;
    return patience.isZero() ? Duration.ofSeconds(1) : patience;
  }
}
