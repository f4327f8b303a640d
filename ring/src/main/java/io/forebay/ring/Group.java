package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;

/**
 * Who holds the records of a group.
 *
 * @param epoch grows with every change of members or of who is current
 * @param members in order; the first is the home
 */
public record Group(GroupId id, long epoch, List<Member> members) {
  /**
   * A seat in one of its incarnations.
   *
   * @param current whether it holds everything acknowledged
   */
  public record Member(SeatId seat, long incarnation, boolean current) {}

  public Group {
    members = List.copyOf(members);
    if (members.isEmpty()) throw new IllegalArgumentException(id + " has no members");
  }

  public SeatId home() {
    return members.get(0).seat();
  }

  /** How many members hold everything acknowledged. */
  public int currentMembers() {
    int count = 0;
    for (Member member : members) {
      if (member.current()) count++;
    }
    return count;
  }

  /** Whether there are as many current members as copies are to be kept. */
  public boolean isWhole() {
    return currentMembers() >= id.copies();
  }

  /** The seat's place in the order, or -1. */
  public int indexOf(SeatId seat) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).seat().equals(seat)) return i;
    }
    return -1;
  }
}
