// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.InstanceOptions;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.EmbeddedManager;
import io.forebay.server.StartFailed;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with real processes' parts whose managers agree by the engine. */
@Timeout(180)
class ManagersOfClusterTest {
  private static final long LOOK_NANOS = 50_000_000;

  @TempDir Path folder;

  private EmbeddedCluster start(int managers) throws Exception {
    return EmbeddedCluster.builder()
        .managers(managers)
        .servers(2)
        .copies(2)
        .segmentBytes(1 << 20)
        .budget(24 << 20, 24 << 20)
        .memoryRoot(folder)
        .directory(folder.resolve("ring"))
        .start();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void put(EmbeddedCluster cluster, String key) throws IOException {
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.pairs().put(key, bytes(key));
    }
  }

  private static byte[] get(EmbeddedCluster cluster, String key) throws IOException {
    try (Forebay client = Forebay.connect(cluster.uri())) {
      return client.pairs().get(key);
    }
  }

  private static List<Statuses.ManagerSeen> managers(EmbeddedCluster cluster) throws IOException {
    try (Cluster asked = Cluster.connect(cluster.uri(""))) {
      return asked.managerStatus().managers();
    }
  }

  private static EmbeddedManager leader(EmbeddedCluster cluster) throws IOException {
    List<String> found =
        managers(cluster).stream()
            .filter(Statuses.ManagerSeen::leads)
            .map(Statuses.ManagerSeen::address)
            .toList();
    for (int i = 0; i < cluster.managers().count(); i++) {
      EmbeddedManager each = cluster.managers().get(i);
      if (found.contains(each.address().toString())) return each;
    }
    throw new AssertionError("no leader in " + managers(cluster));
  }

  private static void awaitMembers(EmbeddedCluster cluster, int count) throws IOException {
    // The test ends by its timeout if they do not come.
    while (managers(cluster).size() != count) LockSupport.parkNanos(LOOK_NANOS);
  }

  /** The lost directory votes no more: until then, the loss of one more would stop the others. */
  private static void awaitReplaced(
      EmbeddedCluster cluster, EmbeddedManager replaced, List<Statuses.ManagerSeen> before)
      throws IOException {
    String address = replaced.address().toString();
    while (true) {
      List<Statuses.ManagerSeen> now = managers(cluster);
      boolean there = now.size() == 3 && !incarnation(now, address).isEmpty();
      if (there && !incarnation(now, address).equals(incarnation(before, address))) return;
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static String incarnation(List<Statuses.ManagerSeen> managers, String address) {
    for (Statuses.ManagerSeen each : managers) {
      if (each.address().equals(address)) return each.incarnation();
    }
    return "";
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> below = Files.walk(directory)) {
      for (Path each : below.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
    }
  }

  private static void decide(EmbeddedCluster cluster, String instance) throws IOException {
    try (Cluster asked = Cluster.connect(cluster.uri(""))) {
      asked.createInstance(instance, InstanceOptions.defaults());
    }
  }

  /** One manager becomes three; any of them may be lost, and come back without its directory. */
  @Test
  void fromOneToThreeAndBackNothingIsLost() throws Exception {
    try (EmbeddedCluster one = start(1)) {
      put(one, "of-one");
    }
    try (EmbeddedCluster three = start(3)) {
      awaitMembers(three, 3);
      assertThat(get(three, "of-one")).isEqualTo(bytes("of-one"));
      EmbeddedManager former = leader(three);
      former.stop();
      decide(three, "without-the-first-leader");
      put(three, "of-two");

      List<Statuses.ManagerSeen> before = managers(three);
      remove(former.directory());
      former.start();
      decide(three, "with-an-empty-one");
      awaitReplaced(three, former, before);
      leader(three).stop();
      decide(three, "with-the-majority-of-the-empty-one");
    }
    try (EmbeddedCluster again = start(0)) {
      assertThat(again.managers().count()).isEqualTo(3);
      assertThat(get(again, "of-two")).isEqualTo(bytes("of-two"));
      try (Cluster asked = Cluster.connect(again.uri(""))) {
        assertThat(asked.instances()).hasSize(4);
      }
    }
    assertThatThrownBy(() -> start(1))
        .isInstanceOf(StartFailed.class)
        .hasMessageContaining("has 3 managers");
  }
}
