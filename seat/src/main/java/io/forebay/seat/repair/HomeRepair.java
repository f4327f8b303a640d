// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.seat.put.HomePuts;
import io.forebay.wire.message.Data;
import java.util.ArrayList;
import java.util.List;

/**
 * The home brings every member up to date that is not current: after a loss of what it held, or an
 * absence. It does so in the background, and everything of it belongs to one epoch: in the next one
 * it begins again, which costs little where the member has most already.
 */
public final class HomeRepair implements HomePuts.Owed {
  private final List<MemberRepair> members = new ArrayList<>();

  public HomeRepair(RepairParts parts, RepairedHome home) {
    Group group = home.group();
    for (Group.Member member : group.members()) {
      boolean self = member.seat().equals(parts.basics().self().id());
      boolean wanted = !member.current() && !member.resting();
      if (wanted && !self) members.add(new MemberRepair(parts, home, member));
    }
  }

  /** A record has come to this seat: those that have not confirmed it must get it. */
  @Override
  public void owe(RecordId record, boolean forced) {
    for (MemberRepair member : members) member.owe(record, forced);
  }

  /** Records were dropped, here and wherever they are by now; they may be on their way still. */
  public void killed(List<Data.Dead> dead) {
    for (MemberRepair member : members) member.killed(dead);
  }

  public void confirmed(Data.Confirm confirm) {
    for (MemberRepair member : members) {
      if (member.seat().equals(confirm.member())) member.confirmed(confirm);
    }
  }

  /** What all these members shall have, as far as it is known by now. */
  public long totalBytes() {
    return members.stream().mapToLong(MemberRepair::totalBytes).sum();
  }

  public long doneBytes() {
    return members.stream().mapToLong(MemberRepair::doneBytes).sum();
  }

  /** After each round of the loop. */
  public void poll() {
    for (MemberRepair member : members) member.poll();
  }

  /** Now and then. */
  public void tick() {
    for (MemberRepair member : members) member.tick();
  }
}
