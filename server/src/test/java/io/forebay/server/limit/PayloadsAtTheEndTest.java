// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.proof.SessionSecret;
import io.forebay.client.Cluster;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.server.EmbeddedCluster;
import io.forebay.wire.Address;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Statuses;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server ends while payloads are on their way: their room in the log is given up before it. */
@Timeout(60)
class PayloadsAtTheEndTest {
  private static final int MIB = 1 << 20;
  private static final long SECRET = 3_000_000;

  @Test
  void theLoopEndsWithoutAnError() throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
    EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .servers(1)
            .copies(1)
            .segmentBytes(8 * MIB)
            .budget(64 * MIB, 64 * MIB)
            .start();
    Address.Inet seat = (Address.Inet) cluster.addresses(0).get(0);
    try (StrangerSocket first = new StrangerSocket(seat);
        StrangerSocket second = new StrangerSocket(seat)) {
      RingMap map;
      try (Cluster admin = Cluster.connect(cluster.uri(""))) {
        map = admin.map();
      }
      begin(first, map, 1);
      begin(second, map, 2);
      // The seat has read both by the time it answers this.
      for (int i = 0; i < 3; i++) {
        try (StrangerSocket asking = new StrangerSocket(seat)) {
          asking.send(1, new Statuses.GetStatus(), Frames.NO_PAYLOAD);
          assertThat(asking.receive()).isInstanceOf(Statuses.SeatStatus.class);
        }
      }
      cluster.close();
      assertThat(first.isClosed()).isTrue();
      assertThat(second.isClosed()).isTrue();
    } finally {
      cluster.close();
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).isEmpty();
    assertThat(cluster.failure()).isNull();
  }

  /** Announces a payload and sends a part of it. */
  private static void begin(StrangerSocket socket, RingMap map, int sequence) throws Exception {
    Instance instance = map.instances().getFirst();
    Group group = map.group(instance.rootGroup());
    Data.Put put =
        new Data.Put(
            group.id(),
            group.epoch(),
            new RecordId(SessionSecret.sessionOf(SECRET), sequence * 256L),
            new FileId(instance.id(), 99),
            0,
            false,
            SECRET,
            Checksums.of(BlockChecksums.of(ByteBuffer.allocate(MIB))));
    socket.send(2, put, MIB);
    socket.write(ByteBuffer.allocate(MIB / 2));
  }
}
