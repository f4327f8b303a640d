// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.seat.manager.state.Offers;
import io.forebay.store.disk.Faults;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManagerTest {
  private static final long SECOND = ManagerWorld.SECOND;

  private static ManagerWorld world(int servers) throws Exception {
    return new ManagerWorld(servers, new ManagerConfig(servers, 30 * SECOND, 2));
  }

  // Forming the ring.

  @Test
  void theRingIsFormedWhenAllServersHaveComeWithAllTheirSeats() throws Exception {
    ManagerWorld world = world(2);
    ManagerWorld.Peer client = world.client();
    ManagerWorld.Peer first = world.seat();
    assertThat(client.refusal(new Maps.GetMap(0))).contains("0 of 2 expected servers");
    long one = first.send(Offers.init(1, 1, 2));
    long two = world.seat().send(Offers.init(1, 2, 2));
    assertThat(two).isEqualTo(1);
    world.pass(SECOND);
    assertThat(client.refusal(new Maps.GetMap(0))).contains("1 of 2 expected servers");
    assertThat(first.answer(one)).isNull();
    ManagerWorld.Peer last = world.seat();
    RingMap map = ManagerWorld.map(last.ask(Offers.init(2, 1, 1)));
    assertThat(map.seats()).hasSize(3);
    assertThat(map.groups()).hasSize(3).allMatch(group -> group.id().copies() == 2);
    assertThat(map.cluster()).isEqualTo(last.connection.welcome().cluster());
    world.until(() -> first.answer(one) != null, "the others' answers");
    assertThat(ManagerWorld.map(first.answer(one)).epoch()).isEqualTo(map.epoch());
    assertThat(ManagerWorld.map(client.pushed.getFirst()).seats()).isEqualTo(map.seats());
    assertThat(world.told).anyMatch(sentence -> sentence.contains("formed: 3 seats"));
  }

  @Test
  void theOrderOfArrivalDoesNotMatter() throws Exception {
    RingMap one = ManagerWorld.map(formedInOrder(1, 2, 3));
    RingMap other = ManagerWorld.map(formedInOrder(3, 1, 2));
    assertThat(other.seats()).isEqualTo(one.seats());
  }

  private static Message formedInOrder(int... servers) throws Exception {
    ManagerWorld world = world(3);
    for (int i = 0; i < 2; i++) world.seat().send(Offers.init(servers[i], 1, 1));
    return world.seat().ask(Offers.init(servers[2], 1, 1));
  }

  @Test
  void patienceEndsAndThoseWhoAreThereFormTheRing() throws Exception {
    ManagerWorld world = world(3);
    ManagerWorld.Peer seat = world.seat();
    long request = seat.send(Offers.init(1, 1, 1));
    world.seat().send(Offers.init(2, 1, 2));
    world.pass(29 * SECOND);
    assertThat(seat.answer(request)).isNull();
    world.pass(2 * SECOND);
    assertThat(ManagerWorld.map(seat.answer(request)).seats()).hasSize(2);
    assertThat(world.warned).anyMatch(warning -> warning.contains("1 of 3 expected servers"));
  }

  @Test
  void whoLeavesIsNotWaitedFor() throws Exception {
    ManagerWorld world = world(2);
    ManagerWorld.Peer gone = world.seat();
    gone.send(Offers.init(1, 1, 1));
    world.pass(SECOND);
    gone.connection.close("died");
    world.pass(SECOND);
    ManagerWorld.Peer seat = world.seat();
    long request = seat.send(Offers.init(2, 1, 1));
    world.pass(SECOND);
    assertThat(seat.answer(request)).isNull();
    RingMap map = ManagerWorld.map(world.seat().ask(Offers.init(3, 1, 1)));
    assertThat(map.seats().stream().map(SeatEntry::server)).containsExactly("s2", "s3");
  }

  @Test
  void twoServersOfOneNameAreRefused() throws Exception {
    ManagerWorld world = world(2);
    world.seat().send(Offers.init(1, 1, 1));
    assertThat(world.seat().refusal(Offers.init(1, 2, 1)))
        .contains("give each server a name of its own");
  }

  @Test
  void fewerServersThanCopiesIsSaidLoudly() throws Exception {
    ManagerWorld world = world(1);
    world.form(1, 2);
    assertThat(world.warned).anyMatch(warning -> warning.contains("share a server"));
  }

  @Test
  void fewerSeatsThanDefaultCopiesIsSaidLoudly() throws Exception {
    ManagerWorld world = world(1);
    world.form(1, 1);
    assertThat(world.warned).anyMatch(warning -> warning.contains("2 copies are the default"));
    assertThat(world.manager.map().groups()).hasSize(1);
  }

  @Test
  void nobodyHearsOfAMapThatIsNotForced() throws Exception {
    ManagerWorld world = world(1);
    ManagerWorld.Peer seat = world.seat();
    world.log.ssd.setFaults(Faults.NONE.withForceError(1));
    long request = seat.send(Offers.init(1, 1, 1));
    world.pass(SECOND);
    assertThat(seat.answer(request)).isNull();
    assertThat(seat.pushed).isEmpty();
    assertThat(world.warned).anyMatch(warning -> warning.contains("cannot be forced"));
    world.log.ssd.setFaults(Faults.NONE);
    world.until(() -> seat.answer(request) != null, "the map");
    assertThat(ManagerWorld.map(seat.answer(request)).seats()).hasSize(1);
  }

  // Those who come later.

  @Test
  void aNewSeatMustSayThatItJoins() throws Exception {
    ManagerWorld world = world(1);
    world.form(1, 1);
    assertThat(world.seat().refusal(Offers.init(2, 1, 1)))
        .contains("start the server with '--join true'");
    assertThat(world.warned).anyMatch(warning -> warning.contains("--join true"));
    assertThat(refused(world)).singleElement().asString().contains("'s2'", "--join true");
    world.pass(31 * SECOND);
    assertThat(refused(world)).as("it does not ask any more").isEmpty();
  }

  /** It has missed the waiting period of the first ring. */
  @Test
  void anExpectedServerThatIsLateJoinsByItself() throws Exception {
    ManagerWorld world = world(3);
    world.seat().send(Offers.init(1, 1, 1));
    world.pass(31 * SECOND);
    assertThat(seatsWith(world, Offers.init(2, 1, 2))).isEqualTo(2);
    assertThat(seatsWith(world, Offers.init(2, 2, 2))).as("its other seat").isEqualTo(3);
    assertThat(seatsWith(world, Offers.init(3, 1, 1))).isEqualTo(4);
    assertThat(world.seat().refusal(Offers.init(4, 1, 1))).as("a fourth").contains("--join true");
    Maps.Init wiped = Offers.init(3, 1, 0, Offers.seat(3, 9, 1));
    assertThat(world.seat().refusal(wiped)).as("it has lost its seat").contains("--join true");
    assertThat(refused(world)).hasSize(2);
  }

  private static int seatsWith(ManagerWorld world, Maps.Init late) {
    return ManagerWorld.map(world.seat().ask(late)).seats().size();
  }

  private static List<String> refused(ManagerWorld world) {
    return ((Statuses.ManagerStatus) world.client().ask(new Statuses.GetStatus())).refused();
  }

  @Test
  void aSeatThatIsBackAsItWasGetsTheMapAtOnce() throws Exception {
    ManagerWorld world = world(2);
    world.form(2, 1);
    long epoch = world.manager.map().epoch();
    Maps.Init again = Offers.init(1, 1, epoch, Offers.seat(1, 1, 1));
    assertThat(ManagerWorld.map(world.seat().ask(again)).epoch()).isEqualTo(epoch);
  }

  @Test
  void aSeatAtAnotherAddressIsToldToEveryone() throws Exception {
    ManagerWorld world = world(2);
    List<ManagerWorld.Peer> seats = world.form(2, 1);
    long epoch = world.manager.map().epoch();
    Maps.SeatOffer offer =
        new Maps.SeatOffer(1, 1, 1, 1, List.of("10.9.9.9:1"), Offers.GIB, 2 * Offers.GIB, 1);
    RingMap map = ManagerWorld.map(world.seat().ask(Offers.init(1, 1, epoch, offer)));
    assertThat(map.seat(new SeatId(1)).addresses()).containsExactly("10.9.9.9:1");
    assertThat(map.groups()).allMatch(group -> group.epoch() == 1);
    world.pass(SECOND);
    assertThat(seats.get(1).pushed.getLast().ringEpoch()).isEqualTo(map.epoch());
  }

  @Test
  void aSeatWithoutItsContentLosesItsPlace() throws Exception {
    ManagerWorld world = world(2);
    world.form(2, 1);
    Maps.Init empty = Offers.init(1, 1, 0, Offers.seat(1, 1, 2));
    RingMap map = ManagerWorld.map(world.seat().ask(empty));
    Group group = map.group(GroupId.of(new SeatId(1), 2));
    assertThat(group.epoch()).isEqualTo(2);
    assertThat(group.home()).isEqualTo(new SeatId(2));
    assertThat(group.members().getLast()).isEqualTo(new Group.Member(new SeatId(1), 2, false));
  }

  @Test
  void foreignersStayOut() throws Exception {
    ManagerWorld world = world(1);
    world.form(1, 1);
    ManagerWorld.Peer foreigner = world.dial(Handshake.Role.CLIENT, 12345);
    assertThat(foreigner.connection).isNull();
    assertThat(foreigner.closedBecause).contains("this is the manager of cluster");
    Maps.Init init = Offers.init(1, 1, 1);
    Maps.Init foreign =
        new Maps.Init(12345, init.server(), 1, init.host(), init.knownEpoch(), init.seat());
    Replies.Failed failed = (Replies.Failed) world.seat().ask(foreign);
    assertThat(failed.code()).isEqualTo(ErrorCode.WRONG_CLUSTER);
  }

  @Test
  void nonsenseIsRefused() throws Exception {
    ManagerWorld world = world(1);
    assertThat(world.client().refusal(new Replies.Done())).contains("no Done from a CLIENT");
    assertThat(world.client().refusal(Offers.init(1, 1, 1))).contains("may not send Init");
    ManagerWorld.Peer peer = world.seat();
    Maps.SeatOffer good = Offers.seat(1, 1, 1);
    Maps.SeatOffer noAddress = new Maps.SeatOffer(1, 1, 1, 1, List.of(), 0, 0, 1);
    Maps.SeatOffer badAddress = new Maps.SeatOffer(1, 1, 1, 1, List.of("nowhere"), 0, 0, 1);
    Maps.SeatOffer light = new Maps.SeatOffer(1, 1, 1, 1, good.addresses(), 0, 0, 0);
    Maps.SeatOffer negative = new Maps.SeatOffer(1, 1, 1, 1, good.addresses(), -1, 0, 1);
    assertThat(peer.refusal(Offers.init(1, 1, 0, noAddress))).contains("0 addresses");
    assertThat(peer.refusal(Offers.init(1, 1, 0, badAddress))).contains("'nowhere' is not");
    assertThat(peer.refusal(Offers.init(1, 1, 0, light))).contains("weight 0");
    assertThat(peer.refusal(Offers.init(1, 1, 0, negative))).contains("-1");
    assertThat(peer.refusal(Offers.init(1, 0, 0, good))).contains("no seats");
    assertThat(peer.refusal(new Maps.Init(0, " ", 1, "h", 0, good))).contains("no name");
  }

  // Maps, reports, instances.

  @Test
  void theMapIsSentOnlyIfItIsNewer() throws Exception {
    ManagerWorld world = world(1);
    world.form(1, 1);
    ManagerWorld.Peer client = world.client();
    Maps.MapIs map = (Maps.MapIs) client.ask(new Maps.GetMap(0));
    assertThat(map.map().length()).isPositive();
    Maps.MapIs none = (Maps.MapIs) client.ask(new Maps.GetMap(map.ringEpoch()));
    assertThat(none.map().length()).isZero();
    assertThat(none.ringEpoch()).isEqualTo(map.ringEpoch());
  }

  @Test
  void reportsAreRememberedAndAnOldMapIsReplaced() throws Exception {
    ManagerWorld world = world(1);
    world.form(1, 2);
    long epoch = world.manager.map().epoch();
    ManagerWorld.Peer seat = world.seat();
    assertThat(seat.ask(new Maps.SeatReport(new SeatId(1), 1, epoch)))
        .isInstanceOf(Replies.Done.class);
    assertThat(seat.pushed).isEmpty();
    seat.ask(new Maps.SeatReport(new SeatId(1), 1, epoch - 1));
    world.pass(SECOND);
    assertThat(seat.pushed).hasSize(1);
    assertThat(seat.refusal(new Maps.SeatReport(new SeatId(1), 7, epoch)))
        .contains("another incarnation");
    assertThat(seat.refusal(new Maps.SeatReport(new SeatId(9), 1, epoch)))
        .contains("not in the map");
    Statuses.ManagerStatus status =
        (Statuses.ManagerStatus) world.client().ask(new Statuses.GetStatus());
    assertThat(status.state()).isEqualTo("serving");
    assertThat(status.expected()).isEqualTo(1);
    assertThat(status.arrived()).isEqualTo(1);
    assertThat(status.ringEpoch()).isEqualTo(epoch);
    assertThat(status.seats()).hasSize(2);
    assertThat(status.seats().get(0).ringEpoch()).isEqualTo(epoch - 1);
    assertThat(status.seats().get(0).silentNanos()).isBetween(SECOND / 2, 10 * SECOND);
  }

  @Test
  void instancesAreMadeAndDestroyed() throws Exception {
    ManagerWorld world = world(3);
    List<ManagerWorld.Peer> seats = world.form(3, 1);
    ManagerWorld.Peer client = world.client();
    Maps.InstanceMade made = (Maps.InstanceMade) client.ask(Offers.create("scratch", 3));
    RingMap map = ManagerWorld.map(client.ask(new Maps.GetMap(0)));
    assertThat(map.epoch()).isEqualTo(made.ringEpoch());
    Instance instance = map.instance("scratch");
    assertThat(instance.id()).isEqualTo(made.instance());
    assertThat(instance.owner()).isEqualTo(1000);
    assertThat(instance.group()).isEqualTo(100);
    assertThat(map.group(instance.rootGroup()).members()).hasSize(3);
    world.pass(SECOND);
    assertThat(seats.getFirst().pushed.getLast().ringEpoch()).isEqualTo(made.ringEpoch());

    assertThat(client.refusal(Offers.create("scratch", 2))).contains("already");
    assertThat(client.refusal(new Maps.DestroyInstance(Offers.op(), "scratch", Offers.OTHER)))
        .contains("belongs to user 1000");
    assertThat(client.refusal(new Maps.DestroyInstance(Offers.op(), "nothing", Offers.USER)))
        .startsWith("there is no instance 'nothing'");
    assertThat(client.ask(new Maps.DestroyInstance(Offers.op(), "scratch", Identity.root())))
        .isInstanceOf(Replies.Done.class);
    RingMap after = ManagerWorld.map(client.ask(new Maps.GetMap(map.epoch())));
    assertThat(after.instance(made.instance()).drain().ending()).isTrue();
    assertThat(client.ask(new Maps.DiscardInstance(Offers.op(), "scratch", Identity.root())))
        .isInstanceOf(Replies.Done.class);
    assertThat(world.manager.map().instance(made.instance())).isNull();
    assertThat(world.manager.map().ended().contains(made.instance())).isTrue();
  }

  @Test
  void ownersChangeWhatUsersMayWrite() throws Exception {
    ManagerWorld world = world(2);
    world.form(2, 1);
    ManagerWorld.Peer client = world.client();
    client.ask(Offers.create("a", 1));
    assertThat(world.manager.map().instance("a").protection()).isEmpty();
    Maps.ProtectInstance protect =
        new Maps.ProtectInstance(Offers.op(), "a", Offers.USER, " window=2TiB/24h , log");
    assertThat(client.ask(protect)).isInstanceOf(Replies.Done.class);
    assertThat(world.manager.map().instance("a").protection()).isEqualTo("window=2TiB/1d,log");
    assertThat(client.ask(protect)).isInstanceOf(Replies.Done.class);
    assertThat(protectRefusal(client, Offers.OTHER, "files=1")).contains("belongs to user 1000");
    assertThat(protectRefusal(client, Offers.USER, "files")).contains("no number of files");
    assertThat(protectRefusal(client, Offers.USER, "window=2x/24h")).contains("has no capacity");
    assertThat(client.ask(new Maps.ProtectInstance(Offers.op(), "a", Identity.root(), "none")))
        .isInstanceOf(Replies.Done.class);
    assertThat(world.manager.map().instance("a").protection()).isEmpty();
  }

  private static String protectRefusal(ManagerWorld.Peer client, Identity who, String text)
      throws Exception {
    return client.refusal(new Maps.ProtectInstance(Offers.op(), "a", who, text));
  }

  @Test
  void zeroMeansTheDefaultAndStrangeWordsAreRefused() throws Exception {
    ManagerWorld world = world(2);
    world.form(2, 1);
    ManagerWorld.Peer client = world.client();
    client.ask(Offers.create("a", 0));
    Instance instance = world.manager.map().instance("a");
    assertThat(instance.copies()).isEqualTo(2);
    assertThat(instance.placement().stripeBytes()).isEqualTo(8 << 20);
    assertThat(client.refusal(words("for ever", "shared", "ketama"))).contains("'for ever'");
    assertThat(client.refusal(words("job", "mine", "ketama"))).contains("'mine'");
    assertThat(client.refusal(words("job", "private", "here"))).contains("'here'");
    assertThat(client.refusal(words("job", "private", "isolated")))
        .contains("'forebay job begin TOKEN --capacity SIZE'");
    assertThat(client.ask(words("persistent", "private", "isolated")))
        .isInstanceOf(Maps.InstanceMade.class);
  }

  private static Maps.CreateInstance words(String lifetime, String access, String placement) {
    return new Maps.CreateInstance(
        Offers.op(),
        "b",
        Offers.USER,
        lifetime,
        access,
        0,
        1,
        false,
        "continue",
        placement,
        4096,
        1,
        "",
        "",
        "",
        false,
        "",
        "everyone",
        "squash",
        0,
        "");
  }

  @Test
  void twoThatMakeTheSameInstanceAtOnceGetOneOfIt() throws Exception {
    ManagerWorld world = world(1);
    world.form(1, 1);
    ManagerWorld.Peer one = world.client();
    ManagerWorld.Peer two = world.client();
    long first = one.send(Offers.create("a", 1));
    long second = two.send(Offers.create("a", 1));
    world.until(() -> one.answer(first) != null && two.answer(second) != null, "answers");
    assertThat(List.of(one.answer(first), two.answer(second)))
        .hasAtLeastOneElementOfType(Maps.InstanceMade.class)
        .hasAtLeastOneElementOfType(Replies.Failed.class);
    assertThat(world.manager.map().instances()).hasSize(1);
  }

  /** The answer was late, or the connection broke: the same is asked again. */
  @Test
  void whoAsksAgainIsAnsweredTheSame() throws Exception {
    ManagerWorld world = world(1);
    world.form(1, 1);
    Maps.CreateInstance create = Offers.create("a", 1);
    ManagerWorld.Peer one = world.client();
    ManagerWorld.Peer two = world.client();
    long first = one.send(create);
    long second = one.send(create);
    long third = two.send(create);
    world.until(
        () -> one.answer(first) != null && one.answer(second) != null && two.answer(third) != null,
        "answers");
    assertThat(List.of(one.answer(first), one.answer(second), two.answer(third)))
        .allMatch(answer -> answer instanceof Maps.InstanceMade made && made.instance() == 1);
    assertThat(world.manager.map().instances()).hasSize(1);

    Maps.DiscardInstance destroy = new Maps.DiscardInstance(Offers.op(), "a", Offers.USER);
    assertThat(one.ask(destroy)).isInstanceOf(Replies.Done.class);
    assertThat(two.ask(destroy)).isInstanceOf(Replies.Done.class);
    one.ask(Offers.create("a", 1));
    assertThat(two.ask(destroy)).isInstanceOf(Replies.Done.class);
    assertThat(world.manager.map().instance("a").id()).as("a later one is spared").isEqualTo(2);
  }
}
