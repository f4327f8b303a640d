// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.seat.backing.BackingSource;
import io.forebay.seat.part.SeatEvents;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.StoreOpening;
import io.forebay.store.disk.Faults;
import io.forebay.store.disk.FaultyDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.codec.MessageTypes;
import io.forebay.wire.memory.MemoryNetwork;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ClaimsUser;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Enrolment;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Jobs;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.message.Uses;
import io.forebay.wire.proof.Trust;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SeatDoorTest {
  private static final Address SEAT = new Address.Inet("10.0.0.1", 7070);

  private static final Set<Class<? extends Message>> HANDSHAKE =
      Set.of(Handshake.Hello.class, Handshake.Welcome.class, Handshake.Refusal.class);

  /** Requests that only managers handle. */
  private static final Set<Class<? extends Message>> TO_MANAGERS =
      Set.of(
          Maps.Init.class,
          Maps.SeatReport.class,
          Access.GetCapability.class,
          Access.GetKeys.class,
          Access.GetUser.class,
          Access.Prove.class,
          Maps.CreateInstance.class,
          Maps.DestroyInstance.class,
          Maps.DiscardInstance.class,
          Maps.ProtectInstance.class,
          Maps.ResizeInstance.class,
          Maps.SetAccess.class,
          Maps.TreeResized.class,
          Maps.SetPool.class,
          Maps.TreesDrained.class,
          Maps.Suspect.class,
          Maps.MemberComplete.class,
          Maps.MemberFailed.class,
          Maps.MemberSlow.class,
          Maps.Leave.class,
          Maps.Revive.class,
          Jobs.BeginJob.class,
          Jobs.GetJob.class,
          Jobs.ListJobs.class,
          Jobs.SetNodes.class,
          Jobs.EndJob.class,
          Jobs.ReportNode.class,
          Jobs.ListNodes.class,
          Enrolment.CreateToken.class,
          Enrolment.EnterCertificates.class,
          Enrolment.Enrol.class,
          Enrolment.Renew.class,
          Enrolment.ListCertificates.class,
          Enrolment.Revoke.class,
          Enrolment.GetRevoked.class,
          Maps.AddManager.class,
          Maps.RemoveManager.class);

  /** Answers to questions, which are found by the number of the question. */
  private static final Set<Class<? extends Message>> ANSWERS =
      Set.of(
          Replies.Done.class,
          Replies.Failed.class,
          Access.CapabilityIs.class,
          Access.KeysAre.class,
          Access.TrustIs.class,
          Maps.ManagersAre.class,
          Access.UserIs.class,
          Maps.InstanceMade.class,
          Jobs.JobIs.class,
          Jobs.JobsAre.class,
          Jobs.NodeJobs.class,
          Jobs.NodesAre.class,
          Enrolment.TokenMade.class,
          Enrolment.Enrolled.class,
          Enrolment.CertificatesAre.class,
          Enrolment.Revoked.class,
          Enrolment.RevokedAre.class,
          Maps.LeaseGranted.class,
          Maps.Pong.class,
          Maps.AliveIs.class,
          Loads.LoadIs.class,
          Uses.Verdict.class,
          Uses.UsesAre.class,
          Data.PutDone.class,
          Data.PutElsewhere.class,
          Data.Got.class,
          Data.InBuffer.class,
          Data.DeadAre.class,
          Data.TreeIsIn.class,
          Data.KeyIs.class,
          Data.MissingAre.class,
          Data.LackingAre.class,
          Drains.ChunkWritten.class,
          Drains.BackingIs.class,
          Journals.JournalIs.class,
          Journals.Entries.class,
          Names.SessionIs.class,
          Names.NodeIs.class,
          Names.Listing.class,
          Names.LinkIs.class,
          Names.ExtraIs.class,
          Names.ExtrasAre.class,
          Names.Published.class,
          Names.FilesPut.class,
          Names.Punched.class,
          Names.RunsAre.class,
          Names.NumbersAre.class,
          Names.PairIs.class,
          Names.PairsAre.class,
          Names.RoomIs.class,
          Names.UsageIs.class,
          Names.LedgerIs.class,
          Names.DrainIs.class,
          Names.StandingsAre.class,
          Names.LockIs.class,
          Names.LockHolder.class,
          Statuses.SeatStatus.class,
          Statuses.ManagerStatus.class);

  /** The other end of a connection to the seat. */
  private static final class Peer implements Handler {
    final List<Message> received = new ArrayList<>();

    @Override
    public void opened(Connection connection) {}

    @Override
    public void received(Connection connection, long request, Message message) {
      received.add(message);
    }

    @Override
    public Landing arriving(Connection connection, long request, Message message, int bytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {}
  }

  private final Timers timers = new Timers(() -> 0);
  private final SplittableRandom random = new SplittableRandom(1);
  private final MemoryNetwork network = new MemoryNetwork(timers, random, MemoryOptions.PERFECT);
  private Seat seat;

  @BeforeEach
  void listen() throws Exception {
    SeatConfig config =
        new SeatConfig(
            List.of(new Address.Inet("10.0.0.100", 7070)),
            "server",
            1,
            "host",
            1,
            2,
            1,
            0,
            0,
            1 << 20,
            true,
            SeatConfig.SNAPSHOT_BYTES_DEFAULT,
            0,
            SeatConfig.SHUFFLE_BYTES_MIN);
    SeatEnvironment environment =
        new SeatEnvironment(
            timers,
            network.at("host"),
            store(),
            () -> 0,
            random,
            random,
            SeatEvents.NONE,
            BackingSource.NONE,
            Trust.ofProofs(Identity.ROOT));
    seat = new Seat(config, environment, true, () -> {});
    seat.listen(SEAT);
  }

  private Store store() throws Exception {
    FaultyDisk memory = new FaultyDisk(random.split(), true, Long.MAX_VALUE, Faults.NONE);
    FaultyDisk ssd = new FaultyDisk(random.split(), false, Long.MAX_VALUE, Faults.NONE);
    int segmentBytes = SeatConfig.SEGMENT_BYTES_MIN;
    return StoreOpening.open(
            StoreConfig.ssd(segmentBytes, 16L * segmentBytes),
            new LogId(1, 2),
            new StoreOpening.Volumes(
                List.of(new SlotPool.Place(memory, false, "write buffers")), ssd),
            () -> 0,
            random.split(),
            StoreEvents.NONE)
        .store();
  }

  private void deliver() {
    for (int i = 0; i < 10; i++) timers.runDue();
  }

  private Message ask(Handshake.Role role, Message message) {
    Peer peer = new Peer();
    Handshake.Hello hello = Handshake.Hello.of(role, Handshake.Lane.CONTROL, 0, "elsewhere", 7);
    Connection connection = network.at("elsewhere").connect(SEAT, hello, peer);
    deliver();
    connection.send(1, message);
    deliver();
    assertThat(peer.received).as("answers to " + message).hasSize(1);
    return peer.received.getFirst();
  }

  @Test
  void everyMessageHasAHandlerOrIsNoneForSeats() {
    Set<Class<? extends Message>> handled = seat.door().handled();
    Set<Class<? extends Message>> others = new HashSet<>(HANDSHAKE);
    others.addAll(TO_MANAGERS);
    others.addAll(ANSWERS);
    assertThat(others).doesNotContainAnyElementsOf(handled);
    for (Class<? extends Message> type : MessageTypes.all()) {
      // What can be asked about names travels inside Names.Request.
      boolean inside = Names.Op.class.isAssignableFrom(type);
      assertThat(handled.contains(type) || others.contains(type))
          .as(type.getSimpleName() + " has a handler, or is named here as none for seats")
          .isNotEqualTo(inside);
    }
  }

  /** RootSquash knows these. */
  @Test
  void everyRequestOnBehalfOfAUserIsSquashed() {
    assertThat(seat.door().handled())
        .filteredOn(ClaimsUser.class::isAssignableFrom)
        .containsExactlyInAnyOrder(
            Names.Request.class, Data.GetBacked.class, Drains.CheckBacking.class);
  }

  @Test
  void whatHasNoHandlerIsRefused() {
    assertThat(ask(Handshake.Role.SEAT, new Data.PutDone(new RecordId(1, 1))))
        .isEqualTo(new Replies.Failed(ErrorCode.MALFORMED, "a seat answers no PutDone"));
    assertThat(ask(Handshake.Role.CLIENT, new Data.PutDone(new RecordId(1, 1))))
        .isEqualTo(new Replies.Failed(ErrorCode.MALFORMED, "clients do not send PutDone"));
  }

  @Test
  void clientsMayNotSendWhatSeatsDo() {
    assertThat(ask(Handshake.Role.SEAT, new Loads.AskLoad())).isInstanceOf(Loads.LoadIs.class);
    assertThat(ask(Handshake.Role.CLIENT, new Loads.AskLoad()))
        .isEqualTo(
            new Replies.Failed(
                ErrorCode.REFUSED,
                "AskLoad comes from seats only, and this is user 0 of this machine"));
  }

  @Test
  void seatsMaySendWhatClientsDo() {
    for (Handshake.Role role : List.of(Handshake.Role.SEAT, Handshake.Role.CLIENT)) {
      assertThat(ask(role, new Maps.GetMap(0))).isInstanceOf(Maps.MapIs.class);
    }
  }

  @Test
  void whatPeersSendUnaskedIsRefusedOnConnectionsThatTheyDialled() {
    Journals.Appended appended = new Journals.Appended(new GroupId(1), 1, new SeatId(2), true, 1);
    assertThat(ask(Handshake.Role.SEAT, appended))
        .isEqualTo(new Replies.Failed(ErrorCode.MALFORMED, "a seat answers no Appended"));
  }
}
