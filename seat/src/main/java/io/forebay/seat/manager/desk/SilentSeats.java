// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.state.AbsentSeatRules;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Removes silent seats from their groups, and records seats that report again. Neighbours on the
 * ring report seats that do not answer; that alone decides nothing: another seat must have
 * confirmed it, and the manager itself must not have heard from the seat either.
 */
public final class SilentSeats {
  private static final ProtocolTimes.Manager TIMES = ProtocolTimes.DEFAULT.manager();

  private static final long LOOK_NANOS = 500_000_000L;

  private final ManagerState state;
  private final Decisions decisions;
  private final Sightings sightings;
  private final GrantedLeases leases;
  private final Timers timers;
  private final ManagerEvents events;
  private final BooleanSupplier serving;

  /** At most one change for each seat of the ring. */
  private final Set<SeatId> underWay = new TreeSet<>();

  private final Map<SeatId, Long> backNanos = new TreeMap<>();
  private long lookedNanos;

  public SilentSeats(DeskParts parts, Sightings sightings, BooleanSupplier serving) {
    this.state = parts.state();
    this.decisions = parts.decisions();
    this.leases = parts.leases();
    this.timers = parts.timers();
    this.events = parts.events();
    this.sightings = sightings;
    this.serving = serving;
  }

  public void start() {
    lookedNanos = timers.nanos();
    timers.after(LOOK_NANOS, this::look);
  }

  private void look() {
    noticeOwnAbsence();
    timers.after(LOOK_NANOS, this::look);
    if (!serving.getAsBoolean()) return;
    List<String> revoked = state.certificates().revokedServers();
    for (SeatEntry seat : state.map().seats()) {
      // A seat that can replace it may have come back after it was found silent. A revoked server
      // is not heard here; its neighbours need not report it.
      if (seat.away() ? !affected(seat).isEmpty() : revoked.contains(seat.server())) takeOut(seat);
    }
  }

  /** A manager that did nothing itself for a while has missed reports that are waiting for it. */
  private void noticeOwnAbsence() {
    long now = timers.nanos();
    if (now - lookedNanos > 2 * LOOK_NANOS) sightings.forgive();
    lookedNanos = now;
  }

  /** A seat says that another one does not answer. */
  public void suspected(Maps.Suspect message) {
    // Messages from the meantime may arrive before anything else is done.
    noticeOwnAbsence();
    if (!serving.getAsBoolean()) return;
    SeatEntry seat = state.map().seat(message.suspect());
    if (seat == null || seat.away() || seat.start() != message.start()) return;
    if (message.confirmed() || !witnessLives(message)) takeOut(seat);
  }

  private boolean witnessLives(Maps.Suspect message) {
    return state.map().seats().stream()
        .map(SeatEntry::id)
        .anyMatch(id -> !id.equals(message.suspect()) && !id.equals(message.by()) && isHeard(id));
  }

  private boolean isHeard(SeatId seat) {
    return sightings.heardWithin(seat, TIMES.silentNanos());
  }

  /** Not the same as not being heard: where all start at once, some come a little later. */
  private boolean isSilent(SeatId seat) {
    boolean mayStart = sightings.neverHeard(seat) && sightings.mayBeSought();
    return !mayStart && !isHeard(seat);
  }

  private void takeOut(SeatEntry seat) {
    Long back = backNanos.get(seat.id());
    boolean settling = back != null && timers.nanos() - back < TIMES.settlingNanos();
    if (settling || !isSilent(seat.id()) || !underWay.add(seat.id())) return;
    proceed(seat);
  }

  /**
   * Proposes the removal once no lease of the manager can be valid in a group that changes: its
   * home may have been alone in it a moment ago. Which groups change is known only at the decision,
   * since a member may become current before; so all groups with this seat as home are taken.
   */
  private void proceed(SeatEntry seat) {
    List<GroupId> led = led(seat.id());
    long remainingNanos = leases.remainingNanos(led, timers.nanos());
    if (remainingNanos > 0) {
      timers.after(remainingNanos, () -> proceed(seat));
      return;
    }
    if (!serving.getAsBoolean() || !isSilent(seat.id())) {
      underWay.remove(seat.id());
      return;
    }
    leases.close(led);
    decisions.propose(
        new Command.SeatSilent(seat.id(), seat.start(), seat.incarnation(), unheard()),
        result -> {
          ended(seat, led);
          events.warned(
              seat.id() + " on server " + seat.server() + " is silent; others go on without it");
        },
        why -> {
          ended(seat, led);
          events.warned("taking out " + seat.id() + ": " + why);
        });
  }

  private void ended(SeatEntry seat, List<GroupId> closed) {
    leases.open(closed);
    underWay.remove(seat.id());
  }

  /** The groups of which a seat is home. */
  private List<GroupId> led(SeatId seat) {
    return state.map().groups().stream()
        .filter(group -> group.home().equals(seat))
        .map(Group::id)
        .toList();
  }

  private List<SeatId> unheard() {
    return state.map().seats().stream().map(SeatEntry::id).filter(id -> !isHeard(id)).toList();
  }

  private List<GroupId> affected(SeatEntry seat) {
    RingMap map = state.map();
    List<SeatId> unheard = unheard();
    List<GroupId> affected = new ArrayList<>();
    for (Group group : map.groups()) {
      Group without = AbsentSeatRules.without(group, seat.id(), map, unheard, Group.Held.NOTHING);
      if (!without.equals(group)) affected.add(group.id());
    }
    return affected;
  }

  /** A seat has reported: if it was away, it is not any more. */
  public void heard(SeatEntry seat) {
    boolean over = seat.stay() == SeatEntry.Stay.LEFT;
    if (over || !seat.away() || !serving.getAsBoolean() || !underWay.add(seat.id())) return;
    decisions.propose(
        new Command.SeatHeard(seat.id(), seat.start(), seat.incarnation()),
        result -> {
          underWay.remove(seat.id());
          back(seat.id());
          events.told(seat.id() + " on server " + seat.server() + " is heard of again");
        },
        why -> underWay.remove(seat.id()));
  }

  /** The seat is in the map again as one that lives. */
  public void back(SeatId seat) {
    backNanos.put(seat, timers.nanos());
  }
}
