// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.base.GroupId;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.group.GroupHome;
import io.forebay.seat.group.GroupSeat;
import io.forebay.seat.group.MemberGroups;
import io.forebay.seat.journal.MemberJournal;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.Self;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.GroupMessage;
import org.jspecify.annotations.Nullable;

/**
 * Lets a message through to its group only in the epoch that the message names (P12): an older one
 * is refused, a newer one is held until the seat has entered it.
 */
final class EpochGate {
  /**
   * Handles a message in its epoch.
   *
   * @param <P> the part of the group that the message is for
   */
  interface PartHandler<P, M extends GroupMessage> {
    void handle(P part, Connection from, long request, M message);
  }

  private final Self self;
  private final MapView maps;
  private final MemberGroups groups;
  private final HeldMessages held;
  private final Refusals refusals;

  EpochGate(Basics basics, MemberGroups groups, HeldMessages held, Refusals refusals) {
    this.self = basics.self();
    this.maps = basics.maps();
    this.groups = groups;
    this.held = held;
    this.refusals = refusals;
  }

  /** For messages to any member. */
  <M extends GroupMessage> MessageTable.Handler<M> inEpoch(PartHandler<GroupSeat, M> handler) {
    return (from, request, message) -> {
      GroupSeat group = entered(from, request, message);
      if (group != null) handler.handle(group, from, request, message);
    };
  }

  /** For messages to the home, once it has started. */
  <M extends GroupMessage> MessageTable.Handler<M> atHome(PartHandler<GroupHome, M> handler) {
    return (from, request, message) -> {
      GroupSeat group = entered(from, request, message);
      if (group == null) return;
      GroupHome home = group.home();
      if (home == null) {
        notHome(from, request, message.group());
      } else if (!home.started()) {
        String detail = message.group() + " is " + home.stage();
        refusals.refuse(from, request, ErrorCode.UNAVAILABLE, detail);
      } else {
        handler.handle(home, from, request, message);
      }
    };
  }

  /** For messages about the journal to a member behind the home. */
  <M extends GroupMessage> MessageTable.Handler<M> atMember(PartHandler<MemberJournal, M> handler) {
    return (from, request, message) -> {
      GroupSeat group = entered(from, request, message);
      MemberJournal journal = group == null ? null : group.memberJournal();
      if (journal != null) handler.handle(journal, from, request, message);
    };
  }

  void notHome(Connection from, long request, GroupId group) {
    refusals.refuse(from, request, ErrorCode.NOT_HOME, self.id() + " is not home of " + group);
  }

  /** The group if it is in the message's epoch; else the message is refused or held. */
  private @Nullable GroupSeat entered(Connection from, long request, GroupMessage message) {
    GroupId id = message.group();
    long epoch = message.epoch();
    GroupSeat group = groups.of(id);
    boolean refused = group == null ? isOutOf(id, epoch) : isOlder(message, group.epoch());
    if (refused) {
      refusals.stale(from, request, id);
      return null;
    }
    if (group == null || epoch > group.epoch()) {
      held.hold(new Request(from, request, message));
      maps.fetchMap();
      return null;
    }
    return group;
  }

  /** A message of a lower epoch is refused, and its sender gets the map (P12). */
  @Rule("P12")
  private static boolean isOlder(GroupMessage message, long epoch) {
    return message.epoch() < epoch;
  }

  /**
   * Whether this seat is no member of the group by a map that has the group in that epoch or a
   * later one: a message for the group then need not wait for a newer map.
   */
  boolean isOutOf(GroupId group, long epoch) {
    RingMap map = maps.map();
    Group known = map == null ? null : map.group(group);
    return known != null && known.epoch() >= epoch && self.hasPlace() && !groups.isMember(group);
  }
}
