// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.backing.location.BackingRoots;
import io.forebay.base.SeatId;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.failure.ForebayException;
import io.forebay.client.file.RingRoom;
import io.forebay.ring.Pool;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.SeatConfig;
import io.forebay.server.audit.AuditFiles;
import io.forebay.server.stage.side.StageAccess;
import io.forebay.wire.Address;
import io.forebay.wire.UserBounds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose directory was removed comes back at the same address, with another log. */
@Timeout(120)
class WipedServerTest {
  private static final int MIB = 1 << 20;
  private static final int WIPED = 1;
  private static final String NAME = "server-2";

  private static void wipe(EmbeddedCluster cluster) {
    cluster.stop(WIPED);
    Path place = cluster.directory().resolve(NAME);
    FileTrees.removeLog(SeatCore.directoryOf(place, 1));
    FileTrees.remove(place);
  }

  /** The same server, which asks for a place in the ring. It listens at the same Unix socket. */
  private static ServerProcess join(EmbeddedCluster cluster) throws Exception {
    Storage storage =
        new Storage(cluster.directory().resolve(NAME), null, 24L * MIB, 24L * MIB, MIB, false);
    return ServerProcess.start(
        new ServerConfig(
            NAME,
            List.of(cluster.managerAddress()),
            new Address.Inet("127.0.0.1", 0),
            true,
            Access.LOCAL,
            1,
            storage,
            1,
            SeatConfig.CREDIT_BYTES_DEFAULT,
            true,
            SeatConfig.SCRUB_BYTES_DEFAULT,
            SeatConfig.SHUFFLE_BYTES_DEFAULT,
            true,
            0,
            StageAccess.NONE,
            BackingRoots.NONE,
            Pool.DEFAULT,
            AuditFiles.in(storage.directory()),
            UserBounds.DEFAULT));
  }

  private static List<SeatId> answering(Cluster admin) throws Exception {
    List<SeatId> answering = new ArrayList<>();
    for (SeatEntry seat : admin.map().seats()) {
      try {
        answering.add(admin.seatStatus(seat.id()).seat());
      } catch (ForebayException silent) {
        assertThat(seat.server()).as(silent.getMessage()).isEqualTo(NAME);
      }
    }
    return answering;
  }

  @Test
  void onlyTheSeatThatIsAskedTellsItsStatus() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .servers(3)
                .segmentBytes(MIB)
                .budget(24L * MIB, 24L * MIB)
                .start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      SeatEntry former =
          admin.map().seats().stream()
              .filter(seat -> seat.server().equals(NAME))
              .findFirst()
              .orElseThrow();
      assertThat(former.addresses()).anyMatch(address -> address.startsWith("unix:"));
      wipe(cluster);
      cluster.start(WIPED);
      assertThatThrownBy(() -> admin.seatStatus(former.id()))
          .hasMessageContaining("has a log that is not in the ring; start it with '--join true'");
      assertThat(answering(admin)).hasSize(2);
      // Its neighbours must not take the pings' answers for its own either.
      Eventually.await(() -> admin.map().seat(former.id()).away());

      wipe(cluster);
      try (ServerProcess joined = join(cluster)) {
        Eventually.await(() -> answering(admin).size() == 3);
        assertThat(joined.failure()).isNull();
        assertThat(answering(admin)).doesNotContain(former.id()).doesNotHaveDuplicates();
        assertThatThrownBy(() -> admin.seatStatus(former.id()))
            .hasMessageContaining("seat 4 has replaced seat 2");
        try (Forebay client = Forebay.connect(cluster.uri())) {
          Eventually.await(() -> room(client) >= 3L * 48 * MIB / 2);
          assertThat(room(client)).as("each server counts once").isEqualTo(3L * 48 * MIB / 2);
        }
      }
    }
  }

  private static long room(Forebay client) throws Exception {
    RingRoom room = client.ringRoom();
    return room.totalBytes();
  }
}
