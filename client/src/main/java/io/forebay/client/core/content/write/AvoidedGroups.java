// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import io.forebay.base.GroupId;
import io.forebay.base.Timers;
import io.forebay.client.core.retry.Backoff;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Groups that get no pieces at present, because they redirected one or did not answer. After a
 * while one piece probes the group. If the group takes it, the others follow; if not, the time
 * until the next probe doubles. So a group in trouble costs few pieces a retry, and no other piece
 * waits.
 */
final class AvoidedGroups {
  static final long FIRST_NANOS = 500_000_000L;
  static final long NANOS_MAX = 8_000_000_000L;

  private static final class Detour {
    /** The group to use instead, if the group named one. */
    @Nullable GroupId to;

    /** Failed probes in a row. */
    int looks;

    long untilNanos;

    /** The piece that looks, or 0. */
    long looking;
  }

  private static final Backoff BACKOFF = Backoff.exact(FIRST_NANOS, NANOS_MAX);

  private final Timers timers;
  private final Map<GroupId, Detour> detours = new TreeMap<>();

  AvoidedGroups(Timers timers) {
    this.timers = timers;
  }

  /** Whether a piece should rather not go to the group. */
  boolean avoids(GroupId group, long piece) {
    Detour detour = detours.get(group);
    if (detour == null || detour.looking == piece) return false;
    if (detour.untilNanos - timers.nanos() > 0) return true;
    // If the probe gets no answer, the next one follows after the same time.
    detour.looking = piece;
    detour.untilNanos = timers.nanos() + lengthNanos(detour);
    return false;
  }

  /** The same without a look. */
  boolean isAvoided(GroupId group) {
    Detour detour = detours.get(group);
    return detour != null && detour.untilNanos - timers.nanos() > 0;
  }

  /** The map has changed: the next piece of each group looks at once. */
  void lookSoon() {
    for (Detour detour : detours.values()) detour.untilNanos = timers.nanos();
  }

  /** The detour for the group's pieces, or null. */
  @Nullable GroupId target(GroupId group) {
    Detour detour = detours.get(group);
    return detour == null ? null : detour.to;
  }

  /** The group did not take a piece, or did not answer. */
  void begin(GroupId group, @Nullable GroupId to, long piece) {
    Detour detour = detours.get(group);
    boolean looked = detour != null && detour.looking == piece;
    if (detour == null) {
      detour = new Detour();
      detour.untilNanos = timers.nanos() + lengthNanos(detour);
      detours.put(group, detour);
    }
    detour.to = to;
    // Pieces that were on their way when it began say nothing new.
    if (!looked) return;
    detour.looking = 0;
    detour.looks++;
    detour.untilNanos = timers.nanos() + lengthNanos(detour);
  }

  private static long lengthNanos(Detour detour) {
    return BACKOFF.nanos(detour.looks + 1);
  }

  /** The group has taken a piece. */
  void taken(GroupId group, long piece) {
    Detour detour = detours.get(group);
    if (detour != null && detour.looking == piece) detours.remove(group);
  }
}
