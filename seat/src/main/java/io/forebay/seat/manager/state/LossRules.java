// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.Group.Held;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a group changes when one of its members comes back without its memory (P11). If others are
 * current, it moves behind them and is repaired. If it was the last current one, another member may
 * still hold everything, if nothing was ever acknowledged without that member; and the returned
 * member holds everything that was forced, since nothing was forced without it. Pure.
 */
final class LossRules {
  private LossRules() {}

  /**
   * The group with the returned member, in the next epoch.
   *
   * @param seat the returned seat
   * @param followed the highest map it may have followed before; 0 if unknown, and then it may lack
   *     forced data
   */
  static Group without(
      Group group, SeatEntry seat, long followed, List<Instance> instances, List<String> warnings) {
    int place = group.indexOf(seat.id());
    List<Group.Member> members = new ArrayList<>(group.members());
    Group.Member before = members.remove(place);
    boolean othersHoldAll = members.stream().anyMatch(Group.Member::current);
    Held held = othersHoldAll ? Held.NOTHING : left(before, followed);
    Group.Member now = new Group.Member(seat.id(), seat.incarnation(), false, false, held);
    // If no member can take over, the order stays, and the group waits.
    members.add(othersHoldAll ? members.size() : place, now);
    Group without = group.next(members);
    return othersHoldAll ? without : restored(without, seat, instances, warnings);
  }

  /** What the last current member is known to hold without its memory. */
  private static Held left(Group.Member before, long followed) {
    if (followed == 0) return Held.NOTHING;
    if (before.current()) return new Held(Held.What.FORCED, followed);
    // Lost again before another member came back: the data forced before still exists.
    return before.held().what() == Held.What.FORCED ? before.held() : Held.NOTHING;
  }

  /** The group with a member that can continue, if there is one. */
  private static Group restored(
      Group group, SeatEntry seat, List<Instance> instances, List<String> warnings) {
    Group.Member last = last(group);
    if (last == null) {
      warnings.add(unavailable(group.id(), seat, ", and no other member holds all of it"));
      return group;
    }
    // Everything acknowledged after a member was left out was confirmed by the last member, in a
    // later epoch. If the last member never followed the map that left the other out, there is no
    // such data.
    Predicate<Group.Member> hasAll =
        member -> all(member) && member.held().ringEpoch() >= last.held().ringEpoch();
    if (group.members().stream().anyMatch(hasAll)) {
      return withCurrent(group, hasAll, other -> all(other) ? other.held() : Held.NOTHING);
    }
    boolean allForced = instances.stream().noneMatch(each -> losesBy(each, group.id()));
    if (group.members().stream().anyMatch(LossRules::all) && !allForced) {
      warnings.add(
          unavailable(
              group.id(), seat, ": some of it nobody else holds, and others hold what was lost"));
      return group;
    }
    if (!allForced) {
      warnings.add(
          group.id()
              + " goes on with what "
              + last.seat()
              + " had forced: all its members lost their memory, and what was acknowledged there"
              + " without being forced may be missing; see 'forebay lost'");
    }
    return goingOn(group, last, instances);
  }

  /** The group, in the same epoch, with that member as the only current one, after a loss. */
  private static Group goingOn(Group group, Group.Member with, List<Instance> instances) {
    int next = instances.stream().mapToInt(Instance::id).max().orElse(0) + 1;
    Group restored = withCurrent(group, with::equals, other -> Held.NOTHING);
    return new Group(
        restored.id(),
        restored.epoch(),
        restored.members(),
        new Group.Restoration(restored.epoch(), next));
  }

  /** Only a group that waits forever may be revived, and only with a member that is present. */
  static Result.@Nullable Refused checkRevive(RingMap map, Command.ReviveGroup revive) {
    Result.Refused refused =
        MemberRules.checkMember(
            map, revive.group(), revive.epoch(), revive.seat(), revive.incarnation());
    Group group = map.group(revive.group());
    if (refused != null || group == null) return refused;
    if (group.currentMembers() > 0) {
      return new Result.Refused(
          ErrorCode.INVALID,
          revive.group() + " needs no revival: a member of it holds everything acknowledged");
    }
    SeatEntry seat = map.seat(revive.seat());
    return seat != null && !seat.away()
        ? null
        : new Result.Refused(ErrorCode.UNAVAILABLE, revive.seat() + " is away; start its server");
  }

  /** The group with that member as the only current one, in the next epoch. */
  static Group revived(Group group, SeatId seat, List<Instance> instances) {
    Group next = group.next(group.members());
    return goingOn(next, next.members().get(next.indexOf(seat)), instances);
  }

  /** Whether records or names of the instance in that group need not have been forced. */
  private static boolean losesBy(Instance instance, GroupId group) {
    return !instance.forced() && instance.copies() == group.copies();
  }

  private static boolean all(Group.Member member) {
    return member.held().what() == Held.What.ALL;
  }

  private static Group.@Nullable Member last(Group group) {
    for (Group.Member member : group.members()) {
      if (member.held().what() == Held.What.FORCED) return member;
    }
    return null;
  }

  /**
   * The group, in the same epoch, with these as its only current members, before all others.
   *
   * @param held the held data of the others
   */
  private static Group withCurrent(
      Group group, Predicate<Group.Member> current, Function<Group.Member, Held> held) {
    List<Group.Member> members = new ArrayList<>();
    for (Group.Member each : group.members()) {
      if (current.test(each)) members.add(new Group.Member(each.seat(), each.incarnation(), true));
    }
    for (Group.Member each : group.members()) {
      if (current.test(each)) continue;
      members.add(
          new Group.Member(
              each.seat(), each.incarnation(), false, each.resting(), held.apply(each)));
    }
    return new Group(group.id(), group.epoch(), members, group.restoration());
  }

  private static String unavailable(GroupId group, SeatEntry seat, String why) {
    return group
        + " is unavailable: "
        + seat.id()
        + " on server "
        + seat.server()
        + " came back without what it held"
        + why;
  }
}
