// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.SessionSecret;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.wire.Address;
import io.forebay.wire.Limit;
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
    int max = Math.toIntExact(Limit.SESSIONS_PER_USER.value());
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
    try {
      // More than the seat has of memory.
      for (int i = 0; i < 64; i++) {
        StrangerSocket socket = stranger();
        slow.add(socket);
        long secret = 3_000_000L + i;
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
        socket.write(ByteBuffer.allocate(1));
      }
      othersAreServed();
      try (StrangerSocket asking = stranger()) {
        assertThat(reached(asking, Limit.SLOW_PAYLOADS)).isPositive();
        assertThat(reached(asking, Limit.SLOW_SENDER)).isZero();
        assertThat(reached(asking, Limit.STALLED_TRANSFER)).isZero();
      }
    } finally {
      for (StrangerSocket socket : slow) socket.close();
    }
    othersAreServed();
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
