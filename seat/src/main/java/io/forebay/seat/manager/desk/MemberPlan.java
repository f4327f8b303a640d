// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingArrangement;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.MemberRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One rule for all changes of members: a group should have the members that {@link RingArrangement}
 * gives it. A missing member is added, and the home repairs it; once all intended members hold
 * everything, the others are removed, and the order is corrected. So a seat that joins, leaves, is
 * lost permanently or comes back only changes the intended members. Pure.
 */
final class MemberPlan {
  /**
   * The maximum number of groups that are repaired at once; in larger rings, the number of seats.
   */
  static final int CHANGING_MAX = 16;

  /** The maximum number of groups that change their order, and with it their home, at once. */
  static final int ORDERED_MAX = 2;

  private final RingMap map;
  private final Predicate<GroupId> fresh;
  private final Predicate<GroupId> quiet;
  private final List<Command.OfMembers> commands = new ArrayList<>();
  private int changing;
  private int orders = ORDERED_MAX;

  private MemberPlan(RingMap map, Predicate<GroupId> fresh, Predicate<GroupId> quiet) {
    this.map = map;
    this.fresh = fresh;
    this.quiet = quiet;
  }

  /**
   * The next commands, at most one for each group.
   *
   * @param busy groups with a proposed and undecided change
   * @param fresh whether a group has changed lately, so that its work may still be in progress
   * @param quiet whether a group has not changed for so long that its order may be corrected
   */
  static List<Command.OfMembers> next(
      RingMap map, Set<GroupId> busy, Predicate<GroupId> fresh, Predicate<GroupId> quiet) {
    MemberPlan plan = new MemberPlan(map, fresh, quiet);
    for (Group group : map.groups()) {
      if (plan.isChanging(group)) plan.changing++;
    }
    for (Group group : map.groups()) {
      if (!busy.contains(group.id())) plan.look(group);
    }
    for (SeatEntry seat : map.seats()) {
      boolean member = map.groups().stream().anyMatch(group -> group.indexOf(seat.id()) >= 0);
      if (seat.stay() == SeatEntry.Stay.LEAVING && !member) {
        plan.commands.add(new Command.SeatLeft(seat.id()));
      }
    }
    return plan.commands;
  }

  /** Whether one of its members is being brought up to date. */
  private boolean isChanging(Group group) {
    return fresh.test(group.id())
        && group.members().stream()
            .anyMatch(member -> !member.current() && !member.resting() && lives(member.seat()));
  }

  private boolean lives(SeatId seat) {
    SeatEntry entry = map.seat(seat);
    return entry != null && !entry.away();
  }

  private void look(Group group) {
    Group.Member home = group.members().getFirst();
    // Nothing can be done before the group has a home that could do it.
    if (!home.current() || !lives(home.seat())) return;
    List<SeatEntry> wanted =
        RingArrangement.members(map.seats(), group.id().origin(), group.id().copies());
    boolean allCurrent = !wanted.isEmpty();
    for (SeatEntry seat : wanted) {
      Group.Member member = group.member(seat.id());
      // One that fell silent together with the home is away, and still current.
      allCurrent &= member != null && member.current() && !seat.away();
      if (member == null && !seat.away() && mayChange(group)) {
        if (!isChanging(group)) changing++;
        commands.add(
            new Command.AddMember(group.id(), group.epoch(), seat.id(), seat.incarnation()));
        return;
      }
    }
    if (allCurrent) settle(group, wanted.stream().map(SeatEntry::id).toList());
  }

  private boolean mayChange(Group group) {
    boolean room = changing < Math.max(CHANGING_MAX, map.seats().size()) || isChanging(group);
    return room && group.members().size() < MemberRules.MEMBERS_MAX;
  }

  private void settle(Group group, List<SeatId> wanted) {
    List<SeatId> kept = new ArrayList<>();
    for (Group.Member member : group.members()) {
      if (wanted.contains(member.seat()) || !mayGo(group, member.seat(), wanted)) {
        kept.add(member.seat());
      }
    }
    if (kept.size() < group.members().size()) {
      // The home changes only if it must.
      boolean homeStays = kept.getFirst().equals(group.home());
      propose(group, homeStays ? kept : inOrder(wanted, kept));
    } else if (!kept.equals(wanted)
        && kept.size() == wanted.size()
        && orders > 0
        && quiet.test(group.id())) {
      orders--;
      propose(group, wanted);
    }
  }

  private static List<SeatId> inOrder(List<SeatId> first, List<SeatId> all) {
    List<SeatId> ordered = new ArrayList<>(first);
    for (SeatId seat : all) {
      if (!ordered.contains(seat)) ordered.add(seat);
    }
    return ordered;
  }

  /**
   * If there are too few seats, members that are away may come back, and none may be removed that
   * an instance needs.
   */
  private boolean mayGo(Group group, SeatId member, List<SeatId> wanted) {
    int copies = group.id().copies();
    if (wanted.size() == copies) return true;
    boolean needed = map.instances().stream().anyMatch(instance -> instance.copies() == copies);
    SeatEntry seat = map.seat(member);
    return !needed && (seat == null || !seat.takesPart());
  }

  private void propose(Group group, List<SeatId> members) {
    commands.add(new Command.SettleGroup(group.id(), group.epoch(), members));
  }
}
