// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.fields.MalformedFields;
import io.forebay.ring.Allocation;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.ring.Tenancy;
import io.forebay.ring.pool.PoolRoom;
import io.forebay.seat.consensus.SimulatedLog;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What instances are promised of pools, whatever happens to servers. */
class PoolsTest {
  private static final long GIB = Offers.GIB;
  private static final int USER = Offers.USER.user();

  private final ManagerState state = new ManagerState();

  /** Servers with one seat each that keeps 3 GiB; the pools of servers in turn. */
  private void form(int servers, String... pools) {
    state.apply(new Command.BeginTerm(1, 9, GIB));
    List<Command.Arrival> arrivals = new ArrayList<>();
    for (int server = 1; server <= servers; server++) {
      arrivals.add(arrival(server, pools[(server - 1) % pools.length]));
    }
    state.apply(new Command.FormRing(arrivals, 2));
  }

  private static Command.Arrival arrival(int server, String pool) {
    Maps.SeatOffer seat = Offers.seat(server, 1, 1);
    return new Command.Arrival(
        "s" + server,
        "host" + server,
        new Maps.SeatOffer(
            seat.logHigh(),
            seat.logLow(),
            1,
            1,
            seat.addresses(),
            seat.memoryBytes(),
            seat.ssdBytes(),
            1,
            0,
            pool,
            3 * GIB,
            2 * GIB));
  }

  private Result create(String name, int copies, long capacityBytes, String pool) {
    return create(name, copies, capacityBytes, pool, USER);
  }

  private Result create(String name, int copies, long capacityBytes, String pool, int user) {
    return state.apply(
        new Command.CreateInstance(
            Offers.op(),
            name,
            user,
            100,
            Instance.Lifetime.PERSISTENT,
            Instance.Access.SHARED,
            capacityBytes,
            copies,
            false,
            Instance.WhenDegraded.CONTINUE,
            new PlacementSpec(PlacementSpec.Kind.KETAMA, 1 << 20, 0),
            DrainSpec.NONE,
            "",
            Tenancy.OPEN,
            pool));
  }

  private Result resize(String name, long capacityBytes, int user) {
    return state.apply(
        new Command.ResizeInstance(Offers.op(), instance(name).id(), user, capacityBytes));
  }

  private Instance instance(String name) {
    Instance instance = state.map().instance(name);
    if (instance == null) throw new AssertionError("no instance " + name);
    return instance;
  }

  private static String sentence(Result result) {
    return result instanceof Result.Refused refused ? refused.sentence() : "" + result;
  }

  private void gone(int seat) {
    SeatEntry entry = state.map().seat(new SeatId(seat));
    state.apply(new Command.SeatSilent(entry.id(), entry.start(), entry.incarnation(), List.of()));
    state.apply(new Command.SeatGone(entry.id(), entry.start(), entry.incarnation()));
  }

  private void back(int seat) {
    SeatEntry entry = state.map().seat(new SeatId(seat));
    state.apply(new Command.SeatHeard(entry.id(), entry.start(), entry.incarnation()));
  }

  /** No seat has promised more than it keeps, and shares and seats agree. */
  private static void assertKept(RingMap map) {
    for (Pool pool : map.pools()) {
      PoolRoom room = PoolRoom.of(pool, map.seats(), map.instances());
      for (SeatEntry seat : room.seats()) {
        assertThat(room.excess(seat.id())).as(seat.id() + " of " + pool).isZero();
      }
    }
    for (Instance instance : map.instances()) {
      assertThat(instance.seats()).isNotEmpty().doesNotHaveDuplicates();
      Allocation allocation = instance.allocation();
      if (!allocation.shares().isEmpty()) {
        assertThat(instance.seats()).containsExactlyInAnyOrderElementsOf(allocation.seats());
      }
      for (Allocation.Share share : allocation.shares()) {
        SeatEntry seat = map.seat(share.seat());
        assertThat(seat.stay()).isEqualTo(SeatEntry.Stay.HERE);
        assertThat(seat.pool()).isEqualTo(allocation.pool());
      }
    }
  }

  @Test
  void anInstanceAsksForACapacityOfAPool() {
    form(4, "slow", "fast");
    assertThat(create("a", 2, GIB + 1, "fast")).isInstanceOf(Result.Made.class);
    Instance made = instance("a");
    assertThat(made.capacityBytes()).isEqualTo(2 * GIB);
    assertThat(made.allocation().granules()).isEqualTo(2);
    assertThat(made.seats()).containsExactlyInAnyOrder(new SeatId(2), new SeatId(4));
    assertThat(made.seats()).contains(made.rootGroup().origin());
    assertKept(state.map());
    assertThat(sentence(create("b", 1, GIB, "")))
        .contains("there are several pools; name one of fast, slow");
    assertThat(sentence(create("b", 1, GIB, "quick")))
        .contains("there is no pool 'quick'; the servers have: fast, slow");
    assertThat(sentence(create("b", 3, 0, "fast")))
        .contains("pool 'fast' has 2 servers, and 3 copies need as many; add servers to the pool");
    assertThat(create("c", 2, 0, "fast")).isInstanceOf(Result.Made.class);
    assertThat(instance("c").seats()).containsExactlyInAnyOrder(new SeatId(2), new SeatId(4));
    assertThat(create("d", 2, 0, "")).isInstanceOf(Result.Made.class);
    assertThat(instance("d").seats()).hasSize(4);
    assertThat(instance("d").allocation()).isEqualTo(Allocation.NONE);
  }

  @Test
  void aPoolThatIsTooSmallForTheCopiesIsLeftOut() {
    form(3, "one", "two", "two");
    assertThat(create("a", 2, 0, "")).isInstanceOf(Result.Made.class);
    assertThat(instance("a").seats()).containsExactlyInAnyOrder(new SeatId(2), new SeatId(3));
    state.apply(new Command.JoinRing(arrival(4, "one"), new SeatId(3)));
    assertThat(instance("a").seats()).hasSize(4);
  }

  @Test
  void theSumOfPromisesStaysWithinThePool() {
    form(2, Pool.DEFAULT);
    assertThat(create("a", 2, 2 * GIB, "")).isInstanceOf(Result.Made.class);
    assertThat(sentence(create("b", 1, 3 * GIB, "")))
        .contains("'b' asks for 3 GiB in 1 copy", "has 2 GiB of 6 GiB free", "2 GiB would fit");
    assertThat(create("b", 1, 2 * GIB, "")).isInstanceOf(Result.Made.class);
    assertThat(sentence(create("c", 1, 1, ""))).contains("0 B would fit");
    assertKept(state.map());
    state.apply(new Command.DestroyInstance(Offers.op(), instance("a").id(), USER));
    assertThat(create("c", 2, 2 * GIB, "")).isInstanceOf(Result.Made.class);
    assertKept(state.map());
  }

  @Test
  void anInstanceGrowsAndShrinks() {
    form(3, Pool.DEFAULT);
    create("a", 1, 2 * GIB, "");
    assertThat(sentence(resize("a", 3 * GIB, Offers.OTHER.user()))).contains("belongs to user");
    assertThat(resize("a", 5 * GIB, USER)).isInstanceOf(Result.Made.class);
    assertThat(instance("a").allocation().granules()).isEqualTo(5);
    assertThat(sentence(resize("a", 10 * GIB, USER))).contains("9 GiB would fit");
    assertThat(resize("a", 2 * GIB, USER)).isInstanceOf(Result.Made.class);
    assertThat(instance("a").capacityBytes()).isEqualTo(2 * GIB);
    assertThat(instance("a").allocation().granules()).as("until its home has agreed").isEqualTo(5);
    int id = instance("a").id();
    state.apply(new Command.SettleResize(id, 3 * GIB, true));
    assertThat(instance("a").allocation().granules()).as("another capacity").isEqualTo(5);
    state.apply(new Command.SettleResize(id, 2 * GIB, false));
    assertThat(instance("a").capacityBytes()).as("more is used").isEqualTo(5 * GIB);
    resize("a", GIB, USER);
    state.apply(new Command.SettleResize(id, GIB, true));
    assertThat(instance("a").allocation().granules()).isEqualTo(1);
    assertThat(instance("a").seats()).hasSize(1);
    assertKept(state.map());
    create("n", 1, 0, "");
    assertThat(sentence(resize("n", GIB, USER))).contains("was made without a capacity");
  }

  @Test
  void granulesOfADeadServerGoToOthersAndComeBackWhenThereIsRoom() {
    form(3, Pool.DEFAULT);
    create("a", 1, 6 * GIB, "");
    assertThat(instance("a").seats()).hasSize(3);
    gone(2);
    assertKept(state.map());
    assertThat(instance("a").seats()).doesNotContain(new SeatId(2));
    assertThat(instance("a").granulesShort()).isZero();
    gone(3);
    assertKept(state.map());
    assertThat(instance("a").granulesShort()).isEqualTo(3);
    assertThat(instance("a").capacityBytes()).isEqualTo(6 * GIB);
    back(3);
    assertThat(instance("a").granulesShort()).isZero();
    assertKept(state.map());
    assertThat(create("b", 1, GIB, "")).as("all is promised").isInstanceOf(Result.Refused.class);
    state.apply(new Command.JoinRing(arrival(4, Pool.DEFAULT), new SeatId(3)));
    assertThat(create("b", 1, GIB, "")).isInstanceOf(Result.Made.class);
    assertThat(instance("b").seats()).containsExactly(new SeatId(4));
  }

  @Test
  void aDeadServersCopiesTakeRoomElsewhere() {
    form(3, Pool.DEFAULT);
    create("a", 2, 4 * GIB, "");
    assertKept(state.map());
    gone(1);
    assertKept(state.map());
    assertThat(instance("a").granulesShort()).isEqualTo(1);
    gone(2);
    assertKept(state.map());
    assertThat(instance("a").seats()).isNotEmpty();
    back(1);
    back(2);
    assertKept(state.map());
    assertThat(instance("a").granulesShort()).isZero();
  }

  @Test
  void aServerLeavesItsPoolOnlyIfOthersSuffice() {
    form(4, "x", "y");
    create("a", 2, GIB, "x");
    Result refused = state.apply(new Command.LeaveRing("s1"));
    assertThat(sentence(refused))
        .contains("there is 1 server left of pool 'x', and instance 'a' keeps 2 copies");
    assertThat(state.apply(new Command.LeaveRing("s2"))).isInstanceOf(Result.Done.class);
    assertThat(sentence(state.apply(new Command.LeaveRing("s4"))))
        .contains("the last one of pool 'y'");
    assertKept(state.map());
  }

  @Test
  void usersAreLimited() {
    form(3, Pool.DEFAULT);
    Pool limited = new Pool(Pool.DEFAULT, GIB, 2 * GIB, "");
    assertThat(sentence(state.apply(new Command.SetPool(limited, USER)))).contains("only root");
    assertThat(state.apply(new Command.SetPool(limited, Identity.ROOT)))
        .isInstanceOf(Result.Done.class);
    assertThat(create("a", 1, GIB, "")).isInstanceOf(Result.Made.class);
    assertThat(sentence(create("b", 1, 2 * GIB, "")))
        .contains(
            "a user may have 2 GiB there, and user 1000 has 1 GiB in other instances; ask for at most 1 GiB");
    assertThat(create("b", 1, 2 * GIB, "", Offers.OTHER.user())).isInstanceOf(Result.Made.class);
    assertThat(create("c", 1, 3 * GIB, "", Identity.ROOT)).isInstanceOf(Result.Made.class);
    assertThat(resize("a", 2 * GIB, USER)).isInstanceOf(Result.Made.class);
    assertThat(sentence(resize("a", 3 * GIB, USER))).contains("a user may have 2 GiB there");
    assertThat(resize("a", 3 * GIB, Identity.ROOT)).isInstanceOf(Result.Made.class);
  }

  @Test
  void theUnitStaysWhileItIsUsed() {
    form(3, Pool.DEFAULT);
    create("a", 1, GIB, "");
    Pool finer = new Pool(Pool.DEFAULT, GIB / 2, 0, "");
    assertThat(sentence(state.apply(new Command.SetPool(finer, Identity.ROOT))))
        .contains("instances have granules of 1 GiB of pool 'default'");
    state.apply(new Command.BeginTerm(2, 0, GIB / 4));
    assertThat(state.map().pool(Pool.DEFAULT).granuleBytes()).isEqualTo(GIB);
    state.apply(new Command.DestroyInstance(Offers.op(), instance("a").id(), USER));
    assertThat(state.apply(new Command.SetPool(finer, Identity.ROOT)))
        .isInstanceOf(Result.Done.class);
    assertThat(state.map().pool(Pool.DEFAULT).granuleBytes()).isEqualTo(GIB / 2);
    Pool tiny = new Pool(Pool.DEFAULT, 1, 0, "");
    assertThat(sentence(state.apply(new Command.SetPool(tiny, Identity.ROOT))))
        .contains("granules of 1 B; between 64 KiB");
  }

  @Test
  void aPoolThatWasGoneGetsItsGroupsWhenItIsBack() {
    form(4, "slow", "fast");
    gone(2);
    gone(4);
    assertThat(create("a", 1, GIB, "slow")).isInstanceOf(Result.Made.class);
    assertThat(state.map().group(GroupId.of(new SeatId(2), 1))).isNull();
    back(2);
    assertThat(state.map().group(GroupId.of(new SeatId(2), 1))).isNotNull();
    assertThat(create("b", 1, GIB, "fast")).isInstanceOf(Result.Made.class);
    assertThat(instance("b").seats()).containsExactly(new SeatId(2));
  }

  /** Any changes: no map promises more than its seats keep, and a copy by snapshot is the same. */
  @Test
  void noMapPromisesMoreThanThereIs() throws MalformedFields {
    SplittableRandom random =
        new SplittableRandom(SimulatedLog.seed("noMapPromisesMoreThanThereIs"));
    form(6, "p", "q", "p");
    int servers = 6;
    for (int i = 0; i < 2000; i++) {
      int seat = 1 + random.nextInt(servers);
      String name = "i" + random.nextInt(8);
      Instance known = state.map().instance(name);
      switch (random.nextInt(8)) {
        case 0, 1 ->
            create(
                name,
                1 + random.nextInt(3),
                random.nextInt(8) * GIB,
                random.nextBoolean() ? "p" : "q");
        case 2 -> {
          if (known != null) {
            state.apply(new Command.DestroyInstance(Offers.op(), known.id(), USER));
          }
        }
        case 3 -> {
          if (known != null) resize(name, random.nextInt(9) * GIB, USER);
        }
        case 4 -> {
          if (known != null) {
            state.apply(
                new Command.SettleResize(known.id(), known.capacityBytes(), random.nextBoolean()));
          }
        }
        case 5 -> gone(seat);
        case 6 -> back(seat);
        default -> {
          if (servers < 12 && random.nextInt(50) == 0) {
            servers++;
            state.apply(new Command.JoinRing(arrival(servers, "q"), new SeatId(1)));
          } else if (random.nextInt(40) == 0) {
            state.apply(new Command.LeaveRing("s" + seat));
          }
        }
      }
      assertKept(state.map());
    }
    ManagerState copy = new ManagerState();
    copy.restore(state.snapshot());
    assertThat(copy.snapshot()).isEqualTo(state.snapshot());
    assertThat(copy.map().pools()).isEqualTo(state.map().pools());
  }
}
