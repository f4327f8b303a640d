// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

import io.forebay.base.TimeText;
import io.forebay.base.series.SeriesPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Which drained data of an instance stays in the buffer longest. Undrained data is never evicted,
 * regardless of this policy.
 *
 * @param last the number of checkpoints of each series; 0 for none
 * @param ageMillis data written within that time; 0 for none
 * @param series which names are checkpoints; empty for all names with a running number
 * @param dropRest whether everything else is evicted as soon as it is drained, and not only when
 *     room is needed
 * @param reads whether bytes read from the store are cached in the buffer
 */
public record KeepPolicy(
    int last, long ageMillis, List<SeriesPattern> series, boolean dropRest, boolean reads) {
  public static final int LAST_MAX = 1_000_000;
  public static final long AGE_MILLIS_MAX = TimeUnit.DAYS.toMillis(3650);
  static final int SERIES_MAX = 16;

  /** Everything until room is needed; data that was drained longest ago goes first. */
  public static final KeepPolicy UNTIL_NEEDED = new KeepPolicy(0, 0, List.of(), false, false);

  private static final String WORDS =
      "write last=3, age=2h or both, series=ckpt-* for certain names only, and rest=drop to give"
          + " up all else at once; reads to keep what is read from the backing store";

  public KeepPolicy {
    series = List.copyOf(series);
    if (last < 0 || last > LAST_MAX) {
      throw new IllegalArgumentException("last=%d: 1 to %d".formatted(last, LAST_MAX));
    }
    if (ageMillis < 0 || ageMillis > AGE_MILLIS_MAX) {
      throw new IllegalArgumentException("an age of %d ms: at most 10 years".formatted(ageMillis));
    }
    if (series.size() > SERIES_MAX) {
      throw new IllegalArgumentException("more than " + SERIES_MAX + " series");
    }
    if (dropRest && reads) {
      throw new IllegalArgumentException("'rest=drop' gives up at once what 'reads' brings");
    }
  }

  /** Whether it prefers any files, so that files must be told apart. */
  public boolean prefers() {
    return last > 0 || ageMillis > 0;
  }

  /**
   * Reads a policy such as {@code last=3,age=2h,series=ckpt-*,rest=drop} or {@code last=3,reads};
   * an empty text is {@link #UNTIL_NEEDED}. A series may stand several times.
   *
   * @throws IllegalArgumentException if it is none; the message names the text and the remedy
   */
  public static KeepPolicy parse(String text) {
    if (text.isBlank()) return UNTIL_NEEDED;
    int last = 0;
    long ageMillis = 0;
    List<SeriesPattern> series = new ArrayList<>();
    boolean dropRest = false;
    boolean reads = false;
    try {
      for (String word : text.split(",", -1)) {
        if (word.strip().equals("reads")) {
          reads = true;
          continue;
        }
        int equals = word.indexOf('=');
        if (equals < 0) throw new IllegalArgumentException("'" + word.strip() + "' is not known");
        String key = word.substring(0, equals).strip();
        String value = word.substring(equals + 1).strip();
        switch (key) {
          case "last" -> last = count(last == 0, value);
          case "age" -> ageMillis = age(ageMillis == 0, value);
          case "series" -> series.add(SeriesPattern.parse(value));
          case "rest" -> dropRest = rest(value);
          default -> throw new IllegalArgumentException("'" + key + "' is not known");
        }
      }
      boolean saysWhat = dropRest || reads;
      if (last == 0 && ageMillis == 0 && (!saysWhat || !series.isEmpty())) {
        throw new IllegalArgumentException("it does not say how many or for how long");
      }
      return new KeepPolicy(last, ageMillis, series, dropRest, reads);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'%s' does not say what to keep: %s; %s".formatted(text, e.getMessage(), WORDS), e);
    }
  }

  private static int count(boolean first, String value) {
    if (!first) throw new IllegalArgumentException("'last' stands twice");
    if (!value.matches("[1-9][0-9]{0,6}")) {
      throw new IllegalArgumentException("'" + value + "' is no number of checkpoints");
    }
    return Integer.parseInt(value);
  }

  private static long age(boolean first, String value) {
    if (!first) throw new IllegalArgumentException("'age' stands twice");
    return TimeText.millis(value);
  }

  private static boolean rest(String value) {
    if (value.equals("drop")) return true;
    throw new IllegalArgumentException("'rest=" + value + "' is not known");
  }

  /** The policy as {@link #parse} reads it. */
  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    if (last > 0) words.add("last=" + last);
    if (ageMillis > 0) words.add("age=" + TimeText.of(ageMillis));
    for (SeriesPattern each : series) words.add("series=" + each);
    if (dropRest) words.add("rest=drop");
    if (reads) words.add("reads");
    return String.join(",", words);
  }
}
