// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What a whole path can reach at most: no more than each of its hops, and on one machine no more
 * than its processors can move through all of them. As in section 4.2 of the paper on Intrepid.
 */
final class Ceiling {
  private static final double MIB_PER_GIB = 1024;

  /** Below this part of the lowest bound, something limits that was not measured alone. */
  private static final double EXPLAINED_MIN = 0.5;

  /** A bound of the whole path, in bytes of the program. */
  record Bound(String name, double mibPerSecond) {}

  private final List<Bound> bounds = new ArrayList<>();
  private double cpuSecondsPerGib;

  /**
   * Adds a hop.
   *
   * @param side by side: how many of it there are, where one was measured
   * @param times how often each byte of the program goes through it
   */
  Ceiling hop(Hop hop, double side, double times) {
    return bound(hop.name(), hop.mibPerSecond() * side / times);
  }

  Ceiling bound(String name, double mibPerSecond) {
    bounds.add(new Bound(name, mibPerSecond));
    return this;
  }

  /** Adds the processor time of a part, for each byte of the program. */
  Ceiling cpu(double secondsPerGib) {
    cpuSecondsPerGib += secondsPerGib;
    return this;
  }

  /** All hops share these processors. */
  Ceiling onOneMachine(int cores) {
    if (cpuSecondsPerGib > 0) bound("processors", cores / cpuSecondsPerGib * MIB_PER_GIB);
    return this;
  }

  /** The bounds, the lowest first. */
  List<Bound> bounds() {
    return bounds.stream().sorted(Comparator.comparingDouble(Bound::mibPerSecond)).toList();
  }

  Bound lowest() {
    return bounds().getFirst();
  }

  /** What was measured next to what was expected, as a sentence. */
  String sentence(String what, double measured) {
    List<Bound> sorted = bounds();
    Bound first = sorted.getFirst();
    double ratio = measured / first.mibPerSecond();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %.0f MiB/s of at most %.0f (%.2f); %s",
            what,
            measured,
            first.mibPerSecond(),
            ratio,
            ratio < EXPLAINED_MIN
                ? "no hop measured alone explains that; the lowest bound is '" + first.name() + "'"
                : "'" + first.name() + "' limits it"));
    if (sorted.size() > 1) {
      Bound second = sorted.get(1);
      text.append(
          String.format(Locale.ROOT, ", then '%s' (%.0f)", second.name(), second.mibPerSecond()));
    }
    return text.toString();
  }
}
