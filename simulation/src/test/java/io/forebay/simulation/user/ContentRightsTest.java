// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.ContentKey;
import io.forebay.base.proof.SessionSecret;
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
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a session may do with a file is decided when it opens it, and required ever after (P28). */
class ContentRightsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long STRANGE_SECRET = 78;
  private static final long STRANGE_SESSION = SessionSecret.sessionOf(STRANGE_SECRET);
  private static final Identity STRANGER = new Identity(54321, List.of(54321));
  private static final int LENGTH = 10_000;
  private static final RecordId RECORD = new RecordId(RawClient.SESSION, 256);

  private final World world = new World(WorldOptions.CALM, 42);
  private RawClient client;
  private long file;

  @BeforeEach
  void makeFile() {
    client = RawClient.withInstance(world, 2, false);
    client.names(new Names.BeginSession("raw", 60 * SECOND));
    client.await(
        client.sendNames(
            STRANGE_SESSION, STRANGER, false, new Names.BeginSession("raw", 60 * SECOND)));
    file = client.publishFile("f", client.instance().rootGroup(), RECORD, LENGTH, true);
  }

  private Message asStranger(Names.Op op) {
    return client.await(client.sendNames(STRANGE_SESSION, STRANGER, false, op));
  }

  private void mode(int mode) {
    int same = (int) Names.UNCHANGED;
    Names.SetAttributes change =
        new Names.SetAttributes(
            file, "", false, mode, same, same, Names.UNCHANGED, Names.UNCHANGED, Names.UNCHANGED);
    assertThat(client.names(change)).isInstanceOf(Names.NodeIs.class);
  }

  private Names.FindRuns runs() {
    return new Names.FindRuns(file, 0, LENGTH, 10);
  }

  private Names.Publish publish(int sequence) {
    Names.Piece piece = new Names.Piece(0, 10, client.instance().rootGroup(), sequence);
    return new Names.Publish(file, false, false, List.of(piece));
  }

  private Names.Open open(boolean read, boolean write) {
    return new Names.Open(file, "", read, write, false, false, false, 0);
  }

  private static void denied(Message answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            Replies.Failed.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.ACCESS_DENIED));
  }

  private Message readThrough() {
    GroupId root = client.instance().rootGroup();
    Group group = client.group(root);
    return client.call(
        client.homeOf(root),
        Lane.CONTROL,
        new Data.GetBacked(
            root,
            group.epoch(),
            client.instance().id(),
            0,
            STRANGE_SESSION,
            STRANGER,
            file,
            0,
            LENGTH));
  }

  @Test
  void aSessionThatSkipsTheOpenGetsNothing() {
    mode(0600);
    denied(asStranger(open(true, false)));
    denied(asStranger(runs()));
    denied(readThrough());
    denied(asStranger(publish(256)));
    denied(asStranger(new Names.Punch(file, 0, LENGTH)));
    denied(asStranger(new Names.Allocate(file, 0, 2 * LENGTH, false)));
    denied(asStranger(cut()));
    Names.RunsAre still = (Names.RunsAre) client.names(runs());
    assertThat(still.sizeBytes()).isEqualTo(LENGTH);
    assertThat(still.runs().getFirst().record()).isEqualTo(RECORD);
  }

  @Test
  void whatWasOpenedStaysOpenWhateverBecomesOfTheMode() {
    mode(0644);
    assertThat(asStranger(open(true, false))).isInstanceOf(Names.NodeIs.class);
    mode(0600);
    Names.RunsAre runs = (Names.RunsAre) asStranger(runs());
    assertThat(runs.runs().getFirst().record()).isEqualTo(RECORD);
    denied(asStranger(publish(256)));
    asStranger(new Names.Release(file));
    denied(asStranger(runs()));
  }

  @Test
  void aSessionThatOnlyWritesIsNotToldWhatLeadsToTheBytes() {
    mode(0622);
    Names.RunsAre runs = (Names.RunsAre) asStranger(runs());
    assertThat(runs.runs()).hasSize(1);
    assertThat(runs.runs().getFirst().lengthBytes()).isEqualTo(LENGTH);
    assertThat(runs.runs().getFirst().record()).isEqualTo(new RecordId(0, 0));
    denied(readThrough());
  }

  private Names.SetAttributes cut() {
    return new Names.SetAttributes(file, "", false, -1, -1, -1, LENGTH / 2, -1, -1);
  }

  @Test
  void aFileIsCutByItsNumberAsItIsWritten() {
    mode(0666);
    assertThat(asStranger(open(true, false))).isInstanceOf(Names.NodeIs.class);
    mode(0);
    denied(asStranger(cut()));
    mode(0666);
    assertThat(asStranger(open(false, true))).isInstanceOf(Names.NodeIs.class);
    mode(0);
    assertThat(asStranger(cut()))
        .isInstanceOfSatisfying(
            Names.NodeIs.class,
            node -> assertThat(node.attributes().sizeBytes()).isEqualTo(LENGTH / 2));
    asStranger(new Names.Release(file));
    denied(asStranger(cut()));
  }

  private Message get(int place, RecordId record, long proof) {
    GroupId root = client.instance().rootGroup();
    return client.call(
        client.hostOf(client.group(root), place),
        Lane.CONTROL,
        new Data.Get(root, record, client.instance().id(), 0, LENGTH, proof));
  }

  private long proof(Message runs) {
    return ((Names.RunsAre) runs).proof();
  }

  @Test
  void aRecordIsGivenToSessionsThatWereToldOfItsFile() {
    RecordId other = new RecordId(RawClient.SESSION, 512);
    GroupId root = client.instance().rootGroup();
    long secretFile = client.publishFile("g", root, other, LENGTH, true);
    mode(0604);
    long proof = proof(asStranger(runs()));
    for (int place = 0; place < 2; place++) {
      assertThat(get(place, RECORD, proof)).isInstanceOf(Data.Got.class);
      assertThat(get(place, RECORD, RawClient.SECRET)).isInstanceOf(Data.Got.class);
      // Who reads one file of a session guesses the ids of the others.
      denied(get(place, other, proof));
      denied(get(place, other, 0));
      denied(get(place, other, STRANGE_SECRET));
    }
    Names.FindRuns ofSecret = new Names.FindRuns(secretFile, 0, LENGTH, 10);
    assertThat(get(0, other, proof(client.names(ofSecret)))).isInstanceOf(Data.Got.class);
  }

  @Test
  void aSessionThatOnlyWritesGetsNoProof() {
    mode(0622);
    assertThat(proof(asStranger(runs()))).isEqualTo(ContentKey.NO_PROOF);
  }

  @Test
  void proofsOutliveTheHomeThatToldThem() {
    mode(0604);
    long proof = proof(asStranger(runs()));
    GroupId root = client.instance().rootGroup();
    String home = client.homeOf(root);
    world.seats().stream().filter(seat -> seat.host().equals(home)).findFirst().get().kill();
    assertThat(world.runUntil(() -> !client.homeOf(root).equals(home), 60 * SECOND)).isTrue();
    world.runFor(10 * SECOND);
    assertThat(get(0, RECORD, proof)).isInstanceOf(Data.Got.class);
    denied(get(0, RECORD, proof + 1));
    assertThat(proof(asStranger(runs()))).isEqualTo(proof);
  }

  @Test
  void noSessionWritesInTheNameOfAnother() {
    GroupId root = client.instance().rootGroup();
    RecordId next = new RecordId(RawClient.SESSION, 512);
    denied(client.await(client.put(root, next, LENGTH, STRANGE_SECRET)));
    assertThat(world.seats()).noneMatch(seat -> seat.store().present(next));
    assertThat(client.await(client.put(root, next, LENGTH))).isEqualTo(new Data.PutDone(next));
  }

  @Test
  void onlySeatsAreToldKeys() {
    GroupId root = client.instance().rootGroup();
    Data.AskKey ask = new Data.AskKey(root, client.group(root).epoch(), client.instance().id(), 0);
    Message answer = client.call(client.homeOf(root), Lane.CONTROL, ask);
    assertThat(((Replies.Failed) answer).code()).isEqualTo(ErrorCode.REFUSED);
    RawClient seat = new RawClient(world, Handshake.Role.SEAT);
    assertThat(seat.call(client.homeOf(root), Lane.CONTROL, ask))
        .isInstanceOfSatisfying(
            Data.KeyIs.class, is -> assertThat(ContentKey.isPossible(is.key())).isTrue());
  }

  @Test
  void aNewHomeKnowsWhoWroteAndWaitsToHearWhatIsOpen() {
    Names.Open make = new Names.Open(Names.ROOT, "own", false, true, true, true, false, 0444);
    mode(0644);
    assertThat(asStranger(open(true, false))).isInstanceOf(Names.NodeIs.class);
    mode(0600);
    GroupId root = client.instance().rootGroup();
    client.names(new Names.SetAttributes(Names.ROOT, "", false, 0777, -1, -1, -1, -1, -1));
    long own = ((Names.NodeIs) asStranger(make)).attributes().number();
    String home = client.homeOf(root);
    long epoch = client.group(root).epoch();
    SeatNode node =
        world.seats().stream().filter(seat -> seat.host().equals(home)).findFirst().get();
    node.kill();
    world.runFor(SECOND);
    node.start();
    assertThat(world.runUntil(() -> client.group(root).epoch() > epoch, 10 * SECOND)).isTrue();
    world.runFor(4 * SECOND);
    Message early = asStranger(runs());
    assertThat(((Replies.Failed) early).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(asStranger(new Names.Publish(own, false, false, List.of())))
        .isInstanceOf(Names.Published.class);
    // It is open without the right that its mode refuses by now.
    denied(asStranger(open(true, false)));
    denied(client.await(client.sendNames(STRANGE_SESSION, STRANGER, true, runs())));
  }
}
