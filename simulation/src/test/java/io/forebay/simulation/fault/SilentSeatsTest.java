// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.PairUpload;
import io.forebay.client.core.PairsCore;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.SeededRuns;
import io.forebay.simulation.SimulationRun;
import io.forebay.simulation.audit.LeaseAudit;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Seats that are dead for good, or away for long, or stopped: others take their place. */
class SilentSeatsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int OPERATIONS = 300;
  private static final int USERS = 4;
  private static final int LENGTH = 50_000;
  private static final long SNAPSHOT_BYTES = 2_000;
  private static final Identity ROOT = Identity.root();

  private static final int SEEDS = Integer.getInteger("forebay.seeds", 1);

  private static void run(WorldOptions options, boolean forced, boolean parted, int seeds) {
    SeededRuns.check(
        seeds * SEEDS,
        seed -> {
          SimulationRun run = new SimulationRun(options, USERS, seed).withKills().withSilence();
          return parted ? run.withPartitions() : run;
        },
        OPERATIONS,
        forced,
        (run, outcome) -> assertThat(outcome.faultCount()).isPositive());
  }

  @Test
  void calmNetwork() {
    run(WorldOptions.CALM, false, false, 1);
  }

  @Test
  void lateReorderedAndDuplicatedMessages() {
    run(WorldOptions.ROUGH, false, false, 2);
  }

  @Test
  void partitionsToo() {
    run(WorldOptions.ROUGH, false, true, 1);
  }

  @Test
  void forcedWritesAndSnapshots() {
    run(WorldOptions.ROUGH.withSnapshotBytes(SNAPSHOT_BYTES), true, false, 1);
  }

  @Test
  void threeCopiesOnFiveSeats() {
    run(WorldOptions.ROUGH.withSeats(5, 3), false, false, 1);
  }

  private static SeatNode member(World world, GroupId group, int place) {
    RingMap map = world.map();
    return world.seatAt(map.seat(map.group(group).members().get(place).seat()).server());
  }

  private static SeatEntry entryOf(World world, SeatNode node) {
    return world.map().seats().stream()
        .filter(seat -> seat.server().equals(node.host()))
        .findFirst()
        .orElseThrow();
  }

  private static void put(LoneClient client, PairsCore pairs, String key, int value) {
    PairUpload upload = client.get(pairs.begin(ROOT, key));
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, (byte) value);
    upload.write(upload.layout().cut(ByteBuffer.wrap(bytes), 0));
    client.get(upload.finish());
  }

  private static int get(LoneClient client, PairsCore pairs, String key) {
    byte[] found = client.get(pairs.get(ROOT, key, ByteBuffer::allocate)).array();
    assertThat(found).hasSize(LENGTH).containsOnly(found[0]);
    return found[0];
  }

  @Test
  void clientsGoOnWithoutASeatThatIsDeadForGood() {
    World world = new World(WorldOptions.CALM, 7);
    GroupId root = RawClient.withInstance(world, 2, false).instance().rootGroup();
    LoneClient client = new LoneClient(world, "client-a");
    ClientCore core = client.start("i");
    client.get(core.start());
    PairsCore pairs = client.get(core.pairs());
    for (int i = 0; i < 20; i++) put(client, pairs, "key" + i, i);
    SeatNode dead = member(world, root, 0);
    SeatNode next = member(world, root, 1);
    Group before = world.map().group(root);
    dead.kill();
    for (int i = 10; i < 30; i++) put(client, pairs, "key" + i, i + 1);
    for (int i = 0; i < 30; i++) {
      assertThat(get(client, pairs, "key" + i)).isEqualTo(i < 10 ? i : i + 1);
    }
    assertThat(entryOf(world, dead).away()).isTrue();
    Group now = world.map().group(root);
    assertThat(now.epoch()).isGreaterThan(before.epoch());
    assertThat(member(world, root, 0)).isEqualTo(next);
    assertThat(now.members().getLast().seat()).isEqualTo(before.home());
    assertThat(now.members().getLast().current()).isFalse();
    // It comes back after all, behind the others.
    dead.start();
    world.runFor(5 * SECOND);
    assertThat(entryOf(world, dead).away()).isFalse();
    assertThat(member(world, root, 0)).isEqualTo(next);
    assertThat(get(client, pairs, "key29")).isEqualTo(30);
  }

  @Test
  void aClientWithoutAManagerLearnsOfItFromOtherSeats() {
    World world = new World(WorldOptions.CALM, 13);
    GroupId root = RawClient.withInstance(world, 2, false).instance().rootGroup();
    LoneClient client = new LoneClient(world, "client-a");
    ClientCore core = client.start("i");
    client.get(core.start());
    PairsCore pairs = client.get(core.pairs());
    put(client, pairs, "key", 1);
    world.network().partition("client-a", "manager", false);
    member(world, root, 0).kill();
    for (int i = 2; i < 10; i++) put(client, pairs, "key", i);
    assertThat(get(client, pairs, "key")).isEqualTo(9);
  }

  /** On either side of a cut somebody believes to be home; only one of them may be believed. */
  @Test
  void aHomeThatIsCutOffShowsNothingOld() {
    AtomicInteger shown = new AtomicInteger();
    SeededRuns.each(4 * SEEDS, seed -> shown.addAndGet(new CutOffHome(seed).readsOnBothSides()));
    assertThat(shown).hasPositiveValue();
  }

  @Test
  void aStoppedHomeThatGoesOnChangesNothing() {
    World world = new World(WorldOptions.CALM, 8);
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    GroupId root = client.instance().rootGroup();
    Group before = client.group(root);
    SeatNode home = member(world, root, 0);
    client.await(client.put(root, new RecordId(RawClient.SESSION, 256), LENGTH));
    world.pause(home);
    RecordId record = new RecordId(RawClient.SESSION, 512);
    long put = client.put(root, record, LENGTH);
    long made = client.sendNames(RawClient.SESSION, new Names.MakeDirectory(Names.ROOT, "d", 0755));
    assertThat(world.runUntil(() -> entryOf(world, home).away(), 10 * SECOND)).isTrue();
    world.runFor(5 * SECOND);
    world.resume(home);
    // What was waiting for it is not accepted any more.
    assertThat(client.await(put)).isInstanceOf(Replies.Failed.class);
    assertThat(codeOf(client.await(made))).isNotEqualTo(ErrorCode.EXISTS);
    world.runFor(5 * SECOND);
    assertThat(entryOf(world, home).away()).isFalse();
    Group now = world.map().group(root);
    assertThat(now.home()).isEqualTo(before.members().get(1).seat());
    Statuses.SeatStatus status =
        (Statuses.SeatStatus) client.call(home.host(), Lane.CONTROL, new Statuses.GetStatus());
    assertThat(status.ringEpoch()).isEqualTo(world.map().epoch());
    for (Statuses.GroupStatus group : status.groups()) {
      if (group.group().equals(root)) assertThat(group.role()).isEqualTo("member");
    }
    assertThat(client.await(client.put(root, record, LENGTH))).isInstanceOf(Data.PutDone.class);
    assertThat(client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755)))
        .isInstanceOf(Names.NodeIs.class);
  }

  private static ErrorCode codeOf(Message message) {
    assertThat(message).isInstanceOf(Replies.Failed.class);
    return ((Replies.Failed) message).code();
  }

  @Test
  void whoeverOfTwoComesBackFirstServes() {
    for (int place = 0; place < 2; place++) {
      World world = new World(WorldOptions.CALM, 9);
      RawClient client = RawClient.withInstance(world, 2, false);
      client.names(new Names.BeginSession("raw", 600 * SECOND));
      GroupId root = client.instance().rootGroup();
      SeatNode first = member(world, root, place);
      SeatNode second = member(world, root, 1 - place);
      first.kill();
      second.kill();
      world.runFor(10 * SECOND);
      assertThat(world.map().group(root).members()).allMatch(Group.Member::current);
      first.start();
      world.runFor(12 * SECOND);
      assertThat(member(world, root, 0)).isEqualTo(first);
      assertThat(client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755)))
          .isInstanceOf(Names.NodeIs.class);
    }
  }

  @Test
  void twoSeatsNeedNoWitness() {
    World world = new World(WorldOptions.CALM.withSeats(2, 2), 10);
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    GroupId root = client.instance().rootGroup();
    member(world, root, 0).kill();
    world.runFor(10 * SECOND);
    assertThat(client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755)))
        .isInstanceOf(Names.NodeIs.class);
  }

  @Test
  void oneOfThreeCopiesIsEnough() {
    World world = new World(WorldOptions.CALM.withSeats(3, 3), 11);
    RawClient client = RawClient.withInstance(world, 3, false);
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    GroupId root = client.instance().rootGroup();
    SeatNode last = member(world, root, 2);
    member(world, root, 0).kill();
    member(world, root, 1).kill();
    world.runFor(15 * SECOND);
    assertThat(member(world, root, 0)).isEqualTo(last);
    assertThat(client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755)))
        .isInstanceOf(Names.NodeIs.class);
  }

  @Test
  void aSeatThatOnlyItsNeighbourCannotReachStays() {
    World world = new World(WorldOptions.CALM, 12);
    RawClient client = RawClient.withInstance(world, 2, false);
    long epoch = world.map().epoch();
    List<SeatNode> seats = world.seats();
    world.network().partition(seats.get(0).host(), seats.get(1).host(), false);
    world.runFor(20 * SECOND);
    assertThat(world.map().seats()).noneMatch(SeatEntry::away);
    assertThat(world.map().epoch()).isEqualTo(epoch);
    assertThat(client.instance()).isNotNull();
  }

  /** However large the ring is, a seat asks the same few. */
  @Test
  void watchingCostsTheSameInLargeRings() {
    assertThat(pingsPerSeat(12)).isEqualTo(pingsPerSeat(5));
  }

  private static long pingsPerSeat(int seats) {
    World world = new World(WorldOptions.CALM.withSeats(seats, 2), 14);
    RawClient.withInstance(world, 2, false);
    world.runFor(5 * SECOND);
    long[] pings = {0};
    world
        .trace()
        .follow(
            line -> {
              if (line.contains(" Ping")) pings[0]++;
            });
    world.runFor(20 * SECOND);
    return Math.round((double) pings[0] / seats);
  }

  /** The map that makes it home is written down while its promise to the home before stands. */
  @Test
  void aMemberThatStartsAgainKeepsThePromiseOfItsProcessBefore() {
    World world = new World(WorldOptions.CALM, 31);
    GroupId root = RawClient.withInstance(world, 2, false).instance().rootGroup();
    world.runFor(3 * SECOND);
    SeatNode home = member(world, root, 0);
    SeatNode next = member(world, root, 1);
    LeaseAudit audit = new LeaseAudit(world);
    world.runFor(SECOND);
    home.killAndLoseMemory();
    home.start();
    assertThat(world.runUntil(() -> member(world, root, 0).equals(next), 10 * SECOND)).isTrue();
    world.runFor(SECOND / 20);
    long epoch = world.map().group(root).epoch();
    assertThat(next.seat().entered(root).epoch()).isLessThan(epoch);
    next.kill();
    next.start();
    boolean entered =
        world.runUntil(
            () -> {
              audit.look();
              Group group = next.seat().entered(root);
              return group != null && group.epoch() > epoch;
            },
            10 * SECOND);
    assertThat(entered).isTrue();
    assertThat(audit.problems()).isEmpty();
  }

  /** It leaves the group and comes back while its promise to the home stands. */
  @Test
  void aMemberThatComesBackKeepsItsPromise() {
    World world = new World(WorldOptions.CALM, 32);
    GroupId root = RawClient.withInstance(world, 2, false).instance().rootGroup();
    LeaseAudit audit = new LeaseAudit(world);
    world.runFor(3 * SECOND);
    audit.look();
    RingMap map = world.map();
    List<Group.Member> both = map.group(root).members();
    SeatNode member = member(world, root, 1);
    world.manager().kill();
    tell(member, with(map, root, 1, List.of(both.get(0))));
    assertThat(world.runUntil(() -> member.seat().entered(root) == null, SECOND / 2)).isTrue();
    tell(member, with(map, root, 2, both));
    assertThat(world.runUntil(() -> member.seat().entered(root) != null, SECOND / 2)).isTrue();
    RingMap last = with(map, root, 3, both.reversed());
    tell(member, last);
    boolean entered =
        world.runUntil(
            () -> {
              audit.look();
              return member.seat().entered(root).epoch() == last.group(root).epoch();
            },
            10 * SECOND);
    assertThat(entered).isTrue();
    assertThat(audit.problems()).isEmpty();
  }

  /** The map after so many changes of a group. */
  private static RingMap with(RingMap map, GroupId id, int changes, List<Group.Member> members) {
    Group next = new Group(id, map.group(id).epoch() + changes, members);
    return new RingMap(
        map.cluster(),
        map.term(),
        map.epoch() + changes,
        map.seats(),
        map.groups().stream().map(each -> each.id().equals(id) ? next : each).toList(),
        map.instances());
  }

  private static void tell(SeatNode node, RingMap map) {
    node.seat().mapArrived(new Maps.MapIs(map.epoch(), RingMapCodec.write(map)));
  }
}
