// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.SeatId;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** How groups change when a seat is silent (P8). Pure. */
public final class AbsentSeatRules {
  private AbsentSeatRules() {}

  /**
   * The group with the seat behind all others and not current, in the next epoch; or unchanged, if
   * the seat is not current, or no other live member is: only a current member takes over (P8).
   *
   * @param unheard seats that are silent as well, though the map does not say so yet
   * @param held what the seat is known to hold
   */
  @Rule("P8")
  public static Group without(
      Group group, SeatId silent, RingMap map, Collection<SeatId> unheard, Group.Held held) {
    int place = group.indexOf(silent);
    if (place < 0 || !group.members().get(place).current()) return group;
    boolean othersGoOn =
        group.members().stream()
            .anyMatch(
                member ->
                    member.current()
                        && !member.seat().equals(silent)
                        && !unheard.contains(member.seat())
                        && !away(map, member.seat()));
    if (!othersGoOn) return group;
    List<Group.Member> members = new ArrayList<>(group.members());
    Group.Member left = members.remove(place);
    members.add(new Group.Member(left.seat(), left.incarnation(), false, false, held));
    return group.next(members);
  }

  /** The held data of a seat that was current until now. */
  static Group.Held all(RingMap map) {
    return new Group.Held(Group.Held.What.ALL, map.epoch());
  }

  private static boolean away(RingMap map, SeatId seat) {
    SeatEntry entry = map.seat(seat);
    return entry == null || entry.away();
  }

  /** Whether nothing happens in the group before the seat is back. */
  static boolean waitsFor(Group group, SeatId silent) {
    int place = group.indexOf(silent);
    return place >= 0 && group.members().get(place).current();
  }

  static String unavailable(Group group, SeatEntry seat) {
    return group.id()
        + " is unavailable: "
        + seat.id()
        + " on server "
        + seat.server()
        + " is silent, and no other member that lives holds all of it";
  }
}
