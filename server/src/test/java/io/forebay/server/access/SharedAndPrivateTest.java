// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.Staging;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.SeatEntry;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Instances with a tree for all nodes and one for each, in one capacity. */
@Timeout(300)
class SharedAndPrivateTest {
  private static final int MIB = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final InstanceOptions BOTH =
      InstanceOptions.defaults().withAccess(Instance.Access.BOTH);

  @TempDir private Path base;

  private EmbeddedCluster.Builder cluster() {
    return EmbeddedCluster.builder()
        .servers(3)
        .segmentBytes(MIB)
        .budget(32L * MIB, 32L * MIB)
        .stageRoots(List.of(base))
        .backingRoots(List.of(base));
  }

  private static Forebay shared(EmbeddedCluster cluster, String node) throws IOException {
    return Forebay.connect(cluster.uri("job"), ForebayOptions.defaults().withNode(node));
  }

  private static Forebay own(EmbeddedCluster cluster, String node) throws IOException {
    return Forebay.connect(
        cluster.uri("job"), ForebayOptions.defaults().withNode(node).withPrivateTree(true));
  }

  private static void write(Forebay client, String path, String content) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      file.write(ByteBuffer.wrap(content.getBytes(UTF_8)), 0);
    }
  }

  private static String read(Forebay client, String path) throws IOException {
    try (ForebayFile file = client.open(path, READ)) {
      ByteBuffer into = ByteBuffer.allocate((int) file.size());
      while (into.hasRemaining() && file.read(into, into.position()) > 0) {}
      return new String(into.array(), UTF_8);
    }
  }

  private static List<String> names(Forebay client) throws IOException {
    List<String> names = new ArrayList<>();
    client.list("/").forEachRemaining(entry -> names.add(entry.name()));
    return names;
  }

  /** Writes files of one MiB until there is no room; returns how many were written. */
  private static int fill(Forebay client, String prefix, int most) throws IOException {
    for (int i = 0; i < most; i++) {
      try (ForebayFile file = client.open(prefix + i, WRITE, CREATE)) {
        file.write(ByteBuffer.allocate(MIB), 0);
      } catch (IOException full) {
        assertThat(full).hasMessageContaining("room");
        return i;
      }
    }
    return most;
  }

  @Test
  void nodesSeeTheSameSharedFilesAndDifferentPrivateOnes() throws Exception {
    try (EmbeddedCluster cluster = cluster().start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      assertThat(admin.createInstance("job", BOTH).access()).isEqualTo(Instance.Access.BOTH);
      // A private tree may be the first that is used.
      try (Forebay own1 = own(cluster, "n1");
          Forebay all1 = shared(cluster, "n1");
          Forebay all2 = shared(cluster, "n2");
          Forebay own2 = own(cluster, "n2")) {
        write(own1, "/f", "of n1");
        write(all1, "/f", "of all");
        write(own2, "/f", "of n2");
        write(own2, "/only", "2");
        assertThat(read(all2, "/f")).isEqualTo("of all");
        assertThat(read(own1, "/f")).isEqualTo("of n1");
        assertThat(read(own2, "/f")).isEqualTo("of n2");
        assertThat(names(all2)).containsExactly("f");
        assertThat(names(own1)).containsExactly("f");
        assertThat(names(own2)).containsExactly("f", "only");
        all1.pairs().put("key", new byte[] {1});
        assertThat(all2.pairs().get("key")).containsExactly(1);
        assertThat(own1.pairs().get("key")).isNull();
        // Another client of the node sees the node's tree.
        try (Forebay again = own(cluster, "n2")) {
          assertThat(names(again)).containsExactly("f", "only");
        }
        all1.findLost(lost -> assertThat(lost).isNull());
        own1.findLost(lost -> assertThat(lost).isNull());
        assertThat(all1.restoredGroups()).isEmpty();
      }
    }
  }

  @Test
  void treesShareOneCapacity() throws Exception {
    try (EmbeddedCluster cluster = cluster().start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("job", BOTH.withCapacityBytes(8L * MIB));
      try (Forebay all = shared(cluster, "n1");
          Forebay own1 = own(cluster, "n1");
          Forebay own2 = own(cluster, "n2")) {
        assertThat(fill(all, "/s", 3)).isEqualTo(3);
        int first = fill(own1, "/a", 2);
        int second = fill(own2, "/b", 8);
        assertThat(first).isEqualTo(2);
        assertThat(second).isBetween(1, 3);
        assertThat(fill(all, "/more", 8)).isLessThanOrEqualTo(8 - 3 - first - second);
        // All trees together, so that 'df' of the shared tree shows the room that is left.
        assertThat(all.usage().capacityBytes()).isEqualTo(8L * MIB);
        assertThat(all.usage().usedBytes()).isBetween((5L + second) * MIB, 8L * MIB);
      }
    }
  }

  @Test
  void bothSurviveARestartOfAllServers() throws Exception {
    Path kept = Files.createDirectories(base.resolve("kept"));
    Path memory = Files.createDirectories(base.resolve("memory"));
    EmbeddedCluster.Builder same = cluster().directory(kept).memoryRoot(memory);
    try (EmbeddedCluster cluster = same.start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("job", BOTH.withCapacityBytes(16L * MIB));
      try (Forebay all = shared(cluster, "n1");
          Forebay own = own(cluster, "n1")) {
        write(all, "/f", "of all");
        write(own, "/f", "of n1");
      }
    }
    try (EmbeddedCluster cluster = same.start();
        Forebay all = shared(cluster, "n2");
        Forebay own = own(cluster, "n1")) {
      assertThat(read(all, "/f")).isEqualTo("of all");
      assertThat(read(own, "/f")).isEqualTo("of n1");
      write(own, "/g", "later");
      assertThat(names(all)).containsExactly("f");
      assertThat(names(own)).containsExactly("f", "g");
      assertThat(fill(all, "/s", 20) + fill(own, "/s", 20)).isLessThan(16);
    }
  }

  @Test
  void theSharedTreeIsDrainedToItsPlainPathAndPrivateTreesAreNot() throws Exception {
    Path store = Files.createDirectories(base.resolve("store"));
    try (EmbeddedCluster cluster = cluster().start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("job", BOTH.withDrain(new DrainSpec(store.toString(), "end")));
      try (Forebay all = shared(cluster, "n1");
          Forebay own = own(cluster, "n1")) {
        write(all, "/f", "of all");
        write(own, "/f", "of n1");
        write(own, "/scratch", "of n1");
        write(all, "/now", "drained on request");
        all.drain("/now");
        all.awaitDurable("/now", PATIENCE);
        assertThat(store.resolve("now")).hasContent("drained on request");
        assertThatThrownBy(() -> own.awaitDurable("/f", PATIENCE))
            .hasMessageContaining("private trees of instance 'job' are not drained");
        assertThatThrownBy(() -> own.drain("/f"))
            .hasMessageContaining("private trees of instance 'job' are not drained");
      }
      admin.destroyInstance("job");
      Eventually.await(() -> admin.map().instance("job") == null);
      assertThat(store.resolve("f")).hasContent("of all");
      assertThat(store.resolve("scratch")).doesNotExist();
    }
  }

  @Test
  void stagesGoToTheSharedTreeUnlessAClientOfAPrivateOneAsks() throws Exception {
    Files.writeString(base.resolve("input"), "staged");
    try (EmbeddedCluster cluster = cluster().start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("job", BOTH);
      String source = base.resolve("input").toString();
      try (Forebay all = shared(cluster, "n1");
          Forebay own = own(cluster, "n1");
          Forebay other = own(cluster, "n2");
          Staging ofAll = Staging.of(all);
          Staging ofOwn = Staging.of(own)) {
        ofAll.await(ofAll.start(StageRequest.in(source, "/in")), PATIENCE, now -> {});
        ofOwn.await(ofOwn.start(StageRequest.in(source, "/own")), PATIENCE, now -> {});
        assertThat(names(all)).containsExactly("in");
        assertThat(read(own, "/own")).isEqualTo("staged");
        assertThat(names(other)).isEmpty();
        assertThat(ofAll.all()).hasSize(2);
        ofAll.start(StageRequest.out("/in", base.resolve("of-all").toString()).withDeferred(true));
        ofOwn.start(StageRequest.out("/own", base.resolve("of-own").toString()).withDeferred(true));
      }
      admin.destroyInstance("job");
      Eventually.await(() -> admin.map().instance("job") == null);
      assertThat(base.resolve("of-all")).hasContent("staged");
      assertThat(base.resolve("of-own")).hasContent("staged");
    }
  }

  /** Writes a private file of 12 MiB of one copy; returns how many seats have a part of it. */
  private int seatsOfPrivateFile(Instance.Access access, PlacementSpec.Kind kind) throws Exception {
    try (EmbeddedCluster cluster = cluster().redirects(false).start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance(
          "job",
          InstanceOptions.defaults()
              .withAccess(access)
              .withCopies(1)
              .withPlacement(new PlacementSpec(kind, MIB, 0)));
      try (Forebay own = own(cluster, "n1");
          ForebayFile file = own.open("/f", WRITE, CREATE)) {
        for (int i = 0; i < 12; i++) file.write(ByteBuffer.allocate(MIB), (long) i * MIB);
        file.sync();
        int seats = 0;
        for (SeatEntry seat : admin.map().seats()) {
          if (admin.seatStatus(seat.id()).liveBytes() >= MIB) seats++;
        }
        return seats;
      }
    }
  }

  @Test
  void aPrivateFileIsStripedOrKeptTogetherAsThePlacementSays() throws Exception {
    for (Instance.Access access : List.of(Instance.Access.PRIVATE, Instance.Access.BOTH)) {
      assertThat(seatsOfPrivateFile(access, PlacementSpec.Kind.STRIPES)).isEqualTo(3);
      assertThat(seatsOfPrivateFile(access, PlacementSpec.Kind.ISOLATED)).isEqualTo(1);
    }
  }

  @Test
  void whatCannotBeIsRefusedWithASentence() throws Exception {
    try (EmbeddedCluster cluster = cluster().start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("job", InstanceOptions.defaults());
      assertThatThrownBy(() -> own(cluster, "n1").close())
          .hasMessageContaining("'job' has shared access")
          .hasMessageContaining("--access both");
      assertThatThrownBy(() -> ForebayOptions.defaults().withNode("@stage"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'@stage' is no name of a node");
      DrainSpec over = new DrainSpec(base.toString(), "").asOver();
      assertThatThrownBy(() -> admin.createInstance("over", BOTH.withDrain(over)))
          .hasMessageContaining("shared access");
      admin.createInstance(
          "private", InstanceOptions.defaults().withAccess(Instance.Access.PRIVATE));
      ForebayOptions implied = ForebayOptions.defaults().withNode("n1");
      try (Forebay plain = Forebay.connect(cluster.uri("private"), implied);
          Forebay asked = Forebay.connect(cluster.uri("private"), implied.withPrivateTree(true))) {
        write(plain, "/f", "same");
        assertThat(read(asked, "/f")).isEqualTo("same");
      }
    }
  }
}
