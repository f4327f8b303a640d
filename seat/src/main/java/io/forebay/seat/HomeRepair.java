package io.forebay.seat;

import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.wire.message.Data;
import java.util.ArrayList;
import java.util.List;

/**
 * The home brings every member up to date that is not current: after a loss of what it held, or an
 * absence. It does so in the background, and everything of it belongs to one epoch: in the next one
 * it begins again, which costs little where the member has most already.
 */
final class HomeRepair {
  private final List<MemberRepair> members = new ArrayList<>();

  HomeRepair(Seat seat, GroupHome home) {
    Group group = home.group();
    for (Group.Member member : group.members()) {
      boolean self = member.seat().equals(seat.id());
      boolean wanted = !member.current() && !member.resting();
      if (wanted && !self) members.add(new MemberRepair(seat, home, member));
    }
  }

  /** A record has come to this seat: those that have not confirmed it must get it. */
  void owe(RecordId record, boolean forced) {
    for (MemberRepair member : members) member.owe(record, forced);
  }

  /** Records were dropped, here and wherever they are by now; they may be on their way still. */
  void killed(List<Data.Dead> dead) {
    for (MemberRepair member : members) member.killed(dead);
  }

  void confirmed(Data.Confirm confirm) {
    for (MemberRepair member : members) {
      if (member.seat().equals(confirm.member())) member.confirmed(confirm);
    }
  }

  /** What all these members shall have, as far as it is known by now. */
  long totalBytes() {
    return members.stream().mapToLong(MemberRepair::totalBytes).sum();
  }

  long doneBytes() {
    return members.stream().mapToLong(MemberRepair::doneBytes).sum();
  }

  /** After each round of the loop. */
  void poll() {
    for (MemberRepair member : members) member.poll();
  }

  /** Now and then. */
  void tick() {
    for (MemberRepair member : members) member.tick();
  }
}
