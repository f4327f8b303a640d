// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static io.forebay.seat.manager.state.SmallRing.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.Tenancy;
import io.forebay.wire.message.Maps;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who goes on in a group when members come back without what they had in memory. */
class LossRulesTest {
  private static final GroupId GROUP = id(1, 2);

  private final ManagerState state = new ManagerState();
  private final long[] incarnations = {0, 1, 1, 1};

  private void form() {
    state.apply(new Command.BeginTerm(1, 9));
    state.apply(new Command.FormRing(Offers.arrivals(3, 1), 2));
  }

  private void makeInstance(String name, boolean forced) {
    state.apply(
        new Command.CreateInstance(
            Offers.op(),
            name,
            1000,
            100,
            Instance.Lifetime.PERSISTENT,
            Instance.Access.SHARED,
            0,
            2,
            forced,
            Instance.WhenDegraded.CONTINUE,
            new PlacementSpec(PlacementSpec.Kind.KETAMA, 1 << 20, 0),
            DrainSpec.NONE,
            "",
            Tenancy.OPEN,
            ""));
  }

  /** The seat is back without its memory; says what people are warned of. */
  private List<String> lose(int seat, long followed) {
    Maps.SeatOffer was = Offers.seat(seat, 1, ++incarnations[seat]);
    Maps.SeatOffer offer =
        new Maps.SeatOffer(
            was.logHigh(),
            was.logLow(),
            was.incarnation(),
            was.start(),
            was.addresses(),
            was.memoryBytes(),
            was.ssdBytes(),
            was.weight(),
            followed,
            was.pool(),
            was.keepsBytes(),
            was.forcedBytes());
    Command.Arrival arrival = new Command.Arrival("s" + seat, "host" + seat, offer);
    return ((Result.Done) state.apply(new Command.SeatReturned(arrival))).warnings();
  }

  private void silent(int seat) {
    SeatEntry entry = state.map().seat(new SeatId(seat));
    state.apply(new Command.SeatSilent(entry.id(), entry.start(), entry.incarnation(), List.of()));
  }

  private Group group() {
    return state.map().group(GROUP);
  }

  private List<Integer> current() {
    return group().members().stream()
        .filter(Group.Member::current)
        .map(member -> member.seat().number())
        .toList();
  }

  @Test
  void theLastOneThatWasCurrentGoesOnWithWhatWasForced() {
    form();
    makeInstance("f", true);
    long epoch = state.epoch();
    assertThat(lose(1, epoch)).isEmpty();
    assertThat(current()).containsExactly(2);
    assertThat(group().restoration()).isEqualTo(Group.Restoration.NEVER);
    assertThat(lose(2, epoch)).as("nothing is missing").isEmpty();
    assertThat(current()).containsExactly(2);
    assertThat(group().home()).isEqualTo(new SeatId(2));
    assertThat(group().member(new SeatId(2)).incarnation()).isEqualTo(2);
    assertThat(group().restoration()).isEqualTo(new Group.Restoration(group().epoch(), 2));
    assertThat(group().mayLack(state.map().instance("f"))).isFalse();
  }

  @Test
  void whatWasNotForcedMayBeMissingAndIsSaidToBe() throws MalformedFields {
    form();
    makeInstance("r", false);
    makeInstance("f", true);
    lose(1, state.epoch());
    assertThat(lose(2, state.epoch()))
        .anyMatch(warning -> warning.contains(GROUP + " goes on with what seat 2 had forced"));
    makeInstance("later", false);
    assertThat(group().mayLack(state.map().instance("r"))).isTrue();
    assertThat(group().mayLack(state.map().instance("f"))).isFalse();
    assertThat(group().mayLack(state.map().instance("later"))).isFalse();
    state.apply(new Command.MakeCurrent(GROUP, group().epoch(), new SeatId(1), 2));
    assertThat(group().mayLack(state.map().instance("r"))).as("still").isTrue();
    ManagerState again = new ManagerState();
    again.restore(state.snapshot());
    assertThat(again.map().groups()).isEqualTo(state.map().groups());
  }

  @Test
  void whoCannotTellWhatItFollowedMayLackWhatWasForced() {
    form();
    lose(1, 0);
    assertThat(lose(2, 0)).anyMatch(warning -> warning.contains(GROUP + " is unavailable"));
    assertThat(current()).isEmpty();
    assertThat(lose(2, state.epoch())).isNotEmpty();
    assertThat(current()).as("nor does it know later").isEmpty();
  }

  @Test
  void oneThatLosesItsMemoryOnceMoreStillHasWhatWasForced() {
    form();
    lose(1, state.epoch());
    lose(2, state.epoch());
    long epoch = group().epoch();
    lose(2, state.epoch());
    assertThat(current()).containsExactly(2);
    assertThat(group().restoration().epoch()).isGreaterThan(epoch);
  }

  @Test
  void whoWasLeftOutByAMapThatTheLastOneNeverFollowedHoldsEverything() {
    form();
    makeInstance("r", false);
    long followed = state.epoch();
    silent(1);
    assertThat(current()).containsExactly(2);
    assertThat(lose(2, followed)).isEmpty();
    assertThat(current()).containsExactly(1);
    assertThat(group().restoration()).isEqualTo(Group.Restoration.NEVER);
    lose(1, followed);
    assertThat(current()).as("all of them have lost it now").containsExactly(1);
    assertThat(group().restoration().epoch()).isEqualTo(group().epoch());
  }

  @Test
  void whoWasLeftOutForLongerLacksSomethingAndTheGroupWaitsForIt() {
    form();
    makeInstance("r", false);
    silent(1);
    assertThat(lose(2, state.epoch()))
        .anyMatch(warning -> warning.contains(GROUP + " is unavailable"));
    assertThat(current()).isEmpty();
    assertThat(lose(1, state.epoch())).anyMatch(warning -> warning.contains("seat 2 had forced"));
    assertThat(current()).as("it has lost it, too").containsExactly(2);
  }

  @Test
  void whereAllIsForcedNobodyIsWaitedFor() {
    form();
    makeInstance("f", true);
    silent(1);
    assertThat(lose(2, state.epoch())).isEmpty();
    assertThat(current()).containsExactly(2);
  }

  private Command.ReviveGroup revival(int seat) {
    SeatEntry entry = state.map().seat(new SeatId(seat));
    return new Command.ReviveGroup(GROUP, group().epoch(), entry.id(), entry.incarnation());
  }

  @Test
  void anOperatorLetsAGroupGoOnOfWhichNobodyHoldsEverything() {
    form();
    makeInstance("m", false);
    lose(1, 0);
    assertThat(state.apply(revival(2))).as("seat 2 is current").isInstanceOf(Result.Refused.class);
    assertThat(lose(2, 0)).as("it waits").anyMatch(warning -> warning.contains("unavailable"));
    assertThat(current()).isEmpty();
    Command.ReviveGroup late = revival(1);
    assertThat(state.apply(revival(1))).isInstanceOf(Result.Done.class);
    assertThat(current()).containsExactly(1);
    assertThat(group().home().number()).isEqualTo(1);
    assertThat(group().restoration().epoch()).isEqualTo(group().epoch());
    assertThat(group().mayLack(state.map().instance("m"))).isTrue();
    assertThat(state.apply(late)).as("once is enough").isInstanceOf(Result.Refused.class);
  }

  @Test
  void aMemberThatIsAwayIsNotRevived() {
    form();
    lose(1, 0);
    lose(2, 0);
    silent(1);
    assertThat(state.apply(revival(1))).isInstanceOf(Result.Refused.class);
    assertThat(current()).isEmpty();
  }
}
