// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The definition of a metric.
 *
 * @param name as monitoring systems show it; that of a counter ends in {@code _total}, and units
 *     are seconds and bytes
 * @param help a sentence
 * @param labels the names of its labels
 */
public record Metric(String name, Kind kind, String help, List<String> labels) {
  /** What its values are. */
  public enum Kind {
    /** Only grows while its process lives. */
    COUNTER,
    GAUGE,
    /** How long operations took. */
    HISTOGRAM
  }

  private static final String TOTAL = "_total";

  /** The formats add these by themselves. */
  private static final List<String> RESERVED = List.of(TOTAL, "_created", "_bucket", "_info");

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)+");
  private static final Pattern LABEL = Pattern.compile("[a-z][a-z_]*");

  public Metric {
    labels = List.copyOf(labels);
    if (!NAME.matcher(name).matches()) throw new IllegalArgumentException("name " + name);
    if (name.endsWith(TOTAL) != (kind == Kind.COUNTER)) {
      throw new IllegalArgumentException(name + ": names of counters end in " + TOTAL);
    }
    if (kind == Kind.HISTOGRAM && !name.endsWith("_seconds")) {
      throw new IllegalArgumentException(name + ": a histogram is of seconds");
    }
    String base = kind == Kind.COUNTER ? name.substring(0, name.length() - TOTAL.length()) : name;
    if (RESERVED.stream().anyMatch(base::endsWith)) {
      throw new IllegalArgumentException(name + ": an ending that is reserved");
    }
    if (!help.endsWith(".")) throw new IllegalArgumentException(name + ": help is a sentence");
    for (String label : labels) {
      if (!LABEL.matcher(label).matches()) throw new IllegalArgumentException("label " + label);
    }
  }

  public static Metric counter(String name, String help, String... labels) {
    return new Metric(name, Kind.COUNTER, help, List.of(labels));
  }

  public static Metric gauge(String name, String help, String... labels) {
    return new Metric(name, Kind.GAUGE, help, List.of(labels));
  }

  public static Metric histogram(String name, String help, String... labels) {
    return new Metric(name, Kind.HISTOGRAM, help, List.of(labels));
  }

  /** The name without the ending that the formats add by themselves. */
  String base() {
    return kind == Kind.COUNTER ? name.substring(0, name.length() - TOTAL.length()) : name;
  }
}
