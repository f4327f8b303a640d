// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.client.core.ClientCore;
import io.forebay.client.core.PairUpload;
import io.forebay.client.core.PairsCore;
import io.forebay.ring.Group;
import io.forebay.ring.RingArrangement;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.world.Administrator;
import io.forebay.simulation.world.LoneClient;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.RecordWalk;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Groups get other members: seats are gone for good, and come back after all. */
class MembershipTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 50_000;
  private static final int KEYS = 20;
  private static final Identity ROOT = Identity.root();

  private final World world;
  private final PairsCore pairs;
  private final LoneClient client;

  MembershipTest() {
    world = new World(WorldOptions.CALM.withSeats(4, 2), 71);
    RawClient.withInstance(world, 2, false);
    client = new LoneClient(world, "client-a");
    ClientCore core = client.start("i");
    client.get(core.start());
    pairs = client.get(core.pairs());
    for (int i = 0; i < KEYS; i++) put("key" + i, i);
  }

  private void put(String key, int value) {
    PairUpload upload = client.get(pairs.begin(ROOT, key));
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, (byte) value);
    upload.write(upload.layout().cut(ByteBuffer.wrap(bytes), 0));
    client.get(upload.finish());
  }

  private int get(String key) {
    byte[] found = client.get(pairs.get(ROOT, key, ByteBuffer::allocate)).array();
    assertThat(found).hasSize(LENGTH).containsOnly(found[0]);
    return found[0];
  }

  private RingMap map() {
    return world.map();
  }

  /** Whether each group has exactly the members that it should have, and all are current. */
  private boolean settled(boolean inOrder) {
    for (Group group : map().groups()) {
      List<SeatId> wanted =
          RingArrangement.members(map().seats(), group.id().origin(), group.id().copies()).stream()
              .map(SeatEntry::id)
              .toList();
      List<SeatId> members = group.members().stream().map(Group.Member::seat).toList();
      boolean right =
          inOrder ? members.equals(wanted) : new TreeSet<>(members).equals(new TreeSet<>(wanted));
      if (!right || !group.members().stream().allMatch(Group.Member::current)) return false;
    }
    return true;
  }

  private void settles(boolean inOrder, int seconds) {
    assertThat(world.runUntil(() -> settled(inOrder), seconds * SECOND))
        .as("%s", map().groups())
        .isTrue();
  }

  /** How many records of groups a running seat has that it is no member of. */
  private long strangeRecords(SeatNode node) {
    SeatEntry entry = entryOf(node);
    Map<RecordId, Integer> strange = new TreeMap<>();
    RecordWalk walk = node.store().walk();
    boolean more = true;
    while (more) {
      more =
          walk.next(
              (id, file, number, bytes) -> {
                Group group = map().group(new GroupId(number));
                if (group.indexOf(entry.id()) < 0) strange.put(id, number);
              });
    }
    return strange.size();
  }

  private SeatEntry entryOf(SeatNode node) {
    return map().seats().stream()
        .filter(seat -> seat.server().equals(node.host()))
        .findFirst()
        .orElseThrow();
  }

  private void killForGood(SeatNode node) {
    node.kill();
    long killedNanos = world.nanos();
    assertThat(world.runUntil(() -> entryOf(node).stay() == SeatEntry.Stay.GONE, 30 * SECOND))
        .isTrue();
    settles(false, 60);
    assertThat(world.nanos() - killedNanos).isLessThan(60 * SECOND);
  }

  private void allIsThere() {
    for (int i = 0; i < KEYS; i++) assertThat(get("key" + i)).isEqualTo(i);
  }

  @Test
  void othersTakeThePlaceOfASeatThatIsGoneForGood() {
    SeatNode dead = world.seats().get(1);
    killForGood(dead);
    assertThat(map().groups()).noneMatch(group -> group.indexOf(entryOf(dead).id()) >= 0);
    allIsThere();
    // With two copies again, another one can die.
    world.seats().get(2).kill();
    allIsThere();
  }

  @Test
  void whoIsBackAfterAllIsAMemberAgainAndHomeWhenAllIsQuiet() {
    SeatNode back = world.seats().get(1);
    killForGood(back);
    world.runFor(40 * SECOND);
    back.start();
    world.runFor(5 * SECOND);
    assertThat(entryOf(back).stay()).isEqualTo(SeatEntry.Stay.HERE);
    settles(true, 150);
    allIsThere();
    for (SeatNode node : world.seats()) {
      assertThat(world.runUntil(() -> strangeRecords(node) == 0, 60 * SECOND)).isTrue();
    }
    allIsThere();
    long epoch = map().epoch();
    world.runFor(120 * SECOND);
    assertThat(map().epoch()).as("nothing more is to be changed").isEqualTo(epoch);
  }

  @Test
  void whatWasDroppedCanComeBack() {
    SeatNode first = world.seats().get(1);
    // Each time it is replaced, drops what it has, and becomes a member again.
    for (int i = 0; i < 2; i++) {
      killForGood(first);
      first.start();
      world.runFor(60 * SECOND);
      settles(true, 150);
    }
    for (SeatNode node : world.seats()) {
      if (!node.equals(first)) node.kill();
    }
    world.runFor(SECOND);
    for (SeatNode node : world.seats()) {
      if (!node.equals(first)) node.start();
    }
    allIsThere();
  }

  @Test
  void aShortAbsenceReplacesNobody() {
    SeatNode away = world.seats().get(1);
    away.kill();
    world.runFor(15 * SECOND);
    away.start();
    world.runFor(10 * SECOND);
    for (Group group : map().groups()) assertThat(group.members()).hasSize(2);
    settles(true, 100);
  }

  @Test
  void withTooFewServersMembersStayThatMayComeBack() {
    SeatNode one = world.seats().get(0);
    for (SeatNode node : world.seats()) if (!node.equals(one)) node.kill();
    world.runFor(90 * SECOND);
    for (Group group : map().groups()) {
      assertThat(group.members()).hasSizeGreaterThanOrEqualTo(2);
    }
    for (SeatNode node : world.seats()) if (!node.equals(one)) node.start();
    settles(true, 200);
    allIsThere();
  }

  private SeatNode join(int behind) {
    SeatNode joiner = world.newSeat();
    joiner.join(behind);
    joiner.start();
    assertThat(world.runUntil(() -> map().seats().size() == world.seats().size(), 10 * SECOND))
        .isTrue();
    return joiner;
  }

  @Test
  void aSeatThatJoinsGetsNewWritesAndItsShareOfCopies() {
    SeatNode joiner = join(0);
    SeatEntry entry = entryOf(joiner);
    assertThat(map().instance("i").seats()).contains(entry.id());
    assertThat(map().group(GroupId.of(entry.id(), 2)).home()).isEqualTo(entry.id());
    settles(true, 100);
    assertThat(map().groups().stream().filter(group -> group.indexOf(entry.id()) >= 0)).hasSize(2);
    for (int i = 0; i < KEYS; i++) put("more" + i, i);
    assertThat(joiner.store().stats().recordsIndexed()).isPositive();
    allIsThere();
    // What is on the joiner and its neighbours survives any of them.
    world.seats().getFirst().kill();
    allIsThere();
    for (int i = 0; i < KEYS; i++) assertThat(get("more" + i)).isEqualTo(i);
  }

  @Test
  void aJoinerMayNameItsPredecessor() {
    SeatId second = map().seats().get(1).id();
    SeatNode joiner = join(second.number());
    assertThat(map().seats().get(2)).isEqualTo(entryOf(joiner));
    // It stays there, and who it is, when it starts again.
    joiner.kill();
    joiner.start();
    world.runFor(5 * SECOND);
    assertThat(map().seats()).hasSize(5);
    settles(true, 100);
    allIsThere();
  }

  @Test
  void nobodyJoinsBehindASeatThatThereIsNot() {
    SeatNode joiner = world.newSeat();
    joiner.join(99);
    joiner.start();
    world.runFor(5 * SECOND);
    assertThat(map().seats()).hasSize(4);
  }

  @Test
  void aServerLeavesWithNothingLost() {
    SeatNode leaver = world.seats().get(2);
    Message answer = new Administrator(world).leave(leaver.host());
    assertThat(answer).isInstanceOf(Replies.Done.class);
    assertThat(entryOf(leaver).stay()).isEqualTo(SeatEntry.Stay.LEAVING);
    assertThat(map().instance("i").seats()).hasSize(3).doesNotContain(entryOf(leaver).id());
    for (int i = 0; i < KEYS; i++) put("more" + i, i);
    assertThat(world.runUntil(leaver::hasLeft, 60 * SECOND)).isTrue();
    assertThat(map().groups()).noneMatch(group -> group.indexOf(entryOf(leaver).id()) >= 0);
    leaver.kill();
    allIsThere();
    for (int i = 0; i < KEYS; i++) assertThat(get("more" + i)).isEqualTo(i);
    settles(true, 100);
    // Asked again it has left; started again it is told so.
    assertThat(new Administrator(world).leave(leaver.host())).isInstanceOf(Replies.Done.class);
    leaver.start();
    assertThat(world.runUntil(leaver::hasLeft, 10 * SECOND)).isTrue();
    assertThat(entryOf(leaver).stay()).isEqualTo(SeatEntry.Stay.LEFT);
  }

  @Test
  void asManyServersStayAsCopiesNeed() {
    Administrator administrator = new Administrator(world);
    for (int i = 0; i < 2; i++) {
      SeatNode leaver = world.seats().get(i);
      assertThat(administrator.leave(leaver.host())).isInstanceOf(Replies.Done.class);
    }
    assertThat(administrator.leave(world.seats().get(2).host()))
        .isInstanceOfSatisfying(
            Replies.Failed.class,
            failed -> assertThat(failed.detail()).contains("keeps 2 copies; add a server first"));
    assertThat(administrator.leave("nobody")).isInstanceOf(Replies.Failed.class);
    for (int i = 0; i < 2; i++) {
      SeatNode leaver = world.seats().get(i);
      assertThat(world.runUntil(leaver::hasLeft, 60 * SECOND)).isTrue();
      leaver.kill();
    }
    allIsThere();
  }

  @Test
  void aServerThatDiesWhileItLeavesIsNotWaitedFor() {
    SeatNode leaver = world.seats().get(2);
    new Administrator(world).leave(leaver.host());
    world.runFor(SECOND);
    leaver.kill();
    assertThat(world.runUntil(() -> entryOf(leaver).stay() == SeatEntry.Stay.LEFT, 60 * SECOND))
        .isTrue();
    allIsThere();
  }

  @Test
  void aMemberThatItsHomeCannotReachIsBypassedAndRestsLongerEachTime() {
    GroupId root = map().instance("i").rootGroup();
    long restedNanos = 0;
    for (int i = 0; i < 2; i++) {
      Group before = map().group(root);
      SeatEntry member = map().seat(before.members().get(1).seat());
      world.network().partition(map().seat(before.home()).server(), member.server(), false);
      // Names can be changed again before clients give up.
      put("slow" + i, i);
      Group now = map().group(root);
      assertThat(now.home()).isEqualTo(before.home());
      assertThat(now.member(member.id()).resting()).isTrue();
      assertThat(map().seats()).noneMatch(SeatEntry::away);
      world.network().healAll();
      long sinceNanos = world.nanos();
      assertThat(world.runUntil(() -> map().group(root).member(member.id()).current(), 60 * SECOND))
          .isTrue();
      assertThat(world.nanos() - sinceNanos).isGreaterThan(restedNanos);
      restedNanos = world.nanos() - sinceNanos;
    }
    allIsThere();
    assertThat(get("slow1")).isEqualTo(1);
  }

  @Test
  void aRollingRestartFailsNoOperation() {
    for (SeatNode node : List.copyOf(world.seats())) {
      node.kill();
      put("during-" + node.host(), 1);
      node.start();
      put("after-" + node.host(), 2);
      assertThat(world.runUntil(() -> settled(false), 60 * SECOND)).isTrue();
    }
    for (SeatNode node : world.seats()) {
      assertThat(get("during-" + node.host())).isEqualTo(1);
      assertThat(get("after-" + node.host())).isEqualTo(2);
    }
    allIsThere();
  }

  @Test
  void healthyGroupsNeedNoManager() {
    world.manager().kill();
    for (int i = 0; i < KEYS; i++) put("key" + i, i);
    world.runFor(60 * SECOND);
    allIsThere();
    world.manager().start();
    world.runFor(5 * SECOND);
    join(0);
    settles(true, 100);
  }

  @Test
  void serversJoinAndLeaveAtRandom() {
    SeededRuns.check(
        1,
        seed -> new SimulationRun(WorldOptions.ROUGH, 4, seed).withKills().withGrowth(),
        300,
        false,
        (run, outcome) -> assertThat(outcome.faultCount()).isPositive());
  }
}
