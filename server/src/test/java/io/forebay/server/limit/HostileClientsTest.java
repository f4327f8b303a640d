// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.limit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.SessionSecret;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.wire.Address;
import io.forebay.wire.Limit;
import io.forebay.wire.UserBounds;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that take as much of a real seat as they get; whatever they do, others are served. */
@Timeout(300)
class HostileClientsTest {
  private static final int MIB = 1 << 20;
  private static final int SESSIONS_MAX = 256;
  private static final int OPEN_FILES_MAX = 40;

  /** Of a payload that is never complete. */
  private static final Checksums CHECKSUMS =
      Checksums.of(BlockChecksums.of(ByteBuffer.allocate(MIB)));

  private static final Identity STRANGER = new Identity(4711, List.of(4711));

  private static EmbeddedCluster cluster;
  private static RingMap map;
  private static Instance instance;
  private static Group group;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster =
        EmbeddedCluster.builder()
            .servers(1)
            .copies(1)
            .segmentBytes(8 * MIB)
            .budget(64 * MIB, 64 * MIB)
            .users(new UserBounds(SESSIONS_MAX, SESSIONS_MAX, OPEN_FILES_MAX))
            .start();
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      map = admin.map();
    }
    instance = map.instances().getFirst();
    group = map.group(instance.rootGroup());
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static StrangerSocket stranger() throws IOException {
    return new StrangerSocket((Address.Inet) cluster.addresses(0).get(0));
  }

  private static Names.Request begin(Identity who, long session) {
    return new Names.Request(
        group.id(),
        group.epoch(),
        instance.id(),
        0,
        session,
        1,
        0,
        0,
        true,
        who,
        new Names.BeginSession("stranger", Long.MAX_VALUE));
  }

  private static long reached(StrangerSocket socket, Limit limit) throws IOException {
    socket.send(1, new Statuses.GetStatus(), Frames.NO_PAYLOAD);
    Statuses.SeatStatus status = (Statuses.SeatStatus) socket.receive();
    return status.limits().stream()
        .filter(count -> count.limit().equals(limit.text()))
        .findFirst()
        .orElseThrow()
        .reached();
  }

  private static void othersAreServed() throws IOException {
    assertThat(cluster.failure()).isNull();
    try (Forebay client = Forebay.connect(cluster.uri())) {
      byte[] value = new byte[100_000];
      client.pairs().put("still", value);
      assertThat(client.pairs().get("still")).isEqualTo(value);
    }
  }

  @Test
  void sessionsOfAUserAreBounded() throws IOException {
    int max = SESSIONS_MAX;
    int batch = 64;
    List<Message> refused = new ArrayList<>();
    try (StrangerSocket socket = stranger()) {
      for (int first = 0; first < max + batch; first += batch) {
        for (int i = 0; i < batch; i++) {
          socket.send(1, begin(STRANGER, 1_000_000L + first + i), Frames.NO_PAYLOAD);
        }
        for (int i = 0; i < batch; i++) {
          if (socket.receive() instanceof Replies.Failed failed) refused.add(failed);
        }
      }
      assertThat(refused).hasSize(batch);
      assertThat(refused.getFirst())
          .isInstanceOfSatisfying(
              Replies.Failed.class,
              failed -> {
                assertThat(failed.code()).isEqualTo(ErrorCode.BUSY);
                assertThat(failed.detail()).contains("user 4711 has " + max + " sessions");
              });
      assertThat(reached(socket, Limit.SESSIONS_PER_USER)).isEqualTo(batch);
      // A session that is there is found again, and another user has sessions of his own.
      socket.send(1, begin(STRANGER, 1_000_000), Frames.NO_PAYLOAD);
      assertThat(socket.receive()).isInstanceOf(Names.SessionIs.class);
      Identity other = new Identity(4712, List.of(4712));
      socket.send(1, begin(other, 2_000_000), Frames.NO_PAYLOAD);
      assertThat(socket.receive()).isInstanceOf(Names.SessionIs.class);
    }
    othersAreServed();
  }

  @Test
  void slowSendersOfPayloadsHoldUpNoOtherClient() throws IOException {
    List<StrangerSocket> slow = new ArrayList<>();
    try (StrangerSocket fast = stranger()) {
      // All of its payload is here: it has nothing to give way with.
      sendPut(fast, 2_999_999L);
      fast.write(ByteBuffer.allocate(MIB));
      assertThat(fast.receive()).isInstanceOf(Data.PutDone.class);
      // More than the seat has of memory.
      for (int i = 0; i < 64; i++) {
        StrangerSocket socket = stranger();
        slow.add(socket);
        sendPut(socket, 3_000_000L + i);
        socket.write(ByteBuffer.allocate(1));
      }
      othersAreServed();
      try (StrangerSocket asking = stranger()) {
        assertThat(reached(asking, Limit.SLOW_PAYLOADS)).isPositive();
        assertThat(reached(asking, Limit.SLOW_SENDER)).isZero();
        assertThat(reached(asking, Limit.STALLED_TRANSFER)).isZero();
      }
      assertThat(fast.isClosed()).isFalse();
    } finally {
      for (StrangerSocket socket : slow) socket.close();
    }
    othersAreServed();
  }

  /** Begins a session, and announces a payload in it. */
  private static void sendPut(StrangerSocket socket, long secret) throws IOException {
    long session = SessionSecret.sessionOf(secret);
    socket.send(1, begin(new Identity(4713, List.of(4713)), session), Frames.NO_PAYLOAD);
    assertThat(socket.receive()).isInstanceOf(Names.SessionIs.class);
    Data.Put put =
        new Data.Put(
            group.id(),
            group.epoch(),
            new RecordId(session, 1),
            new FileId(instance.id(), 99),
            0,
            false,
            secret,
            CHECKSUMS);
    socket.send(2, put, MIB);
  }

  @Test
  void openFilesOfASessionAreBounded() throws IOException {
    List<ForebayFile> open = new ArrayList<>();
    try (StrangerSocket asking = stranger();
        Forebay client = Forebay.connect(cluster.uri())) {
      for (int i = 0; i < OPEN_FILES_MAX; i++) {
        open.add(client.open("/open-" + i, WRITE, CREATE));
      }
      assertThatThrownBy(() -> client.open("/one-more", WRITE, CREATE))
          .hasMessageContaining("the session has " + OPEN_FILES_MAX + " open files, its limit");
      assertThat(reached(asking, Limit.OPEN_FILES)).isPositive();
      open.removeFirst().close();
      open.add(client.open("/one-more", WRITE, CREATE));
      for (ForebayFile each : open) each.close();
    }
  }

  @Test
  void fieldsOfRequestsAreBounded() throws IOException {
    Identity who = new Identity(4714, List.of(4714));
    try (StrangerSocket socket = stranger()) {
      Names.Request begin = begin(who, 5_000_000);
      socket.send(1, begin, Frames.NO_PAYLOAD);
      assertThat(socket.receive()).isInstanceOf(Names.SessionIs.class);
      long before = reached(socket, Limit.REQUEST_FIELDS);
      socket.send(
          2,
          new Names.Request(
              group.id(),
              group.epoch(),
              instance.id(),
              0,
              begin.session(),
              2,
              0,
              0,
              true,
              who,
              new Names.MakeDirectory(0, "/" + "x".repeat(5000), 0700)),
          Frames.NO_PAYLOAD);
      assertThat(socket.receive()).isInstanceOf(Replies.Failed.class);
      assertThat(reached(socket, Limit.REQUEST_FIELDS)).isEqualTo(before + 1);
    }
  }

  @Test
  void malformedFramesAreCountedInTheStatus() throws IOException {
    try (StrangerSocket other = stranger();
        StrangerSocket socket = stranger()) {
      long before = reached(other, Limit.MALFORMED_FRAMES);
      socket.write(ByteBuffer.allocate(1000));
      while (!socket.isClosed()) Thread.onSpinWait();
      assertThat(reached(other, Limit.MALFORMED_FRAMES)).isEqualTo(before + 1);
    }
  }
}
