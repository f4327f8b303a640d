// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Allocation;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.Tenancy;
import io.forebay.ring.ended.EndedInstances;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Maps as tests want them: a ring of seats, each on a server of its own, and any groups. */
public final class SmallRing {
  private final List<SeatEntry> seats = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private final List<Instance> instances = new ArrayList<>();
  private EndedInstances ended = EndedInstances.NONE;

  /** Seats 1 to that number, all of them here, on servers s1 and so on. */
  public static SmallRing of(int seats) {
    SmallRing ring = new SmallRing();
    for (int number = 1; number <= seats; number++) {
      ring.seats.add(Memberships.entry(new SeatId(number), Offers.arrival(number, 1, 1)));
    }
    return ring;
  }

  public SmallRing stay(int number, SeatEntry.Stay stay) {
    seats.replaceAll(seat -> seat.id().number() == number ? seat.withStay(stay) : seat);
    return this;
  }

  public SmallRing away(int number) {
    seats.replaceAll(seat -> seat.id().number() == number ? seat.withAway(true) : seat);
    return this;
  }

  public SmallRing group(int origin, int copies, Group.Member... members) {
    groups.add(new Group(id(origin, copies), 7, List.of(members)));
    return this;
  }

  /** The next instance; one that is destroyed is only in the list of those that have ended. */
  public SmallRing instance(int copies, boolean destroyed) {
    return instance(copies, destroyed, DrainSpec.NONE);
  }

  public SmallRing instance(int copies, boolean destroyed, DrainSpec drain) {
    int number = instances.size() + (int) ended.count() + 1;
    if (destroyed) {
      ended = ended.with(number);
      return this;
    }
    instances.add(
        new Instance(
            number,
            "i" + number,
            0,
            0,
            Instance.Lifetime.PERSISTENT,
            Instance.Access.SHARED,
            0,
            copies,
            false,
            Instance.WhenDegraded.CONTINUE,
            new PlacementSpec(PlacementSpec.Kind.KETAMA, 1 << 20, 0),
            seats.stream().map(SeatEntry::id).toList(),
            id(1, copies),
            drain,
            "",
            Tenancy.OPEN,
            Allocation.NONE));
    return this;
  }

  public RingMap map() {
    return new RingMap(1, 1, 1, seats, groups, instances, ended, List.of());
  }

  public static GroupId id(int origin, int copies) {
    return GroupId.of(new SeatId(origin), copies);
  }

  public static Group.Member current(int seat) {
    return new Group.Member(new SeatId(seat), 1, true);
  }

  /** A member that is being brought up to date. */
  public static Group.Member behind(int seat) {
    return new Group.Member(new SeatId(seat), 1, false);
  }

  public static Group.Member resting(int seat) {
    return new Group.Member(new SeatId(seat), 1, false, true);
  }

  public static List<SeatId> seats(int... numbers) {
    return Arrays.stream(numbers).mapToObj(SeatId::new).toList();
  }
}
