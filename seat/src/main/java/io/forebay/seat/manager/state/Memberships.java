// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingArrangement;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps.SeatOffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@link ManagerState} with the seats and the members of groups (P8). A change of one
 * group is made only in the epoch that its proposer knew.
 */
final class Memberships {
  private final List<SeatEntry> seats;
  private final List<Group> groups;
  private final List<Instance> instances;
  private final Supplier<RingMap> map;
  private final Runnable raise;

  /**
   * Over the lists of its owner.
   *
   * @param map as they are now
   * @param raise to be called after each change
   */
  Memberships(
      List<SeatEntry> seats,
      List<Group> groups,
      List<Instance> instances,
      Supplier<RingMap> map,
      Runnable raise) {
    this.seats = seats;
    this.groups = groups;
    this.instances = instances;
    this.map = map;
    this.raise = raise;
  }

  /** Why it cannot be done, or null. */
  Result.@Nullable Refused check(Command.OfMembers change) {
    return switch (change) {
      case Command.MakeCurrent c ->
          MemberRules.checkMember(map.get(), c.group(), c.epoch(), c.seat(), c.incarnation());
      case Command.BypassMember c -> MemberRules.checkBypass(map.get(), c);
      case Command.MemberFailed c -> MemberRules.checkFailed(map.get(), c);
      case Command.AddMember c -> MemberRules.checkAdd(map.get(), c);
      case Command.SettleGroup c -> MemberRules.checkSettle(map.get(), c);
      case Command.ReviveGroup c -> LossRules.checkRevive(map.get(), c);
      case Command.ResumeMember c -> MemberRules.checkEpoch(map.get(), c.group(), c.epoch());
      case Command.LeaveRing c -> MemberRules.checkLeave(map.get(), c.server());
      case Command.JoinRing c -> MemberRules.checkJoin(map.get(), c);
      case Command.SeatReturned c ->
          indexOf(c.arrival().seat()) >= 0
              ? null
              : new Result.Refused(ErrorCode.NOT_FOUND, "no seat of the ring has that log");
      case Command.SeatSilent c -> null;
      case Command.SeatHeard c -> null;
      case Command.SeatGone c -> null;
      case Command.SeatLeft c -> null;
    };
  }

  Result apply(Command.OfMembers change) {
    Result.Refused refused = check(change);
    if (refused != null) return refused;
    return switch (change) {
      case Command.SeatReturned c -> seatReturned(c.arrival());
      case Command.SeatSilent c -> seatSilent(c);
      case Command.SeatHeard c -> seatHeard(c);
      case Command.SeatGone c -> seatGone(c);
      case Command.MakeCurrent c -> change(c.group(), g -> MemberRules.withCurrent(g, c.seat()));
      case Command.AddMember c -> change(c.group(), g -> MemberRules.withMember(g, c));
      case Command.SettleGroup c -> change(c.group(), g -> MemberRules.settled(g, c.members()));
      case Command.BypassMember c -> bypass(c);
      case Command.ReviveGroup c ->
          change(c.group(), g -> LossRules.revived(g, c.seat(), instances));
      case Command.MemberFailed c -> memberFailed(c);
      case Command.ResumeMember c -> change(c.group(), g -> MemberRules.rested(g, c.seat()));
      case Command.JoinRing c -> joinRing(c);
      case Command.LeaveRing c -> leaveRing(c.server());
      case Command.SeatLeft c -> seatLeft(c.seat());
    };
  }

  private Result change(GroupId id, UnaryOperator<Group> how) {
    groups.replaceAll(group -> group.id().equals(id) ? how.apply(group) : group);
    raise.run();
    return Result.Done.QUIETLY;
  }

  private Result memberFailed(Command.MemberFailed failed) {
    RingMap before = map.get();
    // It may lack records that it could not keep.
    Group.Held held = Group.Held.NOTHING;
    return change(
        failed.group(),
        g -> AbsentSeatRules.without(g, failed.seat(), before, failed.unheard(), held));
  }

  private Result bypass(Command.BypassMember bypass) {
    RingMap before = map.get();
    return change(bypass.group(), g -> MemberRules.resting(g, bypass.seat(), before));
  }

  private Result seatReturned(Command.Arrival arrival) {
    int at = indexOf(arrival.seat());
    SeatEntry before = seats.get(at);
    SeatEntry now = returned(before, arrival);
    if (now.equals(before)) return Result.Done.QUIETLY;
    seats.set(at, now);
    List<String> warnings = new ArrayList<>();
    if (now.incarnation() != before.incarnation()) {
      long followed = arrival.seat().followed();
      groups.replaceAll(
          group ->
              group.indexOf(now.id()) < 0
                  ? group
                  : LossRules.without(group, now, followed, instances, warnings));
    } else if (now.start() != before.start()) {
      groups.replaceAll(group -> group.indexOf(now.id()) < 0 ? group : group.next(group.members()));
    }
    raise.run();
    return new Result.Done(warnings);
  }

  private Result seatSilent(Command.SeatSilent silent) {
    int at = indexOf(silent.seat(), silent.start(), silent.incarnation());
    if (at < 0) return Result.Done.QUIETLY;
    SeatEntry before = seats.get(at);
    List<String> warnings = new ArrayList<>();
    boolean changed = !before.away();
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      Group without =
          AbsentSeatRules.without(
              group, before.id(), map.get(), silent.unheard(), AbsentSeatRules.all(map.get()));
      if (!without.equals(group)) {
        groups.set(i, without);
        changed = true;
      } else if (!before.away() && AbsentSeatRules.waitsFor(group, before.id())) {
        warnings.add(AbsentSeatRules.unavailable(group, before));
      }
    }
    if (!changed) return Result.Done.QUIETLY;
    seats.set(at, before.withAway(true));
    raise.run();
    return new Result.Done(warnings);
  }

  private Result seatHeard(Command.SeatHeard heard) {
    int at = indexOf(heard.seat(), heard.start(), heard.incarnation());
    if (at < 0 || !seats.get(at).away() || seats.get(at).stay() == SeatEntry.Stay.LEFT) {
      return Result.Done.QUIETLY;
    }
    SeatEntry before = seats.get(at);
    seats.set(at, before.withAway(false).withStay(backAgain(before.stay())));
    raise.run();
    return Result.Done.QUIETLY;
  }

  private Result seatGone(Command.SeatGone gone) {
    int at = indexOf(gone.seat(), gone.start(), gone.incarnation());
    if (at < 0 || !seats.get(at).away() || seats.get(at).stay() != SeatEntry.Stay.HERE) {
      return Result.Done.QUIETLY;
    }
    seats.set(at, seats.get(at).withStay(SeatEntry.Stay.GONE));
    raise.run();
    return Result.Done.QUIETLY;
  }

  private static SeatEntry.Stay backAgain(SeatEntry.Stay before) {
    return before == SeatEntry.Stay.GONE ? SeatEntry.Stay.HERE : before;
  }

  private Result joinRing(Command.JoinRing join) {
    if (indexOf(join.arrival().seat()) >= 0) return Result.Done.QUIETLY;
    int highest = seats.stream().mapToInt(seat -> seat.id().number()).max().orElse(0);
    SeatEntry added = entry(new SeatId(highest + 1), join.arrival());
    int place = 0;
    while (!seats.get(place).id().equals(join.after())) place++;
    seats.add(place + 1, added);
    TreeSet<Integer> copiesInUse = new TreeSet<>();
    for (Group group : groups) copiesInUse.add(group.id().copies());
    for (int copies : copiesInUse) {
      groups.add(Terms.begun(RingArrangement.groupOf(seats, added, copies), groups));
    }
    raise.run();
    return Result.Done.QUIETLY;
  }

  private Result leaveRing(String server) {
    boolean any = false;
    for (int i = 0; i < seats.size(); i++) {
      SeatEntry seat = seats.get(i);
      if (!seat.server().equals(server) || !seat.takesPart()) continue;
      seats.set(i, seat.withStay(SeatEntry.Stay.LEAVING));
      any = true;
    }
    if (!any) return Result.Done.QUIETLY;
    raise.run();
    return Result.Done.QUIETLY;
  }

  private Result seatLeft(SeatId id) {
    for (int i = 0; i < seats.size(); i++) {
      SeatEntry seat = seats.get(i);
      if (!seat.id().equals(id) || seat.stay() != SeatEntry.Stay.LEAVING) continue;
      if (groups.stream().anyMatch(group -> group.indexOf(id) >= 0)) break;
      seats.set(i, seat.withStay(SeatEntry.Stay.LEFT).withAway(true));
      raise.run();
      break;
    }
    return Result.Done.QUIETLY;
  }

  /** The seat of that log, or null. */
  @Nullable SeatEntry seatOf(SeatOffer offer) {
    int at = indexOf(offer);
    return at < 0 ? null : seats.get(at);
  }

  private int indexOf(SeatOffer offer) {
    for (int i = 0; i < seats.size(); i++) {
      SeatEntry seat = seats.get(i);
      if (seat.logHigh() == offer.logHigh() && seat.logLow() == offer.logLow()) return i;
    }
    return -1;
  }

  /** The index of the seat, if the map has that process of it; else -1. */
  private int indexOf(SeatId id, long start, long incarnation) {
    for (int i = 0; i < seats.size(); i++) {
      SeatEntry seat = seats.get(i);
      if (!seat.id().equals(id)) continue;
      return seat.start() == start && seat.incarnation() == incarnation ? i : -1;
    }
    return -1;
  }

  /** A known seat as it is back; one that has left stays so. */
  static SeatEntry returned(SeatEntry known, Command.Arrival arrival) {
    if (known.stay() == SeatEntry.Stay.LEFT) return known;
    return entry(known.id(), arrival).withStay(backAgain(known.stay()));
  }

  static SeatEntry entry(SeatId id, Command.Arrival arrival) {
    SeatOffer offer = arrival.seat();
    return new SeatEntry(
        id,
        arrival.server(),
        arrival.host(),
        offer.logHigh(),
        offer.logLow(),
        offer.incarnation(),
        offer.start(),
        offer.addresses(),
        offer.memoryBytes(),
        offer.ssdBytes(),
        Math.max(1, offer.weight()),
        false,
        SeatEntry.Stay.HERE,
        offer.pool(),
        offer.keepsBytes(),
        offer.forcedBytes());
  }
}
