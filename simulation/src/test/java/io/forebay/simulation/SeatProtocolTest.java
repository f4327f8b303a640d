// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.StageKeys;
import io.forebay.ring.Group;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The rules of the protocol, one by one, on a simulated cluster that is told exactly what to do.
 */
class SeatProtocolTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 100_000;

  private final World world = new World(WorldOptions.CALM, 42);

  private SeatNode node(String host) {
    return world.seats().stream().filter(seat -> seat.host().equals(host)).findFirst().get();
  }

  private static ErrorCode codeOf(Message message) {
    assertThat(message).isInstanceOf(Replies.Failed.class);
    return ((Replies.Failed) message).code();
  }

  private static GroupId firstGroup(RawClient client, int copies) {
    return GroupId.of(client.map().seats().get(0).id(), copies);
  }

  @Test
  void everyMemberHasWhatIsAcknowledged() {
    RawClient client = RawClient.withInstance(world, 3, false);
    GroupId group = firstGroup(client, 3);
    for (int i = 1; i <= 20; i++) {
      RecordId record = new RecordId(RawClient.SESSION, i * 256L);
      long request = client.put(group, record, LENGTH);
      assertThat(client.await(request)).isEqualTo(new Data.PutDone(record));
      for (Group.Member member : client.group(group).members()) {
        String host = client.map().seat(member.seat()).server();
        assertThat(node(host).store().present(record)).as("%s on %s", record, host).isTrue();
      }
      long read =
          client.send(
              client.hostOf(client.group(group), i % 3),
              Lane.CONTROL,
              new Data.Get(group, record, client.instance().id(), 7, 1000, RawClient.SECRET));
      client.await(read);
      assertThat(client.payload(read)).isEqualTo(RawClient.content(record, LENGTH).slice(7, 1000));
    }
  }

  @Test
  void aDuplicateIsNotAcknowledgedForBeingHere() {
    RawClient client = RawClient.withInstance(world, 2, false);
    GroupId group = firstGroup(client, 2);
    RecordId record = new RecordId(RawClient.SESSION, 256);
    client.await(client.put(group, record, LENGTH));
    Group members = client.group(group);
    world.network().partition(client.hostOf(members, 0), client.hostOf(members, 1), false);
    long again = client.put(group, record, LENGTH);
    world.runFor(3 * SECOND);
    assertThat(client.reply(again)).isNull();
    world.network().healAll();
    assertThat(client.await(again)).isEqualTo(new Data.PutDone(record));
  }

  @Test
  void aDuplicateWithOtherBytesIsRefusedAndNotSentOn() {
    RawClient client = RawClient.withInstance(world, 2, false);
    GroupId group = firstGroup(client, 2);
    long epoch = client.group(group).epoch();
    RecordId record = new RecordId(RawClient.SESSION, 256);
    client.await(client.put(group, record, LENGTH));
    ByteBuffer other = RawClient.content(new RecordId(RawClient.SESSION, 3), LENGTH);
    Checksums checksums = Checksums.of(BlockChecksums.of(other));
    long differs = client.put(group, epoch, record, other, checksums);
    assertThat(codeOf(client.await(differs))).isEqualTo(ErrorCode.MALFORMED);
    long shorter = client.put(group, record, LENGTH - 1);
    assertThat(codeOf(client.await(shorter))).isEqualTo(ErrorCode.MALFORMED);
    assertThat(client.await(client.put(group, record, LENGTH))).isEqualTo(new Data.PutDone(record));
  }

  @Test
  void whatAMemberNeverTakesIsRefusedAfterABound() {
    RawClient client = RawClient.withInstance(world, 2, false);
    GroupId group = firstGroup(client, 2);
    Group members = client.group(group);
    RecordId record = new RecordId(RawClient.SESSION, 256);
    ByteBuffer other = RawClient.content(new RecordId(RawClient.SESSION, 3), LENGTH);
    FileId file = new FileId(client.instance().id(), Names.inTree(0, 1000));
    Checksums checksums = Checksums.of(BlockChecksums.of(other));
    String member = client.hostOf(members, 1);
    RawClient seat = new RawClient(world, Handshake.Role.SEAT);
    seat.sendPayload(
        member,
        new Data.Replicate(group, members.epoch(), record, file, 0, false, checksums),
        other);
    assertThat(world.runUntil(() -> node(member).store().present(record), SECOND)).isTrue();
    long refused = client.put(group, record, LENGTH);
    assertThat(codeOf(client.await(refused))).isEqualTo(ErrorCode.MALFORMED);
  }

  @Test
  void aFileThatMustBeNewIsMadeOnceThoughItIsAskedForTwice() {
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    Names.Open open = new Names.Open(Names.ROOT, "new", false, true, true, true, false, 0400);
    Message made = client.names(open);
    assertThat(made).isInstanceOf(Names.NodeIs.class);
    assertThat(client.namesAgain(open)).isEqualTo(made);
    assertThat(codeOf(client.names(open))).isEqualTo(ErrorCode.EXISTS);
  }

  @Test
  void olderEpochsAreRefusedAndNewerOnesHeld() {
    RawClient client = RawClient.withInstance(world, 2, false);
    GroupId group = firstGroup(client, 2);
    RecordId record = new RecordId(RawClient.SESSION, 256);
    ByteBuffer bytes = RawClient.content(record, LENGTH);
    Checksums checksums = Checksums.of(BlockChecksums.of(bytes));
    long epoch = client.group(group).epoch();
    assertThat(codeOf(client.await(client.put(group, epoch - 1, record, bytes, checksums))))
        .isEqualTo(ErrorCode.STALE_EPOCH);
    assertThat(client.unasked).anyMatch(Maps.MapIs.class::isInstance);
    // An epoch that nobody knows: held as long as it may be, then refused.
    long early = client.put(group, epoch + 1, record, bytes, checksums);
    world.runFor(SECOND);
    assertThat(client.reply(early)).isNull();
    assertThat(codeOf(client.await(early))).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(node(client.homeOf(group)).store().present(record)).isFalse();
  }

  @Test
  void aPayloadThatDoesNotMatchIsRefused() {
    RawClient client = RawClient.withInstance(world, 2, false);
    GroupId group = firstGroup(client, 2);
    RecordId record = new RecordId(RawClient.SESSION, 256);
    ByteBuffer bytes = RawClient.content(record, LENGTH);
    Checksums checksums = Checksums.of(BlockChecksums.of(bytes));
    bytes.put(5, (byte) (bytes.get(5) ^ 1));
    long epoch = client.group(group).epoch();
    assertThat(codeOf(client.await(client.put(group, epoch, record, bytes, checksums))))
        .isEqualTo(ErrorCode.CORRUPT);
    long short_ = client.put(group, epoch, record, bytes, Checksums.NONE);
    assertThat(codeOf(client.await(short_))).isEqualTo(ErrorCode.MALFORMED);
    assertThat(client.await(client.put(group, record, LENGTH))).isInstanceOf(Data.PutDone.class);
  }

  @Test
  void namesSurviveTheDeathOfTheirHome() {
    RawClient client = RawClient.withInstance(world, 2, false);
    assertThat(client.names(new Names.BeginSession("raw", 60 * SECOND)))
        .isInstanceOf(Names.SessionIs.class);
    for (int i = 0; i < 50; i++) {
      assertThat(client.names(new Names.MakeDirectory(Names.ROOT, "d" + i, 0755)))
          .isInstanceOf(Names.NodeIs.class);
    }
    GroupId root = client.instance().rootGroup();
    String home = client.homeOf(root);
    long epoch = client.group(root).epoch();
    node(home).kill();
    world.runFor(SECOND);
    node(home).start();
    assertThat(world.runUntil(() -> client.group(root).epoch() > epoch, 10 * SECOND)).isTrue();
    world.runFor(4 * SECOND);
    Message listing = client.names(new Names.ListDirectory(Names.ROOT, "", "", 100));
    assertThat(listing).isInstanceOf(Names.Listing.class);
    assertThat(((Names.Listing) listing).entries()).hasSize(50);
  }

  @Test
  void withoutLeasesNamesAreNotRead() {
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    GroupId root = client.instance().rootGroup();
    Group members = client.group(root);
    Names.Lookup lookup = new Names.Lookup(Names.ROOT, "", true);
    assertThat(client.names(lookup)).isInstanceOf(Names.NodeIs.class);
    world.network().partition(client.hostOf(members, 1), client.hostOf(members, 0), true);
    world.runFor(3 * SECOND);
    assertThat(codeOf(client.names(lookup))).isEqualTo(ErrorCode.UNAVAILABLE);
    long change =
        client.sendNames(RawClient.SESSION, new Names.MakeDirectory(Names.ROOT, "d", 0755));
    world.runFor(3 * SECOND);
    assertThat(client.reply(change)).isNull();
    world.network().healAll();
    assertThat(client.await(change)).isInstanceOf(Names.NodeIs.class);
    world.runFor(SECOND);
    assertThat(client.names(lookup)).isInstanceOf(Names.NodeIs.class);
  }

  @Test
  void unpublishedRecordsGoWithTheirSession() {
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 5 * SECOND));
    Names.NodeIs file =
        (Names.NodeIs)
            client.names(new Names.Open(Names.ROOT, "f", true, true, true, false, false, 0644));
    GroupId group = firstGroup(client, 2);
    TreeSet<Long> kept = new TreeSet<>();
    for (int i = 1; i <= 4; i++) {
      client.await(client.put(group, new RecordId(RawClient.SESSION, i * 256L), LENGTH));
    }
    kept.add(2L * 256);
    Message published =
        client.names(
            new Names.Publish(
                file.attributes().number(),
                false,
                false,
                List.of(new Names.Piece(0, LENGTH, group, 2 * 256))));
    assertThat(published).isInstanceOf(Names.Published.class);
    // Nothing is heard of the client any more.
    world.runFor(15 * SECOND);
    for (Group.Member member : client.group(group).members()) {
      SeatNode node = node(client.map().seat(member.seat()).server());
      for (long i = 1; i <= 4; i++) {
        assertThat(node.store().present(new RecordId(RawClient.SESSION, i * 256L)))
            .as("record %d on %s", i, node.host())
            .isEqualTo(kept.contains(i * 256L));
      }
    }
    assertThat(codeOf(client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755))))
        .isEqualTo(ErrorCode.SESSION_ENDED);
  }

  @Test
  void anEndedSessionPutsNothingMore() {
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 60 * SECOND));
    GroupId group = firstGroup(client, 2);
    RecordId before = new RecordId(RawClient.SESSION, 256);
    RecordId after = new RecordId(RawClient.SESSION, 512);
    client.await(client.put(group, before, LENGTH));
    client.names(new Names.EndSession());
    world.runFor(5 * SECOND);
    for (RecordId late : List.of(before, after)) {
      assertThat(codeOf(client.await(client.put(group, late, LENGTH))))
          .isEqualTo(ErrorCode.SESSION_ENDED);
    }
    assertAbsent(before);
    assertAbsent(after);
  }

  private void assertAbsent(RecordId record) {
    for (SeatNode node : world.seats()) {
      assertThat(node.store().present(record)).as("%s on %s", record, node.host()).isFalse();
    }
  }

  @Test
  void anUnlinkedFileLastsUntilItIsReleased() {
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 60 * SECOND));
    GroupId group = firstGroup(client, 2);
    RecordId record = new RecordId(RawClient.SESSION, 256);
    long number = client.publishFile("f", group, record, LENGTH, false);
    assertThat(client.names(new Names.Unlink(Names.ROOT, "f"))).isInstanceOf(Replies.Done.class);
    world.runFor(2 * SECOND);
    assertThat(client.names(new Names.FindRuns(number, 0, LENGTH, 10)))
        .isInstanceOf(Names.RunsAre.class);
    assertThat(node(client.homeOf(group)).store().present(record)).isTrue();
    client.names(new Names.Release(number));
    world.runFor(2 * SECOND);
    assertThat(codeOf(client.names(new Names.FindRuns(number, 0, LENGTH, 10))))
        .isEqualTo(ErrorCode.STALE_HANDLE);
    assertThat(node(client.homeOf(group)).store().present(record)).isFalse();
  }

  @Test
  void aDestroyedInstanceLeavesNothing() {
    RawClient client = RawClient.withInstance(world, 2, false);
    GroupId group = firstGroup(client, 2);
    RecordId record = new RecordId(RawClient.SESSION, 256);
    client.await(client.put(group, record, LENGTH));
    Message destroyed =
        client.call("manager", Lane.CONTROL, new Maps.DestroyInstance(2, "i", Identity.root()));
    assertThat(destroyed).isInstanceOf(Replies.Done.class);
    world.runFor(2 * SECOND);
    for (SeatNode node : world.seats()) assertThat(node.store().present(record)).isFalse();
    assertThat(client.map().instance("i")).isNull();
  }

  @Test
  void anEndingInstanceStaysWhileAStageIsMarkedAndTakesOnlyNotesOfThatStage() {
    RawClient client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 60 * SECOND));
    Names.NumbersAre numbers = (Names.NumbersAre) client.names(new Names.TakeNumbers(10));
    long number = numbers.first();
    put(client, StageKeys.DUE + "one", number);
    client.call("manager", Lane.CONTROL, new Maps.DestroyInstance(2, "i", Identity.root()));
    world.runFor(5 * SECOND);
    assertThat(client.map().instance("i").drain().ending()).isTrue();
    Message user = client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755));
    assertThat(codeOf(user)).isEqualTo(ErrorCode.NOT_PERMITTED);
    Message other = client.names(new Names.PutPair("mine", number + 1, 0, List.of()));
    assertThat(codeOf(other)).isEqualTo(ErrorCode.NOT_PERMITTED);
    Message late = client.names(new Names.PutPair(StageKeys.DUE + "two", number + 2, 0, List.of()));
    assertThat(codeOf(late)).isEqualTo(ErrorCode.NOT_PERMITTED);
    put(client, StageKeys.of("progress") + "one", number + 3);
    put(client, StageKeys.OPEN + "one", number + 4);
    client.names(new Names.DeletePair(StageKeys.DUE + "one"));
    world.runFor(5 * SECOND);
    assertThat(client.map().instance("i")).as("a stage is under way").isNotNull();
    client.names(new Names.DeletePair(StageKeys.OPEN + "one"));
    world.runFor(5 * SECOND);
    assertThat(client.map().instance("i")).isNull();
  }

  private static void put(RawClient client, String key, long number) {
    assertThat(client.names(new Names.PutPair(key, number, 0, List.of())))
        .isInstanceOf(Names.Published.class);
  }

  @Test
  void forcedRecordsAndNamesSurviveAllBeingKilled() {
    RawClient client = RawClient.withInstance(world, 2, true);
    client.names(new Names.BeginSession("raw", 60 * SECOND));
    client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755));
    GroupId group = firstGroup(client, 2);
    RecordId record = new RecordId(RawClient.SESSION, 256);
    client.await(client.put(group, record, LENGTH));
    long epoch = client.map().epoch();
    world.manager().kill();
    for (SeatNode node : world.seats()) node.kill();
    world.runFor(SECOND);
    world.manager().start();
    for (SeatNode node : world.seats()) node.start();
    assertThat(
            world.runUntil(() -> world.map() != null && world.map().epoch() > epoch, 20 * SECOND))
        .isTrue();
    world.runFor(5 * SECOND);
    assertThat(client.names(new Names.Lookup(Names.ROOT, "d", true)))
        .isInstanceOf(Names.NodeIs.class);
    assertThat(node(client.homeOf(group)).store().present(record)).isTrue();
  }
}
