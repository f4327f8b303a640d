// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Result;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One point of the network's curves, and the name of its result.
 *
 * @param transport as in names of results, such as tcp
 * @param out whether this end sends
 */
public record CurvePoint(String transport, int messageBytes, int streams, boolean out) {
  private static final Pattern NAME = Pattern.compile("(\\w+) (\\d+)B x(\\d+) (out|in)");

  String name() {
    return "%s %dB x%d %s".formatted(transport, messageBytes, streams, out ? "out" : "in");
  }

  /** The point that a result is of, or null if it is another kind of result. */
  public static @Nullable CurvePoint of(Result result) {
    Matcher matcher = NAME.matcher(result.name());
    if (!matcher.matches()) return null;
    return new CurvePoint(
        matcher.group(1),
        Integer.parseInt(matcher.group(2)),
        Integer.parseInt(matcher.group(3)),
        matcher.group(4).equals("out"));
  }

  /** The curve that it belongs to. */
  public String curve() {
    return "%s, %d %s, %s"
        .formatted(transport, streams, streams == 1 ? "stream" : "streams", out ? "out" : "in");
  }
}
