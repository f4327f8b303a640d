// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import io.forebay.base.MonotonicClock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Paces log lines that peers can cause as often as they like. Of each kind, the first line is
 * logged at once, then at most one in each {@link #PAUSE_NANOS}, with the number of those left out.
 */
public final class LogPace {
  public static final long PAUSE_NANOS = 10_000_000_000L;

  /** Kinds are named in this program, so there are few; more of them share one pace. */
  static final int KINDS_MAX = 64;

  private static final String OTHERS = "others";

  private static final class Kind {
    private final long loggedNanos;
    private long leftOut;

    Kind(long loggedNanos) {
      this.loggedNanos = loggedNanos;
    }
  }

  private final MonotonicClock clock;
  private final Map<String, Kind> kinds = new HashMap<>();

  public LogPace(MonotonicClock clock) {
    this.clock = clock;
  }

  /**
   * Logs a sentence, or leaves it out.
   *
   * @param kind what it is about, not from whom
   * @param sentence asked only if it is logged
   */
  public void log(String kind, Supplier<String> sentence, Consumer<String> log) {
    long now = clock.nanos();
    String counted = kinds.containsKey(kind) || kinds.size() < KINDS_MAX ? kind : OTHERS;
    Kind known = kinds.get(counted);
    if (known != null && now - known.loggedNanos < PAUSE_NANOS) {
      known.leftOut++;
      return;
    }
    kinds.put(counted, new Kind(now));
    String text = sentence.get();
    long more = known == null ? 0 : known.leftOut;
    log.accept(more > 0 ? text + " (and " + more + " more before it)" : text);
  }
}
