// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.base.Timers;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Warnings that may come once for every record: of those about one thing, the first is logged at
 * once, and then one every few seconds, with the number of those in between.
 */
public final class RepeatedWarnings {
  static final long PAUSE_NANOS = 10_000_000_000L;

  /** The maximum number of things; warnings beyond it are dropped. */
  static final int THINGS_MAX = 10_000;

  private static final class Thing {
    String latest = "";
    BooleanSupplier applies = () -> true;
    long leftOut;
  }

  private final Timers timers;
  private final SeatEvents events;

  /** Recent warnings. */
  private final Map<String, Thing> things = new TreeMap<>();

  public RepeatedWarnings(Timers timers, SeatEvents events) {
    this.timers = timers;
    this.events = events;
  }

  /**
   * Logs a sentence, now or in a while, unless a later one replaces it.
   *
   * @param about the kind of the warning, and its subject
   */
  public void warn(String about, String sentence) {
    warnWhile(about, sentence, () -> true);
  }

  /**
   * The same, unless the warning no longer applies.
   *
   * @param applies asked whenever the sentence would be logged
   */
  public void warnWhile(String about, String sentence, BooleanSupplier applies) {
    if (!applies.getAsBoolean()) return;
    Thing known = things.get(about);
    if (known != null) {
      known.latest = sentence;
      known.applies = applies;
      known.leftOut++;
    } else if (things.size() < THINGS_MAX) {
      things.put(about, new Thing());
      events.warned(sentence);
      timers.after(PAUSE_NANOS, () -> pauseOver(about));
    }
  }

  private void pauseOver(String about) {
    Thing thing = things.get(about);
    if (thing == null) return;
    if (thing.leftOut == 0 || !thing.applies.getAsBoolean()) {
      things.remove(about);
      return;
    }
    long more = thing.leftOut - 1;
    events.warned(more == 0 ? thing.latest : thing.latest + " (and " + more + " times before)");
    thing.leftOut = 0;
    timers.after(PAUSE_NANOS, () -> pauseOver(about));
  }
}
