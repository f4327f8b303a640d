// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.remote;

import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a group is unavailable, as far as the map tells, and the remedy. Stateless. */
public final class Unavailability {
  private Unavailability() {}

  /** A sentence without a full stop, or null if a member can serve. */
  public static @Nullable String of(RingMap map, Group group) {
    List<String> awaited = new ArrayList<>();
    boolean lives = false;
    for (Group.Member member : group.members()) {
      SeatEntry seat = map.seat(member.seat());
      if (seat == null || !member.current()) continue;
      if (seat.away()) awaited.add(seat.id() + " on server " + seat.server());
      else lives = true;
    }
    if (lives) return null;
    String start = "group " + nameOf(group) + " is unavailable: ";
    if (!awaited.isEmpty()) {
      return start
          + "it waits for "
          + String.join(", ", awaited)
          + ", which alone holds everything that was acknowledged; start that server";
    }
    return start
        + "its members lost memory, and none holds everything that was acknowledged;"
        + " 'forebay revive' shows what is left and lets the group continue with that";
  }

  public static String nameOf(Group group) {
    return group.id().origin().number() + "x" + group.id().copies();
  }
}
