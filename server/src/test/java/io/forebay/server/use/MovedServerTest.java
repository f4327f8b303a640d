// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.use;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is restarted with another pool: the copies that it kept for others of its former
 * pool are made there again, and those of its own group in its new pool.
 */
@Timeout(240)
class MovedServerTest {
  private static final int MIB = 1 << 20;
  private static final int FILES = 12;
  private static final int MOVED = 2;
  private static final String MOVED_NAME = "server-3";

  @TempDir private Path directory;

  private EmbeddedCluster.Builder kept(String third) {
    return EmbeddedCluster.builder()
        .servers(5)
        .segmentBytes(MIB)
        .budget(24L * MIB, 24L * MIB)
        .directory(directory.resolve("cluster"))
        .memoryRoot(directory.resolve("memory"))
        .pools("slow", "slow", third, "fast", "fast")
        .withoutInstance();
  }

  private static byte[] content(int file) {
    byte[] bytes = new byte[MIB];
    new Random(file).nextBytes(bytes);
    return bytes;
  }

  private static void write(Forebay client) throws IOException {
    for (int i = 0; i < FILES; i++) {
      try (ForebayFile file = client.open("/f" + i, WRITE, CREATE)) {
        file.write(ByteBuffer.wrap(content(i)), 0);
      }
    }
  }

  private static void requireAll(Forebay client) throws IOException {
    for (int i = 0; i < FILES; i++) {
      try (ForebayFile file = client.open("/f" + i, READ)) {
        ByteBuffer bytes = ByteBuffer.allocate(MIB);
        while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {}
        assertThat(bytes.array()).as("file %d", i).isEqualTo(content(i));
      }
    }
  }

  private static SeatEntry moved(RingMap map) {
    return map.seats().stream()
        .filter(seat -> seat.server().equals(MOVED_NAME) && seat.stay() == SeatEntry.Stay.HERE)
        .findFirst()
        .orElseThrow();
  }

  /** Whether all members of each group are current, and of the pool that the group starts from. */
  private static boolean hasMoved(RingMap map) {
    if (!moved(map).pool().equals("fast")) return false;
    for (Group group : map.groups()) {
      String pool = map.seat(group.id().origin()).pool();
      boolean within =
          group.members().stream().allMatch(each -> map.seat(each.seat()).pool().equals(pool));
      if (!within || !group.isWhole()) return false;
    }
    return true;
  }

  @Test
  void allCopiesAreWithinOnePoolAfterwards() throws Exception {
    Files.createDirectories(directory.resolve("memory"));
    InstanceOptions options =
        InstanceOptions.defaults()
            .withCopies(2)
            .withPool("slow")
            .withCapacityBytes((long) FILES * MIB);
    try (EmbeddedCluster cluster = kept("slow").start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      admin.createInstance("a", options);
      try (Forebay client = Forebay.connect(cluster.uri("a"))) {
        write(client);
      }
      assertThat(admin.seatStatus(moved(admin.map()).id()).liveBytes()).isGreaterThan(4L * MIB);
    }
    try (EmbeddedCluster cluster = kept("fast").start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      Eventually.await(() -> hasMoved(admin.map()));
      assertThat(admin.map().instance("a").allocation().seats())
          .as("new records stay in the pool")
          .hasSize(2)
          .doesNotContain(moved(admin.map()).id());
      ForebayOptions patient = ForebayOptions.defaults().withTimeout(Duration.ofSeconds(60));
      try (Forebay client = Forebay.connect(cluster.uri("a"), patient)) {
        requireAll(client);
        cluster.stop(MOVED);
        requireAll(client);
      }
    }
  }
}
