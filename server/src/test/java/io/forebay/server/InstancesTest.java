// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

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
import io.forebay.ring.Instance;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What instances promise: capacity, privacy, and that destroying one frees its room. */
@Timeout(300)
class InstancesTest {
  private static final int MIB = 1 << 20;

  private static EmbeddedCluster cluster() throws Exception {
    return EmbeddedCluster.builder().segmentBytes(MIB).budget(24L * MIB, 48L * MIB).start();
  }

  /** Writes a file of so many MiB, and says whether there was room for it. */
  private static boolean write(Forebay client, String path, int mebibytes) {
    ByteBuffer bytes = ByteBuffer.allocate(MIB);
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      for (int i = 0; i < mebibytes; i++) file.write(bytes.clear(), (long) i * MIB);
      return true;
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("room");
      return false;
    }
  }

  @Test
  void capacityIsNotExceededAndComesBack() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("small", InstanceOptions.defaults().withCapacityBytes(8L * MIB));
      try (Forebay client = Forebay.connect(cluster.uri("small"))) {
        assertThat(write(client, "/a", 6)).isTrue();
        assertThat(write(client, "/b", 6)).isFalse();
        assertThat(client.usage().usedBytes()).isLessThanOrEqualTo(8L * MIB);
        client.unlink("/a");
        client.unlink("/b");
        assertThat(writeInTime(client, "/c", 6)).isTrue();
      }
    }
  }

  /** Room comes back a moment after files go. */
  private static boolean writeInTime(Forebay client, String path, int mebibytes) throws Exception {
    for (int i = 0; i < 50; i++) {
      if (write(client, path, mebibytes)) return true;
      Thread.sleep(100);
    }
    return false;
  }

  @Test
  void privateTreesAreHiddenFromOtherNodesAndShareTheCapacity() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      Instance made =
          admin.createInstance(
              "own",
              InstanceOptions.defaults()
                  .withAccess(Instance.Access.PRIVATE)
                  .withCapacityBytes(8L * MIB));
      assertThat(made.access()).isEqualTo(Instance.Access.PRIVATE);
      List<Forebay> nodes = new ArrayList<>();
      try {
        for (int i = 0; i < 4; i++) {
          nodes.add(
              Forebay.connect(cluster.uri("own"), ForebayOptions.defaults().withNode("node-" + i)));
        }
        for (int i = 0; i < 4; i++) nodes.get(i).mkdir("/of-" + i);
        for (int i = 0; i < 4; i++) {
          List<String> names = new ArrayList<>();
          nodes.get(i).list("/").forEachRemaining(entry -> names.add(entry.name()));
          assertThat(names).containsExactly("of-" + i);
        }
        int written = 0;
        for (int i = 0; i < 4; i++) {
          for (int file = 0; file < 4 && write(nodes.get(i), "/f" + file, 1); file++) written++;
        }
        assertThat(written).isBetween(4, 8);
      } finally {
        for (Forebay node : nodes) node.close();
      }
    }
  }

  @Test
  void destroyingAnInstanceFreesItsRoom() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      for (int round = 0; round < 4; round++) {
        admin.createInstance("burst", InstanceOptions.defaults());
        try (Forebay client = Forebay.connect(cluster.uri("burst"))) {
          assertThat(write(client, "/checkpoint", 40)).isTrue();
          assertThat(liveBytes(admin)).isGreaterThan(80L * MIB);
        }
        admin.destroyInstance("burst");
        Eventually.await(() -> admin.map().instance("burst") == null);
        assertThatThrownBy(() -> Forebay.connect(cluster.uri("burst")).close())
            .hasMessageContaining("no instance 'burst'");
        Eventually.await(() -> liveBytes(admin) < MIB);
      }
    }
  }

  private static long liveBytes(Cluster admin) throws IOException {
    long sum = 0;
    for (var seat : admin.map().seats()) {
      SeatId id = seat.id();
      sum += admin.seatStatus(id).liveBytes();
    }
    return sum;
  }
}
