// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static io.forebay.seat.manager.state.SmallRing.id;
import static io.forebay.seat.manager.state.SmallRing.seats;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry.Stay;
import io.forebay.wire.message.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberRulesTest {
  private static final GroupId GROUP = id(1, 2);
  private static final long EPOCH = 7;

  private static SmallRing ring(Group.Member... members) {
    return SmallRing.of(4).group(1, 2, members);
  }

  private static ErrorCode codeOf(Result.Refused refused) {
    assertThat(refused).isNotNull();
    return refused.code();
  }

  private static Result.Refused add(SmallRing ring, long epoch, int seat, long incarnation) {
    return MemberRules.checkAdd(
        ring.map(), new Command.AddMember(GROUP, epoch, new SeatId(seat), incarnation));
  }

  private static Result.Refused settle(SmallRing ring, long epoch, int... members) {
    return MemberRules.checkSettle(
        ring.map(), new Command.SettleGroup(GROUP, epoch, seats(members)));
  }

  private static Result.Refused bypass(SmallRing ring, long epoch, int seat) {
    return MemberRules.checkBypass(
        ring.map(), new Command.BypassMember(GROUP, epoch, new SeatId(seat), 1));
  }

  @Test
  void aChangeIsMadeOnlyInTheEpochThatItsProposerKnew() {
    SmallRing ring = ring(current(1), current(2));
    for (long epoch : new long[] {EPOCH - 1, EPOCH + 1}) {
      assertThat(codeOf(add(ring, epoch, 3, 1))).isEqualTo(ErrorCode.STALE_EPOCH);
      assertThat(codeOf(settle(ring, epoch, 2, 1))).isEqualTo(ErrorCode.STALE_EPOCH);
      assertThat(codeOf(bypass(ring, epoch, 2))).isEqualTo(ErrorCode.STALE_EPOCH);
      assertThat(codeOf(MemberRules.checkMember(ring.map(), GROUP, epoch, new SeatId(2), 1)))
          .isEqualTo(ErrorCode.STALE_EPOCH);
    }
    assertThat(codeOf(MemberRules.checkEpoch(ring.map(), id(3, 2), EPOCH)))
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(add(ring, EPOCH, 3, 1)).isNull();
    assertThat(settle(ring, EPOCH, 2, 1)).isNull();
    assertThat(bypass(ring, EPOCH, 2)).isNull();
  }

  @Test
  void everyChangeRaisesTheEpochSoThatItIsMadeOnce() {
    ManagerState state = new ManagerState();
    state.apply(new Command.BeginTerm(1, 9));
    state.apply(new Command.FormRing(Offers.arrivals(3, 1), 2));
    Command add = new Command.AddMember(GROUP, 1, new SeatId(3), 1);
    assertThat(state.apply(add)).isInstanceOf(Result.Done.class);
    assertThat(state.apply(add)).isInstanceOf(Result.Refused.class);
    Command settle = new Command.SettleGroup(GROUP, 2, seats(2, 1));
    assertThat(state.apply(settle)).isInstanceOf(Result.Done.class);
    assertThat(state.apply(settle)).isInstanceOf(Result.Refused.class);
    assertThat(state.map().group(GROUP))
        .isEqualTo(new Group(GROUP, 3, List.of(current(2), current(1))));
  }

  @Test
  void whoComesInIsHereInThatIncarnationAndNotInYet() {
    SmallRing ring = ring(current(1), behind(2));
    assertThat(codeOf(add(ring, EPOCH, 2, 1))).as("is in").isEqualTo(ErrorCode.INVALID);
    assertThat(codeOf(add(ring, EPOCH, 3, 2))).as("another").isEqualTo(ErrorCode.INVALID);
    assertThat(codeOf(add(ring, EPOCH, 9, 1))).as("unknown").isEqualTo(ErrorCode.INVALID);
    for (Stay stay : List.of(Stay.GONE, Stay.LEAVING, Stay.LEFT)) {
      SmallRing gone = ring(current(1), behind(2)).stay(3, stay);
      assertThat(codeOf(add(gone, EPOCH, 3, 1))).as("%s", stay).isEqualTo(ErrorCode.INVALID);
    }
  }

  @Test
  void aGroupHasABoundedNumberOfMembers() {
    Group.Member[] many = new Group.Member[MemberRules.MEMBERS_MAX];
    for (int i = 0; i < many.length; i++) many[i] = current(i + 1);
    SmallRing full = SmallRing.of(many.length + 1).group(1, 2, many);
    assertThat(codeOf(add(full, EPOCH, many.length + 1, 1))).isEqualTo(ErrorCode.INVALID);
  }

  @Test
  void aGroupSettlesOnlyWithMembersAndWithAHomeThatHoldsEverything() {
    SmallRing ring = ring(current(1), current(2), behind(3));
    assertThat(codeOf(settle(ring, EPOCH))).isEqualTo(ErrorCode.INVALID);
    assertThat(codeOf(settle(ring, EPOCH, 3, 1))).isEqualTo(ErrorCode.INVALID);
    assertThat(codeOf(settle(ring, EPOCH, 1, 4))).isEqualTo(ErrorCode.INVALID);
    assertThat(codeOf(settle(ring, EPOCH, 1, 1))).isEqualTo(ErrorCode.INVALID);
    assertThat(settle(ring, EPOCH, 2, 3)).isNull();
    Group group = ring.map().group(GROUP);
    assertThat(MemberRules.settled(group, seats(2, 3)))
        .isEqualTo(new Group(GROUP, EPOCH + 1, List.of(current(2), behind(3))));
  }

  @Test
  void aMemberIsPassedByOnlyIfAnotherThatLivesHoldsEverything() {
    assertThat(codeOf(bypass(ring(current(1), current(2)), EPOCH, 1)))
        .as("the home")
        .isEqualTo(ErrorCode.INVALID);
    assertThat(codeOf(bypass(ring(current(1), current(2)).away(1), EPOCH, 2)))
        .as("nobody else lives")
        .isEqualTo(ErrorCode.INVALID);
    assertThat(codeOf(bypass(ring(behind(1), current(2)), EPOCH, 2)))
        .as("nobody else has all")
        .isEqualTo(ErrorCode.INVALID);
    assertThat(codeOf(bypass(ring(current(1)), EPOCH, 2)))
        .as("no member")
        .isEqualTo(ErrorCode.STALE_EPOCH);
  }

  @Test
  void whoRestsIsBehindAllOthersAndGoesOnOnlyOnce() {
    RingMap map = ring(current(1), current(2), current(3)).map();
    SeatId seat = new SeatId(2);
    Group.Held all = new Group.Held(Group.Held.What.ALL, map.epoch());
    Group rests = MemberRules.resting(map.group(GROUP), seat, map);
    assertThat(rests.members())
        .containsExactly(current(1), current(3), new Group.Member(seat, 1, false, true, all));
    Group resumed = MemberRules.rested(rests, seat);
    Group.Member behind = new Group.Member(seat, 1, false, false, all);
    assertThat(resumed)
        .isEqualTo(new Group(GROUP, EPOCH + 2, List.of(current(1), current(3), behind)));
    assertThat(MemberRules.rested(resumed, seat)).isSameAs(resumed);
    assertThat(MemberRules.rested(resumed, new SeatId(1))).isSameAs(resumed);
  }

  @Test
  void whoIsMadeCurrentComesBehindThoseThatAre() {
    Group group = ring(current(1), behind(2), behind(3)).map().group(GROUP);
    assertThat(MemberRules.withCurrent(group, new SeatId(3)).members())
        .containsExactly(current(1), current(3), behind(2));
    assertThat(MemberRules.withMember(group, new Command.AddMember(GROUP, 7, new SeatId(4), 1)))
        .isEqualTo(
            new Group(GROUP, EPOCH + 1, List.of(current(1), behind(2), behind(3), behind(4))));
  }

  @Test
  void aServerLeavesOnlyIfAsManyStayAsInstancesKeepCopies() {
    SmallRing ring = SmallRing.of(3).instance(2, false);
    assertThat(leave(ring, "s1")).isNull();
    ring.stay(1, Stay.LEAVING);
    assertThat(leave(ring, "s1")).as("asked again").isNull();
    Result.Refused tooFew = leave(ring, "s2");
    assertThat(codeOf(tooFew)).isEqualTo(ErrorCode.INVALID);
    assertThat(tooFew.sentence()).contains("1 server left", "i1", "2 copies");
    assertThat(codeOf(leave(ring, "s9"))).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void serversThatAreGoneDoNotCountForOneThatLeaves() {
    SmallRing ring = SmallRing.of(3).stay(3, Stay.GONE).away(3).instance(2, false);
    assertThat(codeOf(leave(ring, "s1"))).isEqualTo(ErrorCode.INVALID);
    assertThat(leave(ring, "s3")).as("it is missed by nobody").isNull();
  }

  @Test
  void theLastServerStaysAndInstancesThatAreNoMoreNeedNone() {
    SmallRing ring = SmallRing.of(2).instance(2, true).instance(1, false);
    assertThat(leave(ring, "s1")).isNull();
    ring.stay(1, Stay.LEAVING);
    assertThat(codeOf(leave(ring, "s2"))).isEqualTo(ErrorCode.INVALID);
  }

  private static Result.Refused leave(SmallRing ring, String server) {
    return MemberRules.checkLeave(ring.map(), server);
  }
}
