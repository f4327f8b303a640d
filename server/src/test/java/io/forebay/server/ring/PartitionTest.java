// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.base.SeatId;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.ring.Group;
import io.forebay.ring.PlacementSpec;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.server.Eventually;
import io.forebay.testing.NetworkSpaces;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes on hosts of their own, with a real network between them that is cut. All tests use
 * one ring: each leaves it whole.
 */
@Timeout(180)
class PartitionTest {
  private static final int SERVERS = 3;
  private static final int PAIRS = 12;
  private static final int SEGMENT_BYTES = 4 << 20;

  @TempDir private static Path directory;

  private static NetworkSpaces network;
  private static LocalRing ring;
  private static Forebay client;

  private static Map<String, LocalRing.Host> hosts(NetworkSpaces network) {
    Map<String, LocalRing.Host> hosts = new LinkedHashMap<>();
    network
        .hosts()
        .forEach(
            (name, space) -> hosts.put(name, new LocalRing.Host(space.address(), space.command())));
    return hosts;
  }

  @BeforeAll
  static void start() throws Exception {
    String missing = NetworkSpaces.missing();
    assumeTrue(missing.isEmpty(), missing);
    List<String> hosts = new ArrayList<>(List.of(LocalRing.MANAGER));
    for (int i = 0; i < SERVERS; i++) hosts.add(LocalRing.name(i));
    network = NetworkSpaces.make(hosts);
    RingShape shape =
        new RingShape(
            SERVERS,
            2,
            SEGMENT_BYTES,
            16L * SEGMENT_BYTES,
            16L * SEGMENT_BYTES,
            new PlacementSpec(PlacementSpec.Kind.KETAMA, PlacementSpec.STRIPE_BYTES_DEFAULT, 0));
    Path memory = Files.createDirectory(directory.resolve("memory"));
    ring = new LocalRing(shape, directory.resolve("ring"), memory, hosts(network));
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

  @BeforeEach
  void putBefore() throws IOException {
    put("before");
  }

  private void put(String text) throws IOException {
    for (int i = 0; i < PAIRS; i++) client.pairs().put("key" + i, bytes(text + i));
  }

  private void requirePairs(Forebay reader, String text) throws IOException {
    for (int i = 0; i < PAIRS; i++) {
      assertThat(reader.pairs().get("key" + i)).as("key" + i).isEqualTo(bytes(text + i).array());
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private String homeOfNames() throws IOException {
    RingMap map = ring.map();
    Group group = map.group(map.instances().getFirst().rootGroup());
    return server(map, group.home());
  }

  private String successorOfNames() throws IOException {
    RingMap map = ring.map();
    Group group = map.group(map.instances().getFirst().rootGroup());
    return server(map, group.members().get(1).seat());
  }

  private static String server(RingMap map, SeatId id) {
    SeatEntry seat = map.seat(id);
    assertThat(seat).isNotNull();
    return seat.server();
  }

  private void awaitAllCopies() throws Exception {
    Eventually.await(() -> LocalRing.hasAllCopies(ring.map()));
    ring.awaitServing();
  }

  @Test
  void theOthersGoOnWithoutAHomeThatIsCutOff() throws Exception {
    String home = homeOfNames();
    network.unplug(home);
    put("during");
    requirePairs(client, "during");
    assertThat(homeOfNames()).isNotEqualTo(home);
    network.plug(home);
    awaitAllCopies();
    put("after");
    try (Forebay another = Forebay.connect(ring.uri())) {
      requirePairs(another, "after");
    }
  }

  /** The manager and the client see both; only they do not see each other. */
  @Test
  void twoServersThatDoNotSeeEachOtherDoNotHoldUpTheirGroups() throws Exception {
    String home = homeOfNames();
    String successor = successorOfNames();
    network.silence(home, successor);
    network.silence(successor, home);
    put("during");
    requirePairs(client, "during");
    network.hear(home, successor);
    network.hear(successor, home);
    awaitAllCopies();
    requirePairs(client, "during");
  }

  @Test
  void aHomeThatIsHeardOnlyOneWayLosesNothing() throws Exception {
    String home = homeOfNames();
    String successor = successorOfNames();
    network.silence(home, successor);
    put("during");
    requirePairs(client, "during");
    network.hear(home, successor);
    awaitAllCopies();
    requirePairs(client, "during");
  }

  @Test
  void withoutTheManagerReadsAndWritesGoOn() throws Exception {
    network.unplug(LocalRing.MANAGER);
    put("during");
    requirePairs(client, "during");
    network.plug(LocalRing.MANAGER);
    awaitAllCopies();
    put("after");
    requirePairs(client, "after");
  }
}
