// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.base.RecordId;
import io.forebay.ring.Group;
import io.forebay.seat.put.HomePuts;
import io.forebay.wire.message.Data;
import java.util.ArrayList;
import java.util.List;

/**
 * The home repairs every member that is not current: after a loss of data, or an absence. It does
 * so in the background, and all of it belongs to one epoch: in the next one it starts again, which
 * costs little if the member has most records already.
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

  /** A record has come to this seat: members that have not confirmed it must get it. */
  @Override
  public void owe(RecordId record, boolean forced) {
    for (MemberRepair member : members) member.owe(record, forced);
  }

  /** Records were deleted, here and on the members; copies may still be in flight. */
  public void killed(List<Data.Dead> dead) {
    for (MemberRepair member : members) member.killed(dead);
  }

  public void confirmed(Data.Confirm confirm) {
    for (MemberRepair member : members) {
      if (member.seat().equals(confirm.member())) member.confirmed(confirm);
    }
  }

  /** The bytes that all these members shall have, as far as known by now. */
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
