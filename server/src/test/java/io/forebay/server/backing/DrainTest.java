// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.backing;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.SeatId;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files on their way through a real ring into a real directory. */
@Timeout(300)
class DrainTest {
  private static final int MIB = 1 << 20;
  @TempDir Path directory;

  private EmbeddedCluster cluster() throws Exception {
    return EmbeddedCluster.builder()
        .servers(3)
        .segmentBytes(4 * MIB)
        .budget(64L * MIB, 64L * MIB)
        .backingRoots(List.of(directory))
        .start();
  }

  private Forebay client(EmbeddedCluster cluster, String backing) throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance(
          "drained", InstanceOptions.defaults().withDrain(new DrainSpec(backing, "close")));
    }
    return Forebay.connect(cluster.uri("drained"));
  }

  private static byte[] random(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static void write(Forebay client, String path, byte[] content, int piece)
      throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      for (int at = 0; at < content.length; at += piece) {
        file.write(ByteBuffer.wrap(content, at, Math.min(piece, content.length - at)), at);
      }
    }
  }

  private static byte[] read(Forebay client, String path) throws IOException {
    try (ForebayFile file = client.open(path, READ)) {
      ByteBuffer into = ByteBuffer.allocate((int) file.size());
      while (into.hasRemaining() && file.read(into, into.position()) > 0) {}
      return into.array();
    }
  }

  @Test
  void smallFilesAreStoredTogetherIfThePolicySaysSo() throws Exception {
    Path store = Files.createDirectory(directory.resolve("store"));
    try (EmbeddedCluster cluster = cluster()) {
      DrainSpec packing = new DrainSpec(store.toString(), "close,pack=64KiB");
      try (Cluster admin = Cluster.connect(cluster.uri())) {
        admin.createInstance("drained", InstanceOptions.defaults().withDrain(packing));
        admin.createInstance("over", InstanceOptions.defaults().withDrain(packing.asOver()));
      }
      try (Forebay forebay = Forebay.connect(cluster.uri("drained"))) {
        for (int i = 0; i < 50; i++) {
          try (ForebayFile file = forebay.open("/f" + i, CREATE, WRITE)) {
            file.write(ByteBuffer.wrap(random(100 * i, i)), 0);
          }
        }
        forebay.rename("/f7", "/moved");
        forebay.drainAndAwait(List.of("/"), Duration.ofMinutes(1), progress -> {});
      }
      try (Stream<Path> files = Files.walk(store)) {
        assertThat(files.filter(Files::isRegularFile).count()).isLessThan(20);
      }
      // Somebody who was never told reads all of it.
      try (Forebay over = Forebay.connect(cluster.uri("over"));
          ForebayFile file = over.open("/moved", READ)) {
        ByteBuffer read = ByteBuffer.allocate(1000);
        assertThat(file.read(read, 0)).isEqualTo(700);
        assertThat(Arrays.copyOf(read.array(), 700)).isEqualTo(random(700, 7));
      }
    }
  }

  @Test
  void whatIsClosedAppearsInTheStoreUnderItsNameAndComplete() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Forebay client = client(cluster, directory.toString())) {
      client.mkdir("/run");
      byte[] large = random(20 * MIB + 12345, 1);
      byte[] small = random(777, 2);
      write(client, "/run/large", large, MIB);
      write(client, "/run/small", small, 100);
      write(client, "/empty", new byte[0], 1);
      Path stored = directory.resolve("run/large");
      Eventually.await(() -> Files.exists(stored) && Files.exists(directory.resolve("empty")));
      Eventually.await(() -> Files.exists(directory.resolve("run/small")));
      byte[] found = Files.readAllBytes(stored);
      assertThat(found).hasSameSizeAs(large);
      assertThat(Arrays.mismatch(found, large)).as("first wrong byte").isEqualTo(-1);
      assertThat(Files.readAllBytes(directory.resolve("run/small"))).isEqualTo(small);
      assertThat(directory.resolve("empty")).isEmptyFile();
      client.rename("/run/small", "/moved");
      client.unlink("/run/large");
      Eventually.await(() -> Files.exists(directory.resolve("moved")) && !Files.exists(stored));
      try (Stream<Path> left = Files.walk(directory)) {
        assertThat(left.map(path -> directory.relativize(path).toString()).sorted())
            .containsExactly("", "empty", "moved", "run");
      }
    }
  }

  @Test
  void moreThanTheBufferHoldsGoesThroughItAndCanBeReadBack() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .servers(3)
                .segmentBytes(MIB)
                .budget(12L * MIB, 24L * MIB)
                .backingRoots(List.of(directory))
                .start();
        Forebay client = client(cluster, directory.toString())) {
      for (int i = 0; i < 15; i++) write(client, "/file-" + i, random(6 * MIB, i), MIB);
      for (int i = 0; i < 15; i++) {
        boolean right = Arrays.equals(read(client, "/file-" + i), random(6 * MIB, i));
        assertThat(right).as("file " + i).isTrue();
      }
    }
  }

  @Test
  void theMemoryOfTheShuffleIsBoundedHoweverLargeTheFileIs() throws Exception {
    long budgetBytes = 8L * MIB;
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .servers(3)
                .segmentBytes(4 * MIB)
                // Most of it is on SSD, whose reads are bounded too.
                .budget(24L * MIB, 64L * MIB)
                .shuffle(budgetBytes)
                .backingRoots(List.of(directory))
                .start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance(
          "drained",
          InstanceOptions.defaults()
              .withCopies(1)
              .withPlacement(new PlacementSpec(PlacementSpec.Kind.STRIPES, MIB, 0))
              .withDrain(new DrainSpec(directory.toString(), "request")));
      byte[] content = random(64 * MIB, 3);
      try (Forebay client = Forebay.connect(cluster.uri("drained"))) {
        write(client, "/large", content, 250_000);
        client.drainAndAwait(List.of("/large"), Duration.ofMinutes(2), progress -> {});
      }
      byte[] stored = Files.readAllBytes(directory.resolve("large"));
      assertThat(Arrays.mismatch(stored, content)).as("first wrong byte").isEqualTo(-1);
      long drainedBytes = 0;
      long mostBytes = 0;
      for (SeatEntry seat : admin.map().seats()) {
        Statuses.Counters counters = admin.seatStatus(seat.id()).counters();
        drainedBytes += counters.drainedBytes();
        mostBytes = Math.max(mostBytes, counters.shuffleBytes());
      }
      // A seat may be passed by, and a write be made twice, where the machine has much else to do.
      assertThat(mostBytes).as("memory for what the others have").isBetween(1L, budgetBytes);
      assertThat(drainedBytes).isGreaterThanOrEqualTo(content.length);
    }
  }

  @Test
  void writesThatHoldAllReadBuffersDoNotWaitForEachOther() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .servers(1)
                .copies(1)
                .segmentBytes(4 * MIB)
                .budget(0, 160L * MIB)
                .backingRoots(List.of(directory))
                .start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      DrainSpec drain = new DrainSpec("slow+posix:" + directory, "request");
      admin.createInstance("drained", InstanceOptions.defaults().withCopies(1).withDrain(drain));
      try (Forebay client = Forebay.connect(cluster.uri("drained"))) {
        // Each seat may read 64 MiB from SSD at a time, and a piece takes twice its length.
        for (int i = 0; i < 4; i++) write(client, "/file-" + i, random(24 * MIB, i), 900_000);
        client.drainAndAwait(List.of("/"), Duration.ofMinutes(2), progress -> {});
      }
      for (int i = 0; i < 4; i++) {
        byte[] stored = Files.readAllBytes(directory.resolve("file-" + i));
        assertThat(Arrays.equals(stored, random(24 * MIB, i))).as("file " + i).isTrue();
      }
    }
  }

  @Test
  void aServerThatStopsHoldsNoDrainUp() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Forebay client = client(cluster, "slow+posix:" + directory)) {
      for (int i = 0; i < 6; i++) write(client, "/file-" + i, random(9 * MIB, i), MIB);
      cluster.stop(1);
      client.awaitDurable("/", Duration.ofMinutes(2));
      for (int i = 0; i < 6; i++) {
        byte[] stored = Files.readAllBytes(directory.resolve("file-" + i));
        assertThat(Arrays.equals(stored, random(9 * MIB, i))).as("file " + i).isTrue();
      }
    }
  }

  @Test
  void aStoreThatIsNotThereIsToldAndDrainedToWhenItIs() throws Exception {
    Path missing = directory.resolve("not/here");
    try (EmbeddedCluster cluster = cluster();
        Forebay client = client(cluster, missing.toString())) {
      write(client, "/file", random(MIB, 1), MIB);
      Eventually.await(() -> trouble(client).contains(missing.toString()));
      Files.createDirectories(missing);
      client.awaitDurable("/file", Duration.ofMinutes(2));
      assertThat(missing.resolve("file")).hasBinaryContent(random(MIB, 1));
      assertThat(trouble(client)).isEmpty();
    }
  }

  @Test
  void whatWasAskedForIsDrainedByAnotherHomeToo() throws Exception {
    Path missing = directory.resolve("not/here");
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      make(admin, "asked", missing.toString(), "request");
      try (Forebay client = Forebay.connect(cluster.uri("asked"))) {
        write(client, "/file", random(MIB, 1), MIB);
        write(client, "/other", random(MIB, 2), MIB);
        client.drain("/file");
        RingMap map = admin.map();
        SeatId home = map.group(map.instance("asked").rootGroup()).home();
        String server = map.seat(home).server();
        cluster.stop(Integer.parseInt(server.substring("server-".length())) - 1);
        Files.createDirectories(missing);
        client.awaitDurable("/file", Duration.ofMinutes(2));
        assertThat(missing.resolve("file")).hasBinaryContent(random(MIB, 1));
        assertThat(missing.resolve("other")).doesNotExist();
      }
    }
  }

  @Test
  void aStoreThatKeepsNothingTakesEverything() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Forebay client = client(cluster, "null:")) {
      write(client, "/file", random(MIB, 1), MIB);
      client.awaitDurable("/file", Duration.ofMinutes(2));
      write(client, "/file", random(MIB, 2), MIB);
      client.awaitDurable("/file", Duration.ofMinutes(2));
      assertThat(trouble(client)).isEmpty();
    }
  }

  private static String trouble(Forebay client) {
    try {
      return client.ledger().trouble();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whereAndWhenMustMakeSense() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      assertThatThrownBy(() -> make(admin, "wrong", directory.toString(), "sometimes"))
          .hasMessageContaining("sometimes");
      assertThatThrownBy(() -> make(admin, "wrong", "", "close"))
          .hasMessageContaining("backing store");
      assertThatThrownBy(() -> make(admin, "wrong", "slow+tape:1", "close"))
          .hasMessageContaining("'tape:'");
      assertThatThrownBy(() -> make(admin, "wrong", "s3://bucket?part=8MiB&pat=1", "close"))
          .hasMessageContaining("'pat'");
    }
  }

  private static void make(Cluster admin, String name, String backing, String policy)
      throws IOException {
    admin.createInstance(
        name, InstanceOptions.defaults().withDrain(new DrainSpec(backing, policy)));
  }
}
