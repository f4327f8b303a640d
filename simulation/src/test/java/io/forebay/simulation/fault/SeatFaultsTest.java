// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.world.RawClient;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a seat must survive, each by itself, on a simulated cluster that is told what to do. */
class SeatFaultsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LENGTH = 100_000;

  private final World world = new World(WorldOptions.CALM, 43);

  private static ErrorCode codeOf(Message message) {
    assertThat(message).isInstanceOf(Replies.Failed.class);
    return ((Replies.Failed) message).code();
  }

  private RawClient client(int copies) {
    return RawClient.withInstance(world, copies, false);
  }

  private SeatNode member(RawClient client, GroupId group, int place) {
    return world.seatAt(client.hostOf(client.group(group), place));
  }

  /** Says for a while that the client lives, whatever it is answered. */
  private void keepAlive(RawClient client, long nanos) {
    for (long end = world.nanos() + nanos; world.nanos() < end; world.runFor(SECOND)) {
      client.sendNames(RawClient.SESSION, new Names.KeepAlive());
    }
  }

  /** They come one behind the other on one connection. */
  @Test
  void whatIsForAGroupThatGoesOnWithoutASeatDoesNotHoldUpTheRest() {
    RawClient client = client(2);
    client.names(new Names.BeginSession("raw", 60 * SECOND));
    GroupId root = client.instance().rootGroup();
    SeatEntry outside =
        client.map().seats().stream()
            .filter(seat -> client.group(root).indexOf(seat.id()) < 0)
            .findFirst()
            .orElseThrow();
    FileId file = new FileId(client.instance().id(), Names.inTree(0, 1000));
    List<Long> refused = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      RecordId record = new RecordId(RawClient.SESSION, i * 256L);
      ByteBuffer bytes = RawClient.content(record, 1000);
      Checksums sums = Checksums.of(BlockChecksums.of(bytes));
      long epoch = client.group(root).epoch();
      refused.add(
          client.sendPayload(
              outside.server(),
              new Data.Put(root, epoch, record, file, 0, false, RawClient.SECRET, sums),
              bytes));
    }
    long taken =
        client.put(GroupId.of(outside.id(), 2), new RecordId(RawClient.SESSION, 9999 * 256L), 1000);
    assertThat(client.await(taken)).isInstanceOf(Data.PutDone.class);
    for (long each : refused) {
      assertThat(codeOf(client.reply(each))).isEqualTo(ErrorCode.STALE_EPOCH);
    }
  }

  @Test
  void aLivingClientsSessionOutlastsAMembersAbsence() {
    RawClient client = client(2);
    client.names(new Names.BeginSession("raw", 5 * SECOND));
    GroupId root = client.instance().rootGroup();
    SeatNode away = member(client, root, 1);
    away.kill();
    keepAlive(client, 20 * SECOND);
    away.start();
    keepAlive(client, 6 * SECOND);
    assertThat(client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755)))
        .isInstanceOf(Names.NodeIs.class);
  }

  @Test
  void roomComesBackAlthoughTheEpochChanges() {
    RawClient client = client(2);
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    GroupId root = client.instance().rootGroup();
    RecordId record = new RecordId(RawClient.SESSION, 256);
    long number = client.publishFile("f", root, record, LENGTH, true);
    SeatNode away = member(client, root, 1);
    SeatNode home = member(client, root, 0);
    client.names(new Names.SetAttributes(number, "", false, -1, -1, -1, 0, -1, -1));
    // The home knows that the record is dead, but cannot tell everybody.
    away.kill();
    world.runFor(SECOND);
    assertThat(home.store().present(record)).as("dropped on one only").isFalse();
    away.start();
    world.runFor(10 * SECOND);
    assertThat(away.store().present(record)).isFalse();
  }

  @Test
  void aRestartedSeatEntersNoEpochAgain() {
    RawClient client = client(1);
    GroupId sole = GroupId.of(client.map().seats().get(0).id(), 1);
    SeatNode node = member(client, sole, 0);
    long epoch = client.group(sole).epoch();
    // While it has the manager's lease its return has to wait.
    world.runFor(SECOND);
    node.kill();
    node.start();
    world.runFor(SECOND / 2);
    client.call(
        "manager",
        Lane.CONTROL,
        new Maps.CreateInstance(
            2,
            "other",
            Identity.root(),
            "persistent",
            "shared",
            0,
            1,
            false,
            "continue",
            "ketama",
            1 << 20,
            0,
            "",
            "",
            "",
            false,
            "",
            "everyone",
            "squash",
            0,
            ""));
    boolean raised = false;
    for (int i = 0; i < 50; i++) {
      Statuses.SeatStatus status =
          (Statuses.SeatStatus) client.call(node.host(), Lane.CONTROL, new Statuses.GetStatus());
      for (Statuses.GroupStatus group : status.groups()) {
        if (!group.group().equals(sole)) continue;
        assertThat(group.epoch()).isNotEqualTo(epoch);
        raised |= group.epoch() > epoch;
      }
      world.runFor(SECOND / 10);
    }
    assertThat(raised).isTrue();
  }

  @Test
  void aLateReleaseDoesNotUndoALaterOpen() {
    RawClient client = client(2);
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    Names.Open open = new Names.Open(Names.ROOT, "f", true, true, true, false, false, 0644);
    long number = ((Names.NodeIs) client.names(open)).attributes().number();
    client.names(new Names.Release(number));
    GroupId root = client.instance().rootGroup();
    // The release again, as a connection that was given up might still bring it.
    Names.Request late =
        new Names.Request(
            root,
            client.group(root).epoch(),
            client.instance().id(),
            0,
            RawClient.SESSION,
            client.lastOp(),
            0,
            0,
            false,
            Identity.root(),
            new Names.Release(number));
    client.names(open);
    client.call(client.homeOf(root), Lane.CONTROL, late);
    client.names(new Names.Unlink(Names.ROOT, "f"));
    world.runFor(2 * SECOND);
    assertThat(client.names(new Names.FindRuns(number, 0, LENGTH, 10)))
        .isInstanceOf(Names.RunsAre.class);
  }

  @Test
  void nonsenseIsSurvived() {
    RawClient client = client(2);
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    GroupId root = client.instance().rootGroup();
    String home = client.homeOf(root);
    long epoch = client.group(root).epoch();
    RecordId record = new RecordId(RawClient.SESSION, 256);
    ByteBuffer bytes = RawClient.content(record, 1000);
    Checksums sums = Checksums.of(BlockChecksums.of(bytes));
    FileId file = new FileId(client.instance().id(), 1000);
    int[] numbers = {Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE};
    for (int number : numbers) {
      GroupId group = new GroupId(number);
      client.send(home, Lane.CONTROL, new Data.Get(group, record, number, number, number, number));
      client.send(
          home,
          Lane.CONTROL,
          new Data.Confirm(group, epoch, record, new SeatId(number), ErrorCode.NONE));
      client.send(home, Lane.CONTROL, new Journals.Trim(group, epoch, number));
      for (long wrong : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
        client.sendPayload(
            home,
            new Data.Put(group, wrong, record, file, wrong, false, RawClient.SECRET, sums),
            bytes);
        client.sendPayload(
            home,
            new Data.Put(root, epoch, record, file, wrong, true, RawClient.SECRET, Checksums.NONE),
            bytes);
        client.sendPayload(
            home, new Data.Replicate(root, epoch, record, file, wrong, false, sums), bytes);
        client.send(
            home,
            Lane.CONTROL,
            new Names.Request(
                group,
                wrong,
                number,
                number,
                wrong,
                wrong,
                wrong,
                wrong,
                true,
                Identity.root(),
                new Names.KeepAlive()));
        for (Names.Op op :
            List.of(
                new Names.FindRuns(wrong, wrong, wrong, number),
                new Names.Lookup(wrong, "", true),
                new Names.ListDirectory(wrong, "", "", number),
                new Names.Release(wrong),
                new Names.TakeRoom(wrong),
                new Names.TakeNumbers(number),
                new Names.BeginSession("x", wrong),
                new Names.Open(wrong, "", true, true, true, true, true, number),
                new Names.SetAttributes(
                    wrong, "", true, number, number, number, wrong, wrong, wrong),
                new Names.PutPair("k", wrong, wrong, List.of()),
                new Names.PutFile(wrong, "k", number, wrong, wrong, wrong, List.of()),
                new Names.Publish(
                    wrong, true, true, List.of(new Names.Piece(wrong, number, group, wrong))))) {
          client.send(
              home,
              Lane.CONTROL,
              new Names.Request(
                  root,
                  epoch,
                  client.instance().id(),
                  0,
                  RawClient.SESSION,
                  wrong,
                  wrong,
                  0,
                  false,
                  Identity.root(),
                  op));
          client.send(
              home,
              Lane.CONTROL,
              new Names.Request(
                  root,
                  epoch,
                  client.instance().id(),
                  number,
                  wrong,
                  wrong,
                  wrong,
                  0,
                  false,
                  Identity.root(),
                  op));
        }
      }
    }
    // A payload where none belongs, none where one does, and one of no bytes.
    client.sendPayload(home, new Maps.GetMap(0), bytes);
    client.send(
        home,
        Lane.INGEST,
        new Data.Put(root, epoch, record, file, 0, false, RawClient.SECRET, sums));
    client.sendPayload(
        home,
        new Data.Put(root, epoch, record, file, 0, false, RawClient.SECRET, Checksums.NONE),
        ByteBuffer.allocate(0));
    world.runFor(5 * SECOND);
    assertThat(client.names(new Names.Lookup(Names.ROOT, "", true)))
        .isInstanceOf(Names.NodeIs.class);
    assertThat(client.await(client.put(root, new RecordId(RawClient.SESSION, 512), LENGTH)))
        .isInstanceOf(Data.PutDone.class);
  }

  @Test
  void theEndOfAnAttemptThatCannotBeIsRefused() {
    RawClient client = client(2);
    String home = client.homeOf(client.instance().rootGroup());
    RawClient seat = new RawClient(world, Handshake.Role.SEAT);
    Drains.AttemptIs attempt = new Drains.AttemptIs("", "../x", -1, 0, 0, 0, 0, "");
    assertThat(codeOf(seat.call(home, Lane.CONTROL, new Drains.AttemptOver(attempt))))
        .isEqualTo(ErrorCode.INVALID);
  }

  @Test
  void aChangeThatIsTooLongForTheJournalIsRefused() {
    RawClient client = client(2);
    client.names(new Names.BeginSession("raw", 600 * SECOND));
    GroupId root = client.instance().rootGroup();
    List<Names.Piece> many =
        java.util.stream.LongStream.range(1, 20_000)
            .mapToObj(i -> new Names.Piece(i, 1, root, i * 256))
            .toList();
    assertThat(codeOf(client.names(new Names.Publish(1000, false, false, many))))
        .isEqualTo(ErrorCode.TOO_LARGE);
    assertThat(client.names(new Names.MakeDirectory(Names.ROOT, "d", 0755)))
        .isInstanceOf(Names.NodeIs.class);
    Group group = client.group(root);
    assertThat(group.members()).hasSize(2);
  }
}
