// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which changes of a group's members are allowed, and their results. Pure. */
public final class MemberRules {
  /** More than a group ever needs while it changes; homes count them in the bits of a number. */
  public static final int MEMBERS_MAX = 2 * GroupId.COPIES_MAX;

  private MemberRules() {}

  // Checks.

  static Result.@Nullable Refused checkEpoch(RingMap map, GroupId id, long epoch) {
    Group group = map.group(id);
    if (group == null) return new Result.Refused(ErrorCode.NOT_FOUND, "the map has no " + id);
    return group.epoch() == epoch ? null : changed(group);
  }

  private static Result.Refused changed(Group group) {
    return new Result.Refused(
        ErrorCode.STALE_EPOCH, group.id() + " has changed: " + group.members());
  }

  /** Whether the group is still in that epoch, and the seat a member in that incarnation. */
  static Result.@Nullable Refused checkMember(
      RingMap map, GroupId id, long epoch, SeatId seat, long incarnation) {
    Result.Refused refused = checkEpoch(map, id, epoch);
    Group group = map.group(id);
    if (refused != null || group == null) return refused;
    Group.Member member = group.member(seat);
    return member != null && member.incarnation() == incarnation ? null : changed(group);
  }

  static Result.@Nullable Refused checkAdd(RingMap map, Command.AddMember add) {
    Result.Refused refused = checkEpoch(map, add.group(), add.epoch());
    Group group = map.group(add.group());
    if (refused != null || group == null) return refused;
    SeatEntry seat = map.seat(add.seat());
    boolean fits =
        seat != null
            && seat.incarnation() == add.incarnation()
            && seat.stay() == SeatEntry.Stay.HERE
            && group.indexOf(add.seat()) < 0
            && group.members().size() < MEMBERS_MAX;
    return fits
        ? null
        : new Result.Refused(ErrorCode.INVALID, add.seat() + " cannot come into " + add.group());
  }

  /**
   * For every removal, the remaining members hold everything: at least the first of them does (P8).
   */
  static Result.@Nullable Refused checkSettle(RingMap map, Command.SettleGroup settle) {
    Result.Refused refused = checkEpoch(map, settle.group(), settle.epoch());
    Group group = map.group(settle.group());
    if (refused != null || group == null) return refused;
    List<SeatId> wanted = settle.members();
    boolean fits =
        !wanted.isEmpty()
            && wanted.stream().distinct().count() == wanted.size()
            && wanted.stream().allMatch(seat -> group.indexOf(seat) >= 0);
    Group.Member home = fits ? group.member(wanted.getFirst()) : null;
    if (home != null && home.current()) return null;
    return new Result.Refused(ErrorCode.INVALID, settle.group() + " cannot settle with " + wanted);
  }

  /** Another member must go on that holds everything and lives. */
  static Result.@Nullable Refused checkBypass(RingMap map, Command.BypassMember bypass) {
    Result.Refused refused =
        checkMember(map, bypass.group(), bypass.epoch(), bypass.seat(), bypass.incarnation());
    Group group = map.group(bypass.group());
    if (refused != null || group == null) return refused;
    boolean othersGoOn = false;
    for (Group.Member member : group.members()) {
      SeatEntry seat = map.seat(member.seat());
      boolean lives = seat != null && !seat.away();
      othersGoOn |= member.current() && lives && !member.seat().equals(bypass.seat());
    }
    if (othersGoOn && !group.home().equals(bypass.seat())) return null;
    return new Result.Refused(
        ErrorCode.INVALID, bypass.group() + " cannot go on without " + bypass.seat());
  }

  /** The member may be the home; another that holds everything must be reachable. */
  static Result.@Nullable Refused checkFailed(RingMap map, Command.MemberFailed failed) {
    Result.Refused refused =
        checkMember(map, failed.group(), failed.epoch(), failed.seat(), failed.incarnation());
    Group group = map.group(failed.group());
    if (refused != null || group == null) return refused;
    if (!AbsentSeatRules.without(group, failed.seat(), map, failed.unheard(), Group.Held.NOTHING)
        .equals(group)) return null;
    return new Result.Refused(
        ErrorCode.UNAVAILABLE,
        "no other member of " + failed.group() + " that lives holds all of it");
  }

  static Result.@Nullable Refused checkJoin(RingMap map, Command.JoinRing join) {
    if (map.seat(join.after()) != null) return null;
    return new Result.Refused(
        ErrorCode.NOT_FOUND, "there is no " + join.after() + " behind which a seat could join");
  }

  /** A server may go if the others suffice for the copies that instances keep. */
  static Result.@Nullable Refused checkLeave(RingMap map, String server) {
    boolean known = map.seats().stream().anyMatch(seat -> seat.server().equals(server));
    if (!known) {
      return new Result.Refused(
          ErrorCode.NOT_FOUND, "there is no server '" + server + "'; 'forebay status' shows them");
    }
    boolean asked =
        map.seats().stream().noneMatch(seat -> seat.server().equals(server) && seat.takesPart());
    if (asked) return null;
    TreeSet<String> pools = new TreeSet<>();
    for (SeatEntry seat : map.seats()) {
      if (seat.server().equals(server) && seat.takesPart()) pools.add(seat.pool());
    }
    for (String pool : pools) {
      Result.Refused refused = checkLeave(map, server, pool);
      if (refused != null) return refused;
    }
    return null;
  }

  /** Copies stay within a pool, so its other servers must suffice. */
  private static Result.@Nullable Refused checkLeave(RingMap map, String server, String pool) {
    long left =
        InstanceRules.here(map.seats()).stream()
            .filter(seat -> seat.pool().equals(pool))
            .map(SeatEntry::server)
            .filter(each -> !each.equals(server))
            .distinct()
            .count();
    String where = map.pools().size() > 1 ? " of pool '" + pool + "'" : "";
    if (left == 0) {
      return new Result.Refused(
          ErrorCode.INVALID,
          "server '" + server + "' is the last one" + where + ": no other could take its data");
    }
    for (Instance instance : map.instances()) {
      String own = instance.allocation().pool();
      boolean there = own.isEmpty() || own.equals(pool);
      if (!there || instance.copies() <= left) continue;
      return new Result.Refused(
          ErrorCode.INVALID,
          "without server '%s' there %s%s, and instance '%s' keeps %d copies; add a server first"
              .formatted(
                  server,
                  left == 1 ? "is 1 server left" : "are " + left + " servers left",
                  where,
                  instance.name(),
                  instance.copies()));
    }
    return null;
  }

  // Results.

  /** The group with one more member, behind all others. */
  static Group withMember(Group group, Command.AddMember add) {
    List<Group.Member> members = new ArrayList<>(group.members());
    members.add(new Group.Member(add.seat(), add.incarnation(), false));
    return group.next(members);
  }

  static Group settled(Group group, List<SeatId> wanted) {
    List<Group.Member> members = new ArrayList<>();
    for (SeatId seat : wanted) members.add(group.members().get(group.indexOf(seat)));
    return group.next(members);
  }

  /** The group with one more current member, behind the others: records travel along them. */
  static Group withCurrent(Group group, SeatId seat) {
    List<Group.Member> members = new ArrayList<>(group.members());
    Group.Member member = members.remove(group.indexOf(seat));
    int behind = 0;
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).current()) behind = i + 1;
    }
    members.add(behind, new Group.Member(seat, member.incarnation(), true));
    return group.next(members);
  }

  /** The group with a member behind all others that rests, and is not current. */
  static Group resting(Group group, SeatId seat, RingMap map) {
    List<Group.Member> members = new ArrayList<>(group.members());
    Group.Member member = members.remove(group.indexOf(seat));
    Group.Held held = member.current() ? AbsentSeatRules.all(map) : member.held();
    members.add(new Group.Member(seat, member.incarnation(), false, true, held));
    return group.next(members);
  }

  /** The group with a member that rested, behind all others. */
  static Group rested(Group group, SeatId seat) {
    int place = group.indexOf(seat);
    if (place < 0 || !group.members().get(place).resting()) return group;
    List<Group.Member> members = new ArrayList<>(group.members());
    Group.Member member = members.remove(place);
    members.add(new Group.Member(seat, member.incarnation(), false, false, member.held()));
    return group.next(members);
  }
}
