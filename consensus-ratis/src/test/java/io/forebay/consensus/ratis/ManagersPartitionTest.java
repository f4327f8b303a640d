// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.PlacementSpec;
import io.forebay.server.ring.LocalRing;
import io.forebay.server.ring.RingShape;
import io.forebay.testing.NetworkSpaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three managers as real processes on hosts of their own, with a real network between them that is
 * cut. All tests use one ring: each leaves it whole.
 */
@Timeout(180)
class ManagersPartitionTest {
  private static final long LOOK_MILLIS = 50;
  private static final int SERVERS = 2;
  private static final int MANAGERS = 3;
  private static final int SEGMENT_BYTES = 4 << 20;

  @TempDir private static Path directory;

  private static NetworkSpaces network;
  private static LocalRing ring;
  private static Forebay client;
  private static int decisions;

  @BeforeAll
  static void start() throws Exception {
    String missing = NetworkSpaces.missing();
    assumeTrue(missing.isEmpty(), missing);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < MANAGERS; i++) names.add(LocalRing.managerName(i));
    for (int i = 0; i < SERVERS; i++) names.add(LocalRing.name(i));
    network = NetworkSpaces.make(names);
    Map<String, LocalRing.Host> hosts = new LinkedHashMap<>();
    network
        .hosts()
        .forEach(
            (name, space) -> hosts.put(name, new LocalRing.Host(space.address(), space.command())));
    RingShape shape =
        new RingShape(
                SERVERS,
                2,
                SEGMENT_BYTES,
                16L * SEGMENT_BYTES,
                16L * SEGMENT_BYTES,
                new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0))
            .withManagers(MANAGERS);
    Path memory = Files.createDirectory(directory.resolve("memory"));
    ring = new LocalRing(shape, directory.resolve("ring"), memory, hosts);
    ring.start();
    client =
        Forebay.connect(ring.uri(), ForebayOptions.defaults().withTimeout(Duration.ofSeconds(60)));
  }

  @AfterAll
  static void end() throws IOException {
    if (client != null) client.close();
    if (ring != null) ring.close();
    if (network != null) network.close();
  }

  private static String leader() throws IOException {
    ring.awaitManagers();
    return Objects.requireNonNull(ring.leader());
  }

  /** The others decide, and clients go on; returns the instance that they made. */
  private static String goOn() throws IOException {
    String made = "decision-" + ++decisions;
    byte[] value = made.getBytes(StandardCharsets.UTF_8);
    client.pairs().put(made, value);
    try (Cluster cluster = ring.connect()) {
      cluster.createInstance(made, InstanceOptions.defaults());
    }
    assertThat(client.pairs().get(made)).isEqualTo(value);
    return made;
  }

  /** A leader that was cut off shows its old map until it hears that another one leads. */
  private static void requireAgreement(String made) throws IOException, InterruptedException {
    ring.awaitManagers();
    while (ring.map().instance(made) == null) TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    ring.requireAlive();
  }

  @Test
  void theOthersGoOnWithoutALeaderThatIsCutOff() throws Exception {
    String leader = leader();
    network.unplug(leader);
    String made = goOn();
    network.plug(leader);
    requireAgreement(made);
  }

  /** It hears the others and is not heard by them: it must learn that another one leads. */
  @Test
  void aLeaderThatIsHeardOnlyOneWayIsFollowedNoMore() throws Exception {
    String leader = leader();
    List<String> others = new ArrayList<>(ring.managerNames());
    others.remove(leader);
    for (String other : others) network.silence(leader, other);
    String made = goOn();
    for (String other : others) network.hear(leader, other);
    requireAgreement(made);
  }

  @Test
  void aPausedLeaderFindsThatItLeadsNoMore() throws Exception {
    String leader = leader();
    ring.pause(leader);
    String made = goOn();
    ring.resume(leader);
    requireAgreement(made);
  }
}
