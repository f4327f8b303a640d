// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Checks at intervals whether groups have the members they should have, and proposes the changes of
 * {@link MemberPlan}. Only this class uses the time: decisions depend on proposals only.
 */
public final class MemberDesk {
  private static final long LOOK_NANOS = 500_000_000L;

  /** After this time a group's change counts as stuck, and does not block others. */
  private static final long FRESH_NANOS = 120_000_000_000L;

  /** The minimum interval between two moves of homes. */
  private static final long ORDER_PAUSE_NANOS = 5_000_000_000L;

  private static final long SECOND_NANOS = 1_000_000_000L;

  private record Since(long number, long nanos) {}

  private final ManagerConfig config;
  private final ManagerState state;
  private final Decisions decisions;
  private final Timers timers;
  private final GrantedLeases leases;
  private final ManagerEvents events;
  private final BooleanSupplier serving;
  private final SlowMemberBackoff rests;
  private final Set<GroupId> underWay = new TreeSet<>();
  private final Set<SeatId> seatsUnderWay = new TreeSet<>();

  /** Since when each group is in its epoch, as far as this manager knows. */
  private final Map<GroupId, Since> epochs = new TreeMap<>();

  /** Since when the present process of a seat is away. */
  private final Map<SeatId, Since> absences = new TreeMap<>();

  private long lookedNanos;
  private long orderedNanos;

  public MemberDesk(ManagerConfig config, DeskParts parts, BooleanSupplier serving) {
    this.config = config;
    this.state = parts.state();
    this.decisions = parts.decisions();
    this.leases = parts.leases();
    this.timers = parts.timers();
    this.events = parts.events();
    this.serving = serving;
    this.rests = new SlowMemberBackoff(timers);
    this.orderedNanos = timers.nanos();
  }

  public void start() {
    lookedNanos = timers.nanos();
    timers.after(LOOK_NANOS, this::look);
  }

  /** Another manager has led before: since when something is so is not known here. */
  public void takeOver() {
    absences.clear();
    epochs.clear();
    orderedNanos = timers.nanos();
  }

  private void look() {
    long now = timers.nanos();
    // A manager that was itself paused for a while cannot tell how long others were away.
    if (now - lookedNanos > 4 * LOOK_NANOS) {
      absences.clear();
      epochs.clear();
    }
    lookedNanos = now;
    timers.after(LOOK_NANOS, this::look);
    if (!serving.getAsBoolean() || !state.formed()) return;
    RingMap map = state.map();
    for (SeatEntry seat : map.seats()) lookAt(seat, now);
    for (Group group : map.groups()) {
      Since since = epochs.get(group.id());
      if (since == null || since.number() != group.epoch()) {
        epochs.put(group.id(), new Since(group.epoch(), now));
      }
      resume(group);
    }
    boolean mayOrder = now - orderedNanos >= ORDER_PAUSE_NANOS;
    for (Command.OfMembers command :
        MemberPlan.next(
            map,
            underWay,
            group -> inEpochFor(group) < FRESH_NANOS,
            group -> mayOrder && inEpochFor(group) >= config.quietNanos())) {
      if (!mustWait(map, command)) propose(command);
    }
  }

  /**
   * A home that was alone a moment ago may still have a lease from the manager, and may not have
   * heard that it is alone no longer: another takes its place when that has run out (P13).
   */
  private boolean mustWait(RingMap map, Command.OfMembers command) {
    if (!(command instanceof Command.SettleGroup settle)) return false;
    Group group = map.group(settle.group());
    boolean homeChanges = group != null && !settle.members().getFirst().equals(group.home());
    return homeChanges && leases.remainingNanos(List.of(settle.group()), timers.nanos()) > 0;
  }

  private long inEpochFor(GroupId group) {
    Since since = epochs.get(group);
    return since == null ? 0 : timers.nanos() - since.nanos();
  }

  private void lookAt(SeatEntry seat, long now) {
    if (!seat.away() || seat.stay() != SeatEntry.Stay.HERE) {
      absences.remove(seat.id());
      return;
    }
    Since since = absences.get(seat.id());
    if (since == null || since.number() != seat.start()) {
      absences.put(seat.id(), new Since(seat.start(), now));
    } else if (now - since.nanos() >= config.goneNanos() && seatsUnderWay.add(seat.id())) {
      decisions.propose(
          new Command.SeatGone(seat.id(), seat.start(), seat.incarnation()),
          result -> {
            seatsUnderWay.remove(seat.id());
            events.warned(
                seat.id()
                    + " on server "
                    + seat.server()
                    + " has been away for long: others are brought up to date in its place");
          },
          why -> seatsUnderWay.remove(seat.id()));
    }
  }

  private void resume(Group group) {
    for (Group.Member member : group.members()) {
      if (!member.resting() || !rests.over(group.id(), member.seat())) continue;
      if (underWay.contains(group.id())) return;
      change(group.id(), new Command.ResumeMember(group.id(), group.epoch(), member.seat()), "");
    }
  }

  private void propose(Command.OfMembers command) {
    switch (command) {
      case Command.AddMember add ->
          change(add.group(), add, add.seat() + " comes into " + add.group());
      case Command.SettleGroup settle -> {
        Group group = state.map().group(settle.group());
        boolean moved = group != null && !group.home().equals(settle.members().getFirst());
        if (moved) orderedNanos = timers.nanos();
        change(settle.group(), settle, settle.group() + " settles with " + settle.members());
      }
      case Command.SeatLeft left -> left(left);
      default -> throw new IllegalStateException("no plan has " + command);
    }
  }

  private void change(GroupId group, Command command, String sentence) {
    if (!underWay.add(group)) return;
    decisions.propose(
        command,
        result -> {
          underWay.remove(group);
          if (!(result instanceof Result.Refused) && !sentence.isEmpty()) events.told(sentence);
        },
        why -> underWay.remove(group));
  }

  private void left(Command.SeatLeft command) {
    SeatId seat = command.seat();
    if (!seatsUnderWay.add(seat)) return;
    decisions.propose(
        command,
        result -> {
          seatsUnderWay.remove(seat);
          events.told(seat + " has left the ring");
        },
        why -> seatsUnderWay.remove(seat));
  }

  /** A group's home finds a member too slow. */
  public void slow(Maps.MemberSlow slow, Caller caller) {
    Command.BypassMember command =
        new Command.BypassMember(slow.group(), slow.epoch(), slow.seat(), slow.incarnation());
    Result.Refused refused = state.check(command);
    if (refused != null) {
      caller.fail(refused);
      return;
    }
    decisions.propose(
        command,
        result -> {
          if (result instanceof Result.Refused late) {
            caller.fail(late);
            return;
          }
          long seconds = rests.begin(slow.group(), slow.seat()) / SECOND_NANOS;
          events.warned(
              slow.seat()
                  + " is too slow for "
                  + slow.group()
                  + ", which goes on without it for "
                  + seconds
                  + " s");
          caller.done();
        },
        why -> caller.fail(ErrorCode.UNAVAILABLE, "going on without a member: " + why));
  }
}
