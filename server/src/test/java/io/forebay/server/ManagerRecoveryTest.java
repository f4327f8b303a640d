// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.InstanceOptions;
import io.forebay.client.failure.ForebayException;
import io.forebay.seat.manager.recovery.NewestMap;
import io.forebay.server.recovery.ManagerRecovery;
import io.forebay.store.directory.LogDirectory;
import io.forebay.testing.TestSeed;
import io.forebay.wire.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A manager that lost the tail of its log, or all of it, is brought back by the seats' maps. */
@Timeout(120)
class ManagerRecoveryTest {
  @TempDir Path saved;

  private static EmbeddedCluster cluster() throws Exception {
    return EmbeddedCluster.builder().servers(3).copies(2).segmentBytes(1 << 20).start();
  }

  private static void copyLog(Path from, Path to) throws IOException {
    Path segments = Files.createDirectories(LogDirectory.segmentsOf(to));
    Files.copy(from.resolve("forebay.log"), to.resolve("forebay.log"));
    try (Stream<Path> files = Files.list(LogDirectory.segmentsOf(from))) {
      for (Path file : files.toList()) Files.copy(file, segments.resolve(file.getFileName()));
    }
  }

  private static ManagerRecovery recovery(
      EmbeddedCluster cluster, List<Address> servers, List<Path> stopped, Set<String> without)
      throws Exception {
    return ManagerRecovery.open(
        new ManagerRecovery.Request(
            cluster.managerDirectory(), servers, stopped, without, null, false));
  }

  private static NewestMap.Found.Newest newest(ManagerRecovery recovery) {
    NewestMap.Found found = recovery.look().found();
    assertThat(found).isInstanceOf(NewestMap.Found.Newest.class);
    return (NewestMap.Found.Newest) found;
  }

  /** It gives no map when it has stopped, perhaps before a client begins. */
  private static String managerSays(EmbeddedCluster cluster) throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      return admin.managerStatus().state();
    } catch (ForebayException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static List<Address> one(EmbeddedCluster cluster, int server) {
    return cluster.addresses(server).stream().filter(Address.Inet.class::isInstance).toList();
  }

  @Test
  void aLogThatLostItsTailGoesOnFromTheSeatsMaps() throws Exception {
    Workload work = new Workload("work", TestSeed.next("ManagerRecoveryTest"));
    try (EmbeddedCluster cluster = cluster()) {
      cluster.manager().stop();
      copyLog(cluster.managerDirectory(), saved);
      cluster.manager().start();
      // All that follows is lost with the tail.
      try (Cluster admin = Cluster.connect(cluster.uri(""))) {
        admin.createInstance("later", InstanceOptions.defaults().withCopies(2));
      }
      try (Forebay client = Forebay.connect(cluster.uri("later"))) {
        work.write(client, 4);
      }
      assertThatThrownBy(() -> recovery(cluster, List.of(), List.of(), Set.of()).close())
          .isInstanceOf(StartFailed.class)
          .hasMessageContainingAll("in use", "end the manager first");
      cluster.manager().stop();
      FileTrees.remove(LogDirectory.segmentsOf(cluster.managerDirectory()));
      Files.delete(cluster.managerDirectory().resolve("forebay.log"));
      copyLog(saved, cluster.managerDirectory());
      cluster.manager().start();
      Eventually.await(() -> managerSays(cluster).contains("forebay manager recover"));
      cluster.manager().stop();

      // A stopped server tells by its directory.
      cluster.stop(2);
      try (ManagerRecovery without = recovery(cluster, one(cluster, 0), List.of(), Set.of())) {
        assertThat(newest(without).missingServers()).containsExactly("server-3");
        assertThatThrownBy(without::write).hasMessageContaining("server-3");
      }
      List<Path> stopped = List.of(cluster.directory().resolve("server-3"));
      try (ManagerRecovery recovery = recovery(cluster, one(cluster, 0), stopped, Set.of())) {
        NewestMap.Found.Newest newest = newest(recovery);
        assertThat(newest.missing()).isEmpty();
        assertThat(newest.map().instance("later")).isNotNull();
        assertThat(recovery.write().former()).isNotNull().exists();
      }
      cluster.manager().start();
      cluster.start(2);
      goesOn(cluster, work);
    }
  }

  @Test
  void aManagerWithoutAnyLogComesBackFromRunningServers() throws Exception {
    Workload work = new Workload("work", TestSeed.next("ManagerRecoveryTest"));
    try (EmbeddedCluster cluster = cluster()) {
      try (Cluster admin = Cluster.connect(cluster.uri(""))) {
        admin.createInstance("later", InstanceOptions.defaults().withCopies(2));
      }
      try (Forebay client = Forebay.connect(cluster.uri("later"))) {
        work.write(client, 4);
      }
      cluster.manager().stop();
      FileTrees.remove(cluster.managerDirectory());
      cluster.stop(1);
      Set<String> without = Set.of("server-2");
      try (ManagerRecovery recovery = recovery(cluster, one(cluster, 0), List.of(), without)) {
        ManagerRecovery.Written written = recovery.write();
        assertThat(written.former()).isNull();
        assertThat(Instant.now().getEpochSecond())
            .as("another recovery begins no term that this one has begun")
            .isGreaterThan(written.state().term());
        assertThat(written.state().lost()).anyMatch(lost -> lost.contains("all revocations"));
      }
      cluster.manager().start();
      cluster.start(1);
      goesOn(cluster, work);
    }
  }

  /** All data is there, writes go on, instances are made, and a server may go and come back. */
  private static void goesOn(EmbeddedCluster cluster, Workload work) throws Exception {
    try (Cluster admin = Cluster.connect(cluster.uri(""));
        Forebay client = Forebay.connect(cluster.uri("later"))) {
      Eventually.await(() -> admin.map().groups().stream().allMatch(group -> group.isWhole()));
      work.check(client);
      admin.createInstance("last", InstanceOptions.defaults().withCopies(2));
      cluster.stop(0);
      work.write(client, 2);
      work.check(client);
      cluster.start(0);
      Eventually.await(() -> admin.map().groups().stream().allMatch(group -> group.isWhole()));
    }
  }
}
