package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
   * @param resting whether it is not to be brought up to date for a while, since it was too slow
   */
  public record Member(SeatId seat, long incarnation, boolean current, boolean resting) {
    public Member {
      if (current && resting) throw new IllegalArgumentException(seat + " cannot rest");
    }

    /** A member that does not rest. */
    public Member(SeatId seat, long incarnation, boolean current) {
      this(seat, incarnation, current, false);
    }
  }

  public Group {
    members = List.copyOf(members);
    if (members.isEmpty()) throw new IllegalArgumentException(id + " has no members");
  }

  public SeatId home() {
    return members.get(0).seat();
  }

  /** The member of that seat, or null. */
  public @Nullable Member member(SeatId seat) {
    int place = indexOf(seat);
    return place < 0 ? null : members.get(place);
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
