// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.Tenancy;
import io.forebay.seat.consensus.SimulatedLog;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ManagerStateTest {
  private static final PlacementSpec KETAMA =
      new PlacementSpec(PlacementSpec.Kind.KETAMA, 1 << 20, 0);

  @Test
  void aRingIsFormedOnce() {
    ManagerState state = formed(3, 2, 2);
    RingMap map = state.map();
    assertThat(map.cluster()).isEqualTo(9);
    assertThat(map.seats()).hasSize(6);
    assertThat(map.seats().getFirst().id()).isEqualTo(new SeatId(1));
    assertThat(map.groups()).hasSize(6).allMatch(group -> group.epoch() == 1);
    assertThat(state.apply(new Command.FormRing(Offers.arrivals(1, 1), 1)))
        .isInstanceOf(Result.Refused.class);
    assertThat(state.map().seats()).hasSize(6);
  }

  @Test
  void everyChangeRaisesTheEpochAndNothingElseDoes() {
    ManagerState state = formed(3, 1, 2);
    long epoch = state.epoch();
    state.apply(new Command.SeatReturned(Offers.arrival(1, 1, 1)));
    assertThat(state.epoch()).as("as before").isEqualTo(epoch);
    state.apply(new Command.AddGroups(2));
    assertThat(state.epoch()).as("there already").isEqualTo(epoch);
    state.apply(new Command.AddGroups(3));
    assertThat(state.epoch()).isGreaterThan(epoch);
    epoch = state.epoch();
    state.apply(create("a", 2));
    assertThat(state.epoch()).isGreaterThan(epoch);
    epoch = state.epoch();
    state.apply(create("a", 2));
    assertThat(state.epoch()).as("exists").isEqualTo(epoch);
    state.apply(new Command.DestroyInstance(Offers.op(), 1, Identity.ROOT));
    assertThat(state.epoch()).isGreaterThan(epoch);
    epoch = state.epoch();
    state.apply(new Command.DestroyInstance(Offers.op(), 1, Identity.ROOT));
    assertThat(state.epoch()).as("gone").isEqualTo(epoch);
  }

  @Test
  void epochsTellTheirTermAndWhatTheLogNeverGave() {
    ManagerState state = formed(1, 1, 1);
    long last = state.epoch();
    assertThat(last / Terms.EPOCHS_PER_TERM).isEqualTo(1);
    assertThat(state.issued(last)).isTrue();
    assertThat(state.issued(last + 1)).isFalse();
    state.apply(new Command.BeginTerm(2, 0));
    state.apply(new Command.BeginTerm(2, 0));
    assertThat(state.term()).as("begun once").isEqualTo(2);
    assertThat(state.epoch()).isEqualTo(2 * Terms.EPOCHS_PER_TERM);
    assertThat(state.issued(0)).isTrue();
    assertThat(state.issued(last)).isTrue();
    assertThat(state.issued(last + 1)).as("given by a log that had more").isFalse();
    assertThat(state.issued(state.epoch() + 1)).isFalse();
  }

  @Test
  void aTermThatHasUsedUpItsEpochsIsFollowedByAnother() {
    Terms terms = new Terms();
    terms.restore(4, 4 * Terms.EPOCHS_PER_TERM + Terms.EPOCHS_PER_TERM - 2, List.of());
    terms.raise();
    assertThat(terms.term()).isEqualTo(4);
    terms.raise();
    assertThat(terms.term()).isEqualTo(5);
    assertThat(terms.epoch()).isEqualTo(5 * Terms.EPOCHS_PER_TERM);
    assertThat(terms.issued(5 * Terms.EPOCHS_PER_TERM - 1)).isTrue();
  }

  @Test
  void aSeatAtAnotherAddressDisturbsNoGroup() {
    ManagerState state = formed(3, 1, 2);
    List<Group> before = state.map().groups();
    Command.Arrival moved = new Command.Arrival("s1", "elsewhere", Offers.arrival(1, 1, 1).seat());
    assertThat(state.disturbedBy(moved)).isEmpty();
    state.apply(new Command.SeatReturned(moved));
    assertThat(state.map().seat(new SeatId(1)).host()).isEqualTo("elsewhere");
    assertThat(state.map().groups()).isEqualTo(before);
  }

  /** What its earlier process sent must not be taken for its own, so its epochs are new ones. */
  @Test
  void aSeatThatStartedAgainWithAllItHadKeepsItsPlaces() {
    ManagerState state = formed(3, 1, 2);
    List<Group> before = state.map().groups();
    Command.Arrival again = new Command.Arrival("s1", "host1", Offers.seat(1, 1, 1, 99));
    assertThat(state.disturbedBy(again)).hasSize(2);
    state.apply(new Command.SeatReturned(again));
    for (Group group : before) {
      Group now = state.map().group(group.id());
      assertThat(now.members()).isEqualTo(group.members());
      assertThat(now.epoch()).isEqualTo(group.indexOf(new SeatId(1)) >= 0 ? 2 : 1);
    }
    long epoch = state.epoch();
    state.apply(new Command.SeatReturned(again));
    assertThat(state.epoch()).as("once").isEqualTo(epoch);
  }

  @Test
  void aSeatWithoutItsContentGoesBehindThoseThatHoldAll() {
    ManagerState state = formed(3, 1, 3);
    SeatId seat = new SeatId(1);
    Command.Arrival empty = Offers.arrival(1, 1, 2);
    assertThat(state.disturbedBy(empty)).hasSize(3);
    Result result = state.apply(new Command.SeatReturned(empty));
    assertThat(((Result.Done) result).warnings()).isEmpty();
    for (Group group : state.map().groups()) {
      assertThat(group.epoch()).isEqualTo(2);
      assertThat(group.members()).hasSize(3);
      assertThat(group.members().getLast()).isEqualTo(new Group.Member(seat, 2, false));
      assertThat(group.members().subList(0, 2)).allMatch(Group.Member::current);
    }
    Group first = state.map().group(GroupId.of(seat, 3));
    assertThat(first.members().stream().map(Group.Member::seat))
        .containsExactly(new SeatId(2), new SeatId(3), seat);
  }

  @Test
  void aMemberIsMadeCurrentOnlyAsTheOneAndInTheEpochThatWasMeant() {
    ManagerState state = formed(3, 1, 3);
    state.apply(new Command.SeatReturned(Offers.arrival(1, 1, 2)));
    state.apply(new Command.SeatReturned(Offers.arrival(2, 1, 2)));
    GroupId id = GroupId.of(new SeatId(1), 3);
    SeatId seat = new SeatId(2);
    long epoch = state.epoch();
    assertThat(state.map().group(id).epoch()).isEqualTo(3);
    for (Command.MakeCurrent wrong :
        List.of(
            new Command.MakeCurrent(id, 2, seat, 2),
            new Command.MakeCurrent(id, 4, seat, 2),
            new Command.MakeCurrent(id, 3, seat, 1),
            new Command.MakeCurrent(id, 3, new SeatId(9), 2),
            new Command.MakeCurrent(new GroupId(999), 3, seat, 2))) {
      assertThat(state.apply(wrong)).isInstanceOf(Result.Refused.class);
    }
    assertThat(state.epoch()).isEqualTo(epoch);
    assertThat(state.apply(new Command.MakeCurrent(id, 3, seat, 2))).isEqualTo(Result.Done.QUIETLY);
    Group group = state.map().group(id);
    assertThat(group.epoch()).isEqualTo(4);
    assertThat(group.members())
        .as("behind those that are current, before those that are not")
        .containsExactly(
            new Group.Member(new SeatId(3), 1, true),
            new Group.Member(seat, 2, true),
            new Group.Member(new SeatId(1), 2, false));
    assertThat(state.map().group(GroupId.of(seat, 3)).members())
        .as("another group")
        .contains(new Group.Member(seat, 2, false));
  }

  @Test
  void aGroupWhoseLastContentIsGoneWaits() {
    ManagerState state = formed(2, 1, 2);
    state.apply(new Command.SeatReturned(Offers.arrival(1, 1, 2)));
    Result result = state.apply(new Command.SeatReturned(Offers.arrival(2, 1, 2)));
    assertThat(((Result.Done) result).warnings())
        .hasSize(2)
        .allMatch(warning -> warning.contains("is unavailable: seat 2 on server s2"));
    for (Group group : state.map().groups()) {
      assertThat(group.epoch()).isEqualTo(3);
      assertThat(group.members()).noneMatch(Group.Member::current);
      assertThat(group.home()).as("nobody took over").isEqualTo(new SeatId(2));
    }
  }

  @Test
  void anUnknownLogIsRefused() {
    ManagerState state = formed(2, 1, 1);
    assertThat(state.apply(new Command.SeatReturned(Offers.arrival(9, 1, 1))))
        .isEqualTo(new Result.Refused(ErrorCode.NOT_FOUND, "no seat of the ring has that log"));
  }

  @Test
  void instancesGetGroupsNumbersAndARootEach() {
    ManagerState state = formed(4, 1, 1);
    Set<SeatId> roots = new LinkedHashSet<>();
    for (int i = 1; i <= 4; i++) {
      assertThat(state.apply(create("i" + i, 3))).isEqualTo(new Result.Made(i, List.of()));
      Instance made = state.map().instance("i" + i);
      assertThat(made.seats()).hasSize(4);
      assertThat(state.map().group(made.rootGroup())).isNotNull();
      assertThat(made.rootGroup().copies()).isEqualTo(3);
      roots.add(made.rootGroup().origin());
    }
    assertThat(roots).as("one on each seat").hasSize(4);
    assertThat(state.map().groups()).hasSize(8);
  }

  @Test
  void rootsAvoidGroupsThatCannotServe() {
    ManagerState state = formed(3, 1, 1);
    state.apply(new Command.SeatReturned(Offers.arrival(1, 1, 2)));
    for (int i = 0; i < 6; i++) {
      state.apply(create("i" + i, 1));
      assertThat(state.map().instance("i" + i).rootGroup().origin()).isNotEqualTo(new SeatId(1));
    }
  }

  @Test
  void ofADestroyedInstanceTheNumberStaysAndItsNameIsFree() {
    ManagerState state = formed(2, 1, 1);
    state.apply(create("a", 1));
    assertThat(state.apply(new Command.DestroyInstance(Offers.op(), 1, 2000)))
        .isEqualTo(
            new Result.Refused(
                ErrorCode.NOT_PERMITTED,
                "instance 'a' belongs to user 1000; only that user and root may change or destroy it"));
    assertThat(state.apply(new Command.DestroyInstance(Offers.op(), 1, 1000)))
        .isEqualTo(Result.Done.QUIETLY);
    assertThat(state.map().instance(1)).isNull();
    assertThat(state.map().ended().contains(1)).isTrue();
    assertThat(state.map().instance("a")).isNull();
    assertThat(state.apply(create("a", 1))).isEqualTo(new Result.Made(2, List.of()));
  }

  @Test
  void whatIsAskedAgainIsAnsweredAgain() throws MalformedFields {
    ManagerState first = formed(2, 1, 1);
    Command.CreateInstance create = create("a", 1);
    assertThat(first.apply(create)).isEqualTo(new Result.Made(1, List.of()));
    ManagerState state = new ManagerState();
    state.restore(first.snapshot());
    long epoch = state.epoch();
    assertThat(state.apply(create)).isEqualTo(new Result.Made(1, List.of()));
    assertThat(state.apply(create("a", 1))).isInstanceOf(Result.Refused.class);
    assertThat(state.epoch()).isEqualTo(epoch);

    var destroy = new Command.DestroyInstance(Offers.op(), 1, Identity.ROOT);
    assertThat(state.apply(destroy)).isEqualTo(Result.Done.QUIETLY);
    assertThat(state.apply(create("a", 1))).isEqualTo(new Result.Made(2, List.of()));
    epoch = state.epoch();
    assertThat(state.apply(destroy)).isEqualTo(Result.Done.QUIETLY);
    assertThat(state.apply(create)).isEqualTo(new Result.Made(1, List.of()));
    assertThat(state.epoch()).isEqualTo(epoch);
  }

  @Test
  void answersAreForgottenInTheEnd() {
    ManagerState state = formed(1, 1, 1);
    Command.CreateInstance create = create("a", 1);
    state.apply(create);
    for (int i = 1; i < RecentAnswers.ANSWERS_MAX; i += 2) {
      Result.Made made = (Result.Made) state.apply(create("b", 1));
      state.apply(new Command.DestroyInstance(Offers.op(), made.instance(), Identity.ROOT));
    }
    assertThat(state.answered(create.op())).isNull();
    assertThat(state.apply(create)).isInstanceOf(Result.Refused.class);
  }

  @Test
  void whatCannotBeMadeIsSaidInASentence() {
    ManagerState state = formed(2, 1, 1);
    assertRefused(state, create("", 1), "'' is no name");
    assertRefused(state, create(".hidden", 1), "'.hidden' is no name");
    assertRefused(state, create("a/b", 1), "'a/b' is no name");
    assertRefused(state, create("x".repeat(65), 1), "1 to 64 letters");
    assertRefused(state, create("a", 3), "3 copies need as many seats, and the ring has 2");
    assertRefused(state, create("a", 0), "0 copies: between 1 and 8");
    assertRefused(state, create("a", 9), "9 copies: between 1 and 8");
    assertRefused(state, create("a", 2, 4 * Offers.GIB, false), "3 GiB would fit");
    assertRefused(state, create("a", 1, -1, false), "a capacity of -1 bytes");
    assertRefused(state, create("a", 1, 5 * Offers.GIB, true), "4 GiB would fit");
    state.apply(create("a", 2, 2 * Offers.GIB, false));
    assertRefused(
        state,
        create("b", 1, 3 * Offers.GIB, false),
        "has 2 GiB of 6 GiB free, copies counted, and 2 GiB would fit");
    assertRefused(state, create("a", 1), "there is an instance 'a' already");
    state.apply(new Command.DestroyInstance(Offers.op(), 1, Identity.ROOT));
    assertThat(state.check(create("b", 1, 3 * Offers.GIB, false))).isNull();
  }

  @Test
  void nothingIsForcedWithoutSsds() {
    ManagerState state = new ManagerState();
    state.apply(new Command.BeginTerm(1, 9));
    List<Command.Arrival> seats = new ArrayList<>(Offers.arrivals(2, 1));
    var offer = seats.get(1).seat();
    seats.set(
        1,
        new Command.Arrival(
            "s2",
            "host2",
            new Maps.SeatOffer(
                offer.logHigh(), offer.logLow(), 1, 1, offer.addresses(), Offers.GIB, 0, 1)));
    state.apply(new Command.FormRing(seats, 1));
    assertRefused(state, create("a", 1, 0, true), "seat 2 on server s2 has no SSD");
    assertThat(state.check(create("a", 1, 0, false))).isNull();
  }

  /** Any commands: a copy by snapshot and a copy by commands give the same map, byte for byte. */
  @Test
  void snapshotsAndCommandsGiveTheSameState() throws MalformedFields {
    SplittableRandom random =
        new SplittableRandom(SimulatedLog.seed("snapshotsAndCommandsGiveTheSameState"));
    for (int round = 0; round < 50; round++) {
      ManagerState one = new ManagerState();
      ManagerState two = new ManagerState();
      for (int i = 0; i < 60; i++) {
        Command command = someCommand(random, one);
        if (random.nextInt(10) == 0) {
          ManagerState fresh = new ManagerState();
          fresh.restore(two.snapshot());
          two = fresh;
        }
        Result result = one.apply(command);
        assertThat(two.apply(Command.decode(command.encode()))).isEqualTo(result);
        assertThat(two.snapshot()).isEqualTo(one.snapshot());
        assertThat(RingMapCodec.write(two.map())).isEqualTo(RingMapCodec.write(one.map()));
        assertSound(one.map());
      }
    }
  }

  @Test
  void aSnapshotWithBytesBehindItIsRefused() {
    byte[] good = formed(2, 1, 2).snapshot().toArray();
    Bytes longer = Bytes.copyOf(Arrays.copyOf(good, good.length + 1));
    assertThatThrownBy(() -> new ManagerState().restore(longer))
        .isInstanceOf(MalformedFields.class)
        .hasMessage("1 bytes too many in a state");
  }

  @Test
  void anyBytesAreACommandOrMalformed() {
    SplittableRandom random =
        new SplittableRandom(SimulatedLog.seed("anyBytesAreACommandOrMalformed"));
    byte[] good = new Command.FormRing(Offers.arrivals(2, 2), 2).encode().toArray();
    int malformed = 0;
    for (int i = 0; i < 5000; i++) {
      byte[] bytes = good.clone();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      try {
        Command.decode(Bytes.copyOf(bytes));
      } catch (MalformedFields expected) {
        malformed++;
      }
    }
    assertThat(malformed).isPositive();
    assertThatThrownBy(() -> Command.decode(Bytes.copyOf(new byte[] {0, 99})))
        .hasMessage("no Command has number 99");
  }

  private static void assertSound(RingMap map) {
    for (Group group : map.groups()) {
      boolean any = group.members().stream().anyMatch(Group.Member::current);
      assertThat(group.members().getFirst().current()).isEqualTo(any);
      assertThat(group.members()).hasSize(group.id().copies());
    }
    for (Instance instance : map.instances()) {
      assertThat(map.group(instance.rootGroup())).isNotNull();
    }
  }

  private static Command someCommand(SplittableRandom random, ManagerState state) {
    return switch (random.nextInt(state.formed() ? 10 : 2)) {
      case 0 -> new Command.BeginTerm(state.term() + random.nextInt(2), 5);
      case 1 -> new Command.FormRing(Offers.arrivals(1 + random.nextInt(4), 2), 1);
      case 2, 3 ->
          new Command.SeatReturned(
              new Command.Arrival(
                  "s" + random.nextInt(3),
                  "h",
                  Offers.seat(
                      1 + random.nextInt(4),
                      1 + random.nextInt(2),
                      random.nextInt(4),
                      random.nextInt(4))));
      case 4 -> create("i" + random.nextInt(5), random.nextInt(5));
      case 5, 6 -> {
        SeatEntry seat = someSeat(random, state);
        yield new Command.SeatSilent(
            seat.id(),
            seat.start() + (random.nextInt(5) == 0 ? 1 : 0),
            seat.incarnation(),
            random.nextBoolean() ? List.of() : List.of(someSeat(random, state).id()));
      }
      case 7 -> {
        SeatEntry seat = someSeat(random, state);
        yield new Command.SeatHeard(seat.id(), seat.start(), seat.incarnation());
      }
      case 8 -> {
        Group group = state.map().groups().get(random.nextInt(state.map().groups().size()));
        Group.Member member = group.members().getLast();
        yield new Command.MakeCurrent(
            group.id(),
            group.epoch() + random.nextInt(2),
            member.seat(),
            member.incarnation() + random.nextInt(2));
      }
      default ->
          new Command.DestroyInstance(random.nextInt(1000), random.nextInt(10), Identity.ROOT);
    };
  }

  private static SeatEntry someSeat(SplittableRandom random, ManagerState state) {
    return state.map().seats().get(random.nextInt(state.map().seats().size()));
  }

  private static Command.SeatSilent silent(ManagerState state, int seat, SeatId... unheard) {
    SeatEntry entry = state.map().seat(new SeatId(seat));
    return new Command.SeatSilent(entry.id(), entry.start(), entry.incarnation(), List.of(unheard));
  }

  @Test
  void aSilentSeatGoesBehindThoseThatHoldAll() {
    ManagerState state = formed(3, 1, 2);
    SeatId seat = new SeatId(1);
    List<Group> before = state.map().groups();
    Group.Held all = new Group.Held(Group.Held.What.ALL, state.map().epoch());
    assertThat(state.apply(silent(state, 1))).isEqualTo(Result.Done.QUIETLY);
    assertThat(state.map().seat(seat).away()).isTrue();
    for (Group group : before) {
      Group now = state.map().group(group.id());
      if (group.indexOf(seat) < 0) {
        assertThat(now).isEqualTo(group);
        continue;
      }
      assertThat(now.epoch()).isEqualTo(2);
      assertThat(now.members().getFirst().current()).isTrue();
      assertThat(now.members().getLast()).isEqualTo(new Group.Member(seat, 1, false, false, all));
    }
    long epoch = state.epoch();
    state.apply(silent(state, 1));
    assertThat(state.epoch()).as("once").isEqualTo(epoch);
    SeatEntry entry = state.map().seat(seat);
    state.apply(new Command.SeatHeard(seat, entry.start(), entry.incarnation()));
    assertThat(state.map().seat(seat).away()).isFalse();
    assertThat(state.map().groups()).anyMatch(group -> !group.members().getLast().current());
  }

  @Test
  void aSeatThatStartedAgainIsNotTheSilentOne() {
    ManagerState state = formed(3, 1, 2);
    Command old = silent(state, 1);
    Command.Arrival again = new Command.Arrival("s1", "host1", Offers.seat(1, 1, 1, 99));
    state.apply(new Command.SeatReturned(again));
    long epoch = state.epoch();
    state.apply(old);
    assertThat(state.epoch()).isEqualTo(epoch);
    state.apply(silent(state, 1));
    assertThat(state.map().seat(new SeatId(1)).away()).isTrue();
    Command.Arrival third = new Command.Arrival("s1", "host1", Offers.seat(1, 1, 1, 100));
    state.apply(new Command.SeatReturned(third));
    assertThat(state.map().seat(new SeatId(1)).away()).isFalse();
  }

  @Test
  void whereNobodyElseHoldsAllNothingChanges() {
    ManagerState state = formed(2, 1, 2);
    List<Group> before = state.map().groups();
    Result both = state.apply(silent(state, 1, new SeatId(2)));
    assertThat(((Result.Done) both).warnings())
        .hasSize(2)
        .allMatch(warning -> warning.contains("unavailable: seat 1 on server s1 is silent"));
    assertThat(state.map().groups()).isEqualTo(before);
    state.apply(silent(state, 2));
    assertThat(state.map().groups()).as("the first is away").isEqualTo(before);
    SeatEntry entry = state.map().seat(new SeatId(2));
    state.apply(new Command.SeatHeard(entry.id(), entry.start(), entry.incarnation()));
    state.apply(silent(state, 1));
    assertThat(state.map().groups()).allMatch(group -> group.home().equals(new SeatId(2)));
    before = state.map().groups();
    state.apply(silent(state, 2));
    assertThat(state.map().groups()).as("the last one").isEqualTo(before);
  }

  private static ManagerState formed(int servers, int seatsEach, int copies) {
    ManagerState state = new ManagerState();
    state.apply(new Command.BeginTerm(1, 9));
    state.apply(new Command.FormRing(Offers.arrivals(servers, seatsEach), copies));
    return state;
  }

  static Command.CreateInstance create(String name, int copies) {
    return create(name, copies, 0, false);
  }

  static Command.CreateInstance create(
      String name, int copies, long capacityBytes, boolean forced) {
    return new Command.CreateInstance(
        Offers.op(),
        name,
        Offers.USER.user(),
        Offers.USER.primaryGroup(),
        Instance.Lifetime.PERSISTENT,
        Instance.Access.SHARED,
        capacityBytes,
        copies,
        forced,
        Instance.WhenDegraded.CONTINUE,
        KETAMA,
        DrainSpec.NONE,
        "",
        Tenancy.OPEN,
        "");
  }

  private static void assertRefused(
      ManagerState state, Command.CreateInstance create, String sentence) {
    long epoch = state.epoch();
    Result result = state.apply(create);
    assertThat(result).isInstanceOf(Result.Refused.class);
    assertThat(((Result.Refused) result).sentence()).contains(sentence);
    assertThat(state.epoch()).isEqualTo(epoch);
  }
}
