// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static io.forebay.seat.manager.state.SmallRing.id;
import static io.forebay.seat.manager.state.SmallRing.resting;
import static io.forebay.seat.manager.state.SmallRing.seats;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry.Stay;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Offers;
import io.forebay.seat.manager.state.Result;
import io.forebay.seat.manager.state.SmallRing;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemberPlanTest {
  private static List<Command.OfMembers> quiet(SmallRing ring) {
    return MemberPlan.next(ring.map(), Set.of(), group -> true, group -> true);
  }

  private static List<Command.OfMembers> restless(SmallRing ring) {
    return MemberPlan.next(ring.map(), Set.of(), group -> true, group -> false);
  }

  private static Command.OfMembers add(int origin, int copies, int seat) {
    return new Command.AddMember(id(origin, copies), 7, new SeatId(seat), 1);
  }

  private static Command.OfMembers settle(int origin, int copies, int... members) {
    return new Command.SettleGroup(id(origin, copies), 7, seats(members));
  }

  @Test
  void aGroupThatIsAsItShouldBeIsLeftAlone() {
    SmallRing ring = SmallRing.of(3);
    ring.group(1, 2, current(1), current(2)).group(3, 2, current(3), current(1));
    assertThat(quiet(ring)).isEmpty();
  }

  @Test
  void theNextOneOnTheRingComesInForASeatThatIsGoneOrLeaves() {
    for (Stay stay : List.of(Stay.GONE, Stay.LEAVING)) {
      SmallRing ring = SmallRing.of(4).stay(2, stay).group(1, 2, current(1), current(2));
      assertThat(quiet(ring)).as("%s", stay).containsExactly(add(1, 2, 3));
    }
    // Behind the last one follows the first.
    SmallRing last = SmallRing.of(4).stay(4, Stay.GONE).away(4);
    assertThat(quiet(last.group(3, 2, current(3), behind(4)))).containsExactly(add(3, 2, 1));
  }

  @Test
  void theGroupOfASeatThatHasLeftStillStartsFromItsPlace() {
    SmallRing ring = SmallRing.of(4).stay(2, Stay.LEFT).away(2);
    assertThat(quiet(ring.group(2, 2, current(3), current(4)))).isEmpty();
  }

  @Test
  void aSeatThatIsOnlyAwayIsWaitedFor() {
    SmallRing ring = SmallRing.of(4).away(2).group(1, 2, current(1), behind(2));
    assertThat(quiet(ring)).isEmpty();
  }

  @Test
  void nobodyIsAddedWhoIsAway() {
    SmallRing ring = SmallRing.of(4).stay(2, Stay.GONE).away(2).away(3);
    assertThat(quiet(ring.group(1, 2, current(1), behind(2)))).isEmpty();
  }

  @Test
  void membersAreAddedOneAfterAnother() {
    SmallRing ring = SmallRing.of(6).stay(2, Stay.GONE).stay(3, Stay.GONE);
    ring.group(1, 3, current(1), behind(2), behind(3));
    assertThat(quiet(ring)).containsExactly(add(1, 3, 4));
  }

  @Test
  void nobodyGoesBeforeAllThatShouldBeMembersAreCurrent() {
    SmallRing added = SmallRing.of(4).stay(2, Stay.LEAVING);
    assertThat(quiet(added.group(1, 2, current(1), current(2), behind(3)))).isEmpty();
    SmallRing slow = SmallRing.of(4).stay(2, Stay.LEAVING);
    assertThat(quiet(slow.group(1, 2, current(1), current(2), resting(3)))).isEmpty();
    SmallRing done = SmallRing.of(4).stay(2, Stay.LEAVING);
    assertThat(restless(done.group(1, 2, current(1), current(2), current(3))))
        .containsExactly(settle(1, 2, 1, 3));
  }

  /** The map may not say yet that it misses something: nobody could take its place then. */
  @Test
  void nobodyGoesWhileOneThatShouldBeAMemberIsAway() {
    SmallRing ring = SmallRing.of(4).stay(1, Stay.LEAVING).away(2);
    assertThat(quiet(ring.group(1, 2, current(1), current(2), current(3)))).isEmpty();
    SmallRing order = SmallRing.of(4).away(1);
    assertThat(quiet(order.group(1, 2, current(2), current(1)))).isEmpty();
  }

  @Test
  void theHomeStaysHomeIfItCan() {
    SmallRing ring = SmallRing.of(4).stay(2, Stay.GONE).away(2);
    assertThat(quiet(ring.group(1, 2, current(3), current(1), behind(2))))
        .containsExactly(settle(1, 2, 3, 1));
  }

  @Test
  void ifTheHomeGoesTheFirstThatShouldBeAMemberIsHome() {
    SmallRing ring = SmallRing.of(4).stay(1, Stay.LEAVING);
    assertThat(restless(ring.group(1, 2, current(1), current(3), current(2))))
        .containsExactly(settle(1, 2, 2, 3));
  }

  @Test
  void theOrderIsPutRightOnlyWhenAllIsQuietAndInFewGroupsAtOnce() {
    SmallRing ring = SmallRing.of(4);
    for (int origin = 1; origin <= 4; origin++) {
      int next = (origin % 4) + 1;
      ring.group(origin, 2, current(next), current(origin));
    }
    assertThat(restless(ring)).isEmpty();
    assertThat(quiet(ring)).containsExactly(settle(1, 2, 1, 2), settle(2, 2, 2, 3));
    assertThat(MemberPlan.ORDERED_MAX).isEqualTo(2);
  }

  @Test
  void aGroupWithoutAHomeThatLivesIsLeftAlone() {
    SmallRing ring = SmallRing.of(4).stay(2, Stay.GONE);
    ring.away(1).group(1, 2, current(1), behind(2)).group(3, 2, behind(3), behind(2));
    assertThat(quiet(ring)).isEmpty();
  }

  @Test
  void aGroupOfWhichAChangeIsUnderWayIsLeftAlone() {
    SmallRing ring = SmallRing.of(4).stay(2, Stay.GONE);
    ring.group(1, 2, current(1), current(2)).group(4, 2, current(4), current(2));
    assertThat(MemberPlan.next(ring.map(), Set.of(id(1, 2)), group -> true, group -> true))
        .containsExactly(add(4, 2, 1));
  }

  @Test
  void onlySoManyGroupsAreBroughtUpToDateAtOnce() {
    SmallRing ring = SmallRing.of(4).stay(4, Stay.GONE);
    int groups = 0;
    for (int copies = 2; copies <= 3; copies++) {
      for (int origin = 1; origin <= 3; origin++) {
        ring.group(origin, copies, members(origin, copies));
        groups++;
      }
    }
    assertThat(quiet(ring)).as("fewer than the bound").hasSize(groups);

    SmallRing large = SmallRing.of(40).stay(20, Stay.GONE);
    for (int origin = 1; origin <= 39; origin++) large.group(origin, 2, current(20));
    for (int origin = 1; origin <= 39; origin++) large.group(origin, 3, current(20));
    assertThat(quiet(large)).as("as many as there are seats").hasSize(40);
  }

  private static Group.Member[] members(int origin, int copies) {
    Group.Member[] members = new Group.Member[copies];
    members[0] = current(origin);
    // In place of one that should be there is the one that is gone.
    for (int i = 1; i < copies - 1; i++) members[i] = current(((origin + i - 1) % 3) + 1);
    members[copies - 1] = current(4);
    return members;
  }

  @Test
  void groupsThatAreStuckStandInNobodysWay() {
    SmallRing ring = SmallRing.of(18).stay(18, Stay.GONE);
    for (int origin = 1; origin <= 18; origin++) ring.group(origin, 2, current(17), behind(16));
    ring.group(1, 3, current(17));
    assertThat(quiet(ring)).as("they are at it").noneMatch(MemberPlanTest::isOfThree);
    assertThat(MemberPlan.next(ring.map(), Set.of(), group -> false, group -> true))
        .as("they were asked long ago")
        .hasSize(18);
  }

  private static boolean isOfThree(Command.OfMembers command) {
    return command instanceof Command.AddMember add && add.group().copies() == 3;
  }

  @Test
  void withTooFewSeatsNobodyGoesThatAnInstanceNeeds() {
    SmallRing away = SmallRing.of(2).stay(2, Stay.GONE).away(2).instance(2, false);
    assertThat(quiet(away.group(1, 2, current(1), behind(2)))).isEmpty();
    SmallRing leaves = SmallRing.of(2).stay(2, Stay.LEAVING).instance(2, false);
    assertThat(quiet(leaves.group(1, 2, current(1), current(2)))).isEmpty();
  }

  @Test
  void withTooFewSeatsOneMayLeaveThatNoInstanceNeeds() {
    SmallRing ring = SmallRing.of(2).stay(2, Stay.LEAVING).instance(2, true).instance(1, false);
    assertThat(quiet(ring.group(1, 2, current(1), current(2)))).containsExactly(settle(1, 2, 1));
    SmallRing gone = SmallRing.of(2).stay(2, Stay.GONE).away(2).instance(2, true);
    assertThat(quiet(gone.group(1, 2, current(1), behind(2)))).as("it may be back").isEmpty();
  }

  @Test
  void aSeatHasLeftWhenItIsInNoGroup() {
    SmallRing ring = SmallRing.of(3).stay(3, Stay.LEAVING).instance(2, false);
    ring.group(1, 2, current(1), current(2));
    assertThat(quiet(ring)).containsExactly(new Command.SeatLeft(new SeatId(3)));
    ring.group(2, 2, current(2), current(1), behind(3));
    assertThat(quiet(ring)).containsExactly(settle(2, 2, 2, 1));
  }

  /** Applies what is planned until nothing is left to do, bringing members up to date at once. */
  @Test
  void fromAnyMembersItComesToThoseThatShouldBe() {
    ManagerState state = new ManagerState();
    state.apply(new Command.BeginTerm(1, 9));
    state.apply(new Command.FormRing(Offers.arrivals(5, 1), 3));
    state.apply(new Command.LeaveRing("s2"));
    state.apply(new Command.JoinRing(Offers.arrival(9, 1, 1), new SeatId(4)));
    int steps = 0;
    List<Command.OfMembers> plan = next(state);
    while (!plan.isEmpty() && steps++ < 100) {
      for (Command.OfMembers command : plan) {
        assertThat(state.apply(command)).isInstanceOf(Result.Done.class);
      }
      for (Group group : state.map().groups()) makeAllCurrent(state, group);
      plan = next(state);
    }
    assertThat(plan).isEmpty();
    assertThat(state.map().seat(new SeatId(2)).stay()).isEqualTo(Stay.LEFT);
    for (Group group : state.map().groups()) {
      assertThat(group.members()).hasSize(3).allMatch(Group.Member::current);
      assertThat(group.indexOf(new SeatId(2))).isNegative();
    }
    assertThat(state.map().group(id(2, 3)).home()).isEqualTo(new SeatId(3));
    assertThat(state.map().group(id(4, 3)).members().stream().map(Group.Member::seat))
        .containsExactlyElementsOf(seats(4, 6, 5));
  }

  private static List<Command.OfMembers> next(ManagerState state) {
    return MemberPlan.next(state.map(), Set.of(), group -> true, group -> true);
  }

  private static void makeAllCurrent(ManagerState state, Group group) {
    long epoch = group.epoch();
    for (Group.Member member : group.members()) {
      if (member.current()) continue;
      state.apply(
          new Command.MakeCurrent(group.id(), epoch++, member.seat(), member.incarnation()));
    }
  }
}
