// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.use;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.SeatId;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.failure.Failures;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.Pool;
import io.forebay.ring.RingMap;
import io.forebay.ring.pool.PoolRoom;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real servers keep what instances were promised. */
@Timeout(300)
class PromisedCapacityTest {
  private static final int MIB = 1 << 20;
  private static final ForebayOptions PATIENT =
      ForebayOptions.defaults().withTimeout(Duration.ofSeconds(60));
  private static final ForebayOptions IMPATIENT =
      ForebayOptions.defaults().withTimeout(Duration.ofSeconds(4));

  @TempDir private Path store;

  private static EmbeddedCluster small(String... pools) throws Exception {
    return EmbeddedCluster.builder()
        .servers(Math.max(3, pools.length))
        .copies(2)
        .segmentBytes(MIB)
        .budget(24L * MIB, 48L * MIB)
        .pools(pools)
        .start();
  }

  /** Writes files of 1 MiB in small pieces until there is no room; returns how many. */
  private static int fill(Forebay client, int files) {
    for (int i = 0; i < files; i++) {
      try (ForebayFile file = client.open("/f" + i, WRITE, CREATE)) {
        for (int piece = 0; piece < 8; piece++) {
          file.write(ByteBuffer.allocate(MIB / 8), (long) piece * MIB / 8);
        }
      } catch (IOException e) {
        assertThat(Failures.codeOf(e)).as(e.getMessage()).isEqualTo(ErrorCode.NO_SPACE);
        return i;
      }
    }
    return files;
  }

  private static InstanceOptions withCapacity(int mebibytes) {
    return InstanceOptions.defaults().withCapacityBytes((long) mebibytes * MIB);
  }

  /** All that is promised can be written, though an instance without a promise came first. */
  @Test
  void everyInstanceCanBeFilledToItsCapacity() throws Exception {
    try (EmbeddedCluster cluster = small(Pool.DEFAULT);
        Cluster admin = Cluster.connect(cluster.uri())) {
      RingMap map = admin.map();
      PoolRoom room = PoolRoom.of(map.pool(Pool.DEFAULT), map.seats(), map.instances());
      int half = (int) (room.quantity() / 2 / 2);
      Instance first = admin.createInstance("first", withCapacity(half));
      Instance second = admin.createInstance("second", withCapacity(half - 2));
      assertThatThrownBy(() -> admin.createInstance("third", withCapacity(half)))
          .hasMessageContaining("would fit");
      try (Forebay greedy = Forebay.connect(cluster.uri(), IMPATIENT);
          Forebay one = Forebay.connect(cluster.uri("first"), PATIENT);
          Forebay two = Forebay.connect(cluster.uri("second"), PATIENT)) {
        int taken = fill(greedy, 4 * half);
        System.out.println("half " + half + ", without a promise " + taken);
        assertThat(fill(one, half)).isEqualTo(half);
        assertThat(fill(two, half - 2)).isEqualTo(half - 2);
        assertThat(one.usage().usedBytes()).isEqualTo(first.capacityBytes());
        assertThat(two.usage().usedBytes()).isEqualTo(second.capacityBytes());
        assertThat(fill(two, half)).as("no more than promised").isLessThan(half);
      }
      assertThat(cluster.failure()).isNull();
    }
  }

  /** Its drained data is evicted where the rest is promised; the promise stays. */
  @Test
  void whatIsDrainedMakesRoomForAnInstanceWithoutAPromise() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .segmentBytes(MIB)
                .budget(24L * MIB, 48L * MIB)
                .backingRoots(List.of(store))
                .withoutInstance()
                .start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      RingMap map = admin.map();
      PoolRoom room = PoolRoom.of(map.pool(Pool.DEFAULT), map.seats(), map.instances());
      int promised = (int) (room.quantity() / 2) - 10;
      admin.createInstance("promised", withCapacity(promised));
      admin.createInstance(
          "drained",
          InstanceOptions.defaults().withDrain(new DrainSpec(store.toString(), "close")));
      try (Forebay drained = Forebay.connect(cluster.uri("drained"), PATIENT);
          Forebay other = Forebay.connect(cluster.uri("promised"), PATIENT)) {
        assertThat(fill(drained, 60)).isEqualTo(60);
        assertThat(fill(other, promised)).isEqualTo(promised);
        assertThat(drained.stat("/f0").sizeBytes()).isEqualTo(MIB);
        assertThat(fill(drained, 20)).as("once more").isEqualTo(20);
      }
      assertThat(cluster.failure()).isNull();
    }
  }

  @Test
  void anInstanceGrowsAndShrinksToWhatItHolds() throws Exception {
    try (EmbeddedCluster cluster = small(Pool.DEFAULT);
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("a", withCapacity(4));
      try (Forebay client = Forebay.connect(cluster.uri("a"), PATIENT)) {
        assertThat(fill(client, 8)).isEqualTo(4);
        admin.resizeInstance("a", 10L * MIB);
        Eventually.await(() -> client.usage().capacityBytes() == 10L * MIB);
        assertThat(fill(client, 8)).isEqualTo(8);
      }
      assertThatThrownBy(() -> admin.resizeInstance("a", 6L * MIB))
          .hasMessageContaining("keeps its capacity of 10 MiB: more than 6 MiB is used");
      assertThat(admin.map().instance("a").capacityBytes()).isEqualTo(10L * MIB);
      // Its client has gone, and with it what was promised to its writes.
      Instance less = admin.resizeInstance("a", 8L * MIB);
      assertThat(less.capacityBytes()).isEqualTo(8L * MIB);
      assertThat(less.allocation().granules()).isEqualTo(8);
      try (Forebay client = Forebay.connect(cluster.uri("a"), PATIENT)) {
        assertThat(client.usage().capacityBytes()).isEqualTo(8L * MIB);
      }
    }
  }

  @Test
  void recordsAndCopiesStayWithinThePool() throws Exception {
    try (EmbeddedCluster cluster = small("slow", "fast", "slow", "fast");
        Cluster admin = Cluster.connect(cluster.uri())) {
      Instance made = admin.createInstance("a", withCapacity(8).withPool("fast"));
      try (Forebay client = Forebay.connect(cluster.uri("a"), PATIENT)) {
        assertThat(fill(client, 8)).isEqualTo(8);
      }
      RingMap map = admin.map();
      assertThat(made.seats()).allMatch(seat -> map.seat(seat).pool().equals("fast"));
      for (var seat : map.seats()) {
        SeatId id = seat.id();
        boolean holds = admin.seatStatus(id).liveBytes() > 4L * MIB;
        assertThat(holds).as(id + " of " + seat.pool()).isEqualTo(seat.pool().equals("fast"));
      }
      assertThatThrownBy(
              () -> admin.createInstance("b", withCapacity(8).withPool("fast").withCopies(3)))
          .hasMessageContaining("pool 'fast' has 2 servers, and 3 copies need as many");
    }
  }
}
