// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.group;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.seat.journal.GroupJournal;
import io.forebay.seat.journal.MemberJournal;
import io.forebay.seat.lease.Promise;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.Self;
import io.forebay.seat.put.CopySender;
import io.forebay.seat.put.MemberCopies;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Statuses;
import org.jspecify.annotations.Nullable;

/**
 * One group that this seat is a member of, in the epoch that it has entered, as home or as another
 * member.
 */
public final class GroupSeat {
  private static final ProtocolTimes.Lease TIMES = ProtocolTimes.DEFAULT.lease();

  /** How often this seat repeats to the manager that it gives up its place. */
  private static final long TELL_NANOS = 1_000_000_000L;

  private final GroupParts parts;
  private final Self seat;
  private final Timers timers;
  private final GroupId id;
  private final GroupJournal journal;
  private final long leftEpoch;
  private @Nullable Group entered;
  private @Nullable Group coming;
  private @Nullable GroupHome home;
  private @Nullable MemberJournal memberJournal;
  private @Nullable MemberCopies copies;

  /** The last one, or null if there is none. */
  private @Nullable Promise promise;

  /** The epoch in which this seat cannot be current any more, or 0. */
  private long givenUpEpoch;

  private String givenUpBecause = "";
  private long tellNanos;

  /**
   * A group of this seat, in no epoch yet.
   *
   * @param before the group as the process before this one knew it, or null
   * @param toAnother whether that process may have granted a lease to a home before that one
   */
  GroupSeat(GroupParts parts, GroupId id, @Nullable Group before, boolean toAnother) {
    Basics basics = parts.basics();
    this.parts = parts;
    this.seat = basics.self();
    this.timers = basics.timers();
    this.id = id;
    this.journal = new GroupJournal(basics.store(), id);
    // The process before may have granted a lease: its promise binds this one.
    SeatId home = toAnother || before == null ? null : before.home();
    long untilNanos = seat.startedNanos() + TIMES.promiseNanos();
    this.promise = toAnother || before != null ? new Promise(home, untilNanos) : null;
    this.leftEpoch = before == null ? 0 : before.epoch();
  }

  /** The last one, or null if there is none; it binds this seat even after it left the group. */
  @Nullable Promise promise() {
    return promise;
  }

  /** Takes over the promise from before this seat left the group and came back. */
  void keep(Promise before) {
    long now = timers.nanos();
    if (promise != null) promise = promise.and(before, now);
    else if (before.holds(now)) promise = before;
  }

  GroupId id() {
    return id;
  }

  /** The epoch this seat is in, or 0 before the first. */
  public long epoch() {
    return entered == null ? 0 : entered.epoch();
  }

  /** This seat as the group's home, or null. */
  public @Nullable GroupHome home() {
    return home;
  }

  /** This seat as a member behind the home, or null. */
  public @Nullable MemberJournal memberJournal() {
    return memberJournal;
  }

  public @Nullable MemberCopies copies() {
    return copies;
  }

  public @Nullable Group group() {
    return entered;
  }

  /** Whether a lease may have been granted to another than the home that the group has next. */
  boolean mayHavePromisedAgainst(@Nullable SeatId next) {
    if (entered != null) return !entered.home().equals(next);
    return promise != null && promise.isAgainst(next);
  }

  /** The map has a newer epoch: it is entered once no promise stands against it. */
  void follow(Group newer) {
    if (newer.epoch() <= epoch() || wasLeft(newer.epoch())) return;
    coming = newer;
    tryEnter();
  }

  /**
   * The seat enters no epoch that its previous process may have been in (P12): the manager raises
   * the epoch as soon as it knows this process, but other changes of the map may come first.
   */
  @Rule("P12")
  private boolean wasLeft(long epoch) {
    return epoch <= leftEpoch;
  }

  private void tryEnter() {
    Group newer = coming;
    if (newer == null || newer.epoch() <= epoch()) return;
    long now = timers.nanos();
    Promise open = promise;
    if (open != null && isPromisedToAnother(newer, now)) {
      timers.after(open.untilNanos() - now, this::tryEnter);
      return;
    }
    coming = null;
    enter(newer);
  }

  /**
   * A member that granted a lease enters no epoch with another home before it has run out (P13). A
   * home that stays the home ends its own leases as it enters: it need not be waited for.
   */
  @Rule("P13")
  private boolean isPromisedToAnother(Group newer, long now) {
    return promise != null && promise.isAgainst(newer.home()) && promise.holds(now);
  }

  private void enter(Group newer) {
    entered = newer;
    GroupHome before = home;
    home = null;
    int place = newer.indexOf(seat.id());
    boolean self = place >= 0 && newer.members().get(place).incarnation() == seat.incarnation();
    boolean current = self && newer.members().get(place).current();
    memberJournal = self && place > 0 ? new MemberJournal(parts.basics(), newer, journal) : null;
    copies = self && place > 0 ? new MemberCopies(parts.puts(), newer) : null;
    if (current && place == 0) {
      home = new GroupHome(parts, newer, journal);
      if (before != null) home.adopt(before);
      home.start();
    } else if (before != null) {
      before.stop();
    }
    dialMembers(newer, place);
    parts.entered().run();
  }

  /** Connects ahead, so that the first write need not wait for it. */
  private void dialMembers(Group group, int place) {
    if (place < 0) return;
    for (Group.Member member : group.members()) {
      boolean wanted = place == 0 || member.seat().equals(group.home());
      if (wanted && !member.seat().equals(seat.id())) {
        parts.links().peers().reachable(member.seat(), Lane.CONTROL);
      }
    }
    Group.Member next = CopySender.nextCurrent(group, seat.id());
    if (next != null) parts.links().peers().reachable(next.seat(), Lane.INGEST);
  }

  /** The group has no place for this seat any more. */
  public void leave() {
    if (home != null) home.stop();
    home = null;
    memberJournal = null;
    copies = null;
  }

  public void grant(Connection connection, long request, Maps.Lease message) {
    Group group = entered;
    // A newer epoch is known already: no promises are made in the old one.
    if (group == null || coming != null || !group.home().equals(message.home())) return;
    promise = new Promise(group.home(), timers.nanos() + TIMES.promiseNanos());
    connection.send(
        request,
        new Maps.LeaseGranted(
            id, message.epoch(), seat.id(), message.sentNanos(), TIMES.lengthNanos()));
  }

  /**
   * This seat could not keep what it should: it gives up its place as a current member, so that
   * another one becomes home, or the home no longer waits for it (P20). Repair brings it back.
   */
  void giveUp(String reason) {
    Group group = entered;
    int place = group == null ? -1 : group.indexOf(seat.id());
    if (group == null || place < 0 || !group.members().get(place).current()) return;
    if (givenUpEpoch == group.epoch()) return;
    givenUpEpoch = group.epoch();
    givenUpBecause = reason;
    parts.basics().events().warned(id + " needs another member for " + seat.id() + ": " + reason);
    tellNanos = timers.nanos();
  }

  private void maybeTell() {
    Group group = entered;
    boolean due = group != null && givenUpEpoch == group.epoch() && tellNanos - timers.nanos() <= 0;
    if (!due || group == null || coming != null) return;
    tellNanos = timers.nanos() + TELL_NANOS;
    parts
        .links()
        .manager()
        .ask(
            new Maps.MemberFailed(id, group.epoch(), seat.id(), seat.incarnation(), givenUpBecause),
            TELL_NANOS,
            reply -> {});
  }

  public void peerUp(SeatId peer, Lane lane) {
    if (home != null) home.peerUp(peer, lane);
    if (copies != null) copies.peerUp(peer, lane);
  }

  public void poll() {
    if (home != null) home.poll();
  }

  public void tick() {
    maybeTell();
    if (home != null) home.tick();
  }

  private String following() {
    Group group = entered;
    return group != null && group.currentMembers() == 0 ? "unavailable" : "following";
  }

  public Statuses.GroupStatus status() {
    GroupHome serving = home;
    String role = serving != null ? "home" : memberJournal != null ? "member" : "none";
    String state =
        coming != null
            ? "waiting for a lease to end"
            : serving != null ? serving.stage() : following();
    Group group = entered;
    boolean waits = group != null && group.currentMembers() == 0;
    // Looks at every entry, so only when an operator has to choose a member by it.
    long usable = waits ? journal.usableLast() : 0;
    return new Statuses.GroupStatus(
        id,
        epoch(),
        role,
        state,
        journal.first(),
        journal.last(),
        serving == null ? 0 : serving.leaseNanos(),
        serving == null ? 0 : serving.sessions(),
        serving == null ? 0 : serving.putsUnderWay(),
        serving == null ? 0 : serving.repair().totalBytes(),
        serving == null ? 0 : serving.repair().doneBytes(),
        usable,
        usable == 0 ? 0 : journal.epochAt(usable));
  }
}
