// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group.
 *
 * @param epoch grows with every change of members or of their {@code current} flags
 * @param members in order; the first is the home
 * @param restoration when the group last had to continue with forced data only
 */
public record Group(GroupId id, long epoch, List<Member> members, Restoration restoration) {
  /**
   * A seat in one of its incarnations.
   *
   * @param current whether it holds everything acknowledged
   * @param resting whether repair skips it for a while, since it was too slow
   * @param held what it is known to hold, if it is not current
   */
  public record Member(SeatId seat, long incarnation, boolean current, boolean resting, Held held) {
    public Member {
      if (current && resting) throw new IllegalArgumentException(seat + " cannot rest");
      if (current && !held.equals(Held.NOTHING)) {
        throw new IllegalArgumentException(seat + " holds everything");
      }
    }

    /** A member without further information. */
    public Member(SeatId seat, long incarnation, boolean current, boolean resting) {
      this(seat, incarnation, current, resting, Held.NOTHING);
    }

    /** A member that does not rest. */
    public Member(SeatId seat, long incarnation, boolean current) {
      this(seat, incarnation, current, false);
    }
  }

  /**
   * What a member that is not current is known to hold.
   *
   * @param ringEpoch a map's; 0 with nothing
   */
  public record Held(What what, long ringEpoch) {
    /** How much it is. */
    public enum What {
      NOTHING,
      /** Everything acknowledged until the map of that epoch, the last in which it was current. */
      ALL,
      /**
       * Everything forced: it was the last that was current, and lost its memory. It followed no
       * map above that epoch before.
       */
      FORCED
    }

    public static final Held NOTHING = new Held(What.NOTHING, 0);
  }

  /**
   * All current members lost their memory, so one of them continued with what it had forced.
   * Acknowledged data that was not forced may be missing since.
   *
   * @param epoch the group's first epoch after that; 0 if it never happened
   * @param instancesBelow only instances with lower numbers existed before
   */
  public record Restoration(long epoch, int instancesBelow) {
    public static final Restoration NEVER = new Restoration(0, 0);
  }

  /** A group that never lost what its members had in memory. */
  public Group(GroupId id, long epoch, List<Member> members) {
    this(id, epoch, members, Restoration.NEVER);
  }

  public Group {
    members = List.copyOf(members);
    if (members.isEmpty()) throw new IllegalArgumentException(id + " has no members");
  }

  /** The group with these members, in its next epoch. */
  public Group next(List<Member> others) {
    return new Group(id, epoch + 1, others, restoration);
  }

  /** The same group in another epoch. */
  public Group in(long otherEpoch) {
    return new Group(id, otherEpoch, members, restoration);
  }

  /** Whether changes of such an instance may be missing that were acknowledged and not forced. */
  public boolean mayLack(Instance instance) {
    return !instance.forced()
        && instance.copies() == id.copies()
        && instance.id() < restoration.instancesBelow();
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
