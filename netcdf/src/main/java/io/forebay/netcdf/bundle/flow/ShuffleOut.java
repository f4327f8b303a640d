// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sends the members of all groups this rank's parts of their planes: round by round, in each round
 * group by group. Each rank begins with other members, so that not all send to the same one.
 */
final class ShuffleOut implements Part {
  private final Position position;
  private final Elements elements;
  private final SendRing ring;
  private int round;
  private int groupsDone;
  private int membersDone;

  ShuffleOut(Position position, Elements elements, SendRing ring) {
    this.position = position;
    this.elements = elements;
    this.ring = ring;
  }

  @Override
  public boolean advance() {
    boolean any = ring.retire();
    while (round < position.plan().rounds()) {
      if (!sendNext()) return any;
      any = true;
    }
    return any;
  }

  /** Sends the next message, if there is room for it; false if there is none. */
  private boolean sendNext() {
    List<GroupPlan> groups = position.plan().groups();
    GroupPlan group = groups.get(rotated(groupsDone, groups.size()));
    if (round < group.rounds()) {
      int member = rotated(membersDone, group.group().size());
      if (!send(group, member)) return false;
      membersDone++;
      if (membersDone < group.group().size()) return true;
    }
    membersDone = 0;
    groupsDone++;
    if (groupsDone == groups.size()) {
      groupsDone = 0;
      round++;
    }
    return true;
  }

  private int rotated(int number, int count) {
    return (number + position.rank()) % count;
  }

  private boolean send(GroupPlan group, int member) {
    int to = group.group().ranks().get(member);
    // What stays on this rank is packed when it is needed.
    if (to == position.rank()) return true;
    long bytes = group.sentBytes(round, member, position.rank());
    if (bytes == 0) return true;
    MemorySegment message = ring.take(bytes);
    if (message == null) return false;
    Range held = new Range(group, group.firstHeld(round, member), group.endHeld(round, member));
    held.packOwn(elements, position.rank(), message);
    ring.sent(position.ranks().postSend(to, Position.SHUFFLE_TAG, message));
    return true;
  }

  @Override
  public boolean isDone() {
    return round == position.plan().rounds() && ring.isEmpty();
  }

  @Override
  public void pending(List<Operation> operations) {
    ring.pending(operations);
  }
}
