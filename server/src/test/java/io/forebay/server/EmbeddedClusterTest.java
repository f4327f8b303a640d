// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole cluster in this process, as applications use it in their own tests. */
@Timeout(300)
class EmbeddedClusterTest {
  private static final long MIB = 1 << 20;

  @TempDir private Path directory;

  private static EmbeddedCluster.Builder small() {
    return EmbeddedCluster.builder().segmentBytes((int) MIB).budget(16 * MIB, 32 * MIB);
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(
            name -> name.startsWith("seat ") || name.startsWith("manager") || name.contains("disk"))
        .collect(Collectors.toSet());
  }

  @Test
  void whatOneClientWritesAnotherReadsAndNothingStaysBehind() throws Exception {
    Random random = new Random(TestSeed.next("EmbeddedClusterTest"));
    Set<String> before = threads();
    Path place;
    try (EmbeddedCluster cluster = small().start();
        Forebay writer = Forebay.connect(cluster.uri());
        Forebay reader = Forebay.connect(cluster.uri())) {
      place = cluster.directory();
      Workload first = new Workload("first", random.nextLong());
      Workload second = new Workload("second", random.nextLong());
      first.write(writer, 5);
      second.write(reader, 5);
      first.check(reader);
      second.check(writer);
      assertThat(cluster.failure()).isNull();
      assertThat(threads()).isNotEqualTo(before);
    }
    assertThat(place).doesNotExist();
    assertThat(threads()).isEqualTo(before);
  }

  @Test
  void memoryThatOneThreadAloneMayUseFailsOneRequestAndNothingElse() throws Exception {
    try (EmbeddedCluster cluster = small().servers(1).copies(1).start();
        Forebay client = Forebay.connect(cluster.uri());
        Arena own = Arena.ofConfined();
        ForebayFile file = client.open("/f", READ, WRITE, CREATE)) {
      ByteBuffer mine = own.allocate(100_000).asByteBuffer();
      file.write(mine, 0);
      mine.clear();
      assertThatThrownBy(() -> file.read(mine, 0)).hasMessageContaining("one thread");
      assertThat(file.readAsync(mine, 0)).failsWithin(1, TimeUnit.MINUTES);
      assertThat(file.writeAsync(mine, 0)).failsWithin(1, TimeUnit.MINUTES);
      assertThat(client.pairs().putAsync("key", mine.clear())).failsWithin(1, TimeUnit.MINUTES);
      assertThat(file.read(ByteBuffer.allocate(100_000), 0)).isEqualTo(100_000);
    }
  }

  @Test
  void aClusterWithADirectoryIsFoundAgain() throws Exception {
    Workload work = new Workload("kept", TestSeed.next("EmbeddedClusterTest"));
    EmbeddedCluster.Builder asked =
        small().servers(2).seats(2).directory(directory).memoryRoot(memory());
    try (EmbeddedCluster cluster = asked.start();
        Forebay client = Forebay.connect(cluster.uri())) {
      work.write(client, 4);
    }
    assertThat(directory).isNotEmptyDirectory();
    try (EmbeddedCluster cluster = asked.start();
        Forebay client = Forebay.connect(cluster.uri())) {
      work.check(client);
      work.write(client, 2);
      work.check(client);
    }
  }

  @Test
  void aServerThatComesBackHasWhatItKept() throws Exception {
    Workload work = new Workload("work", TestSeed.next("EmbeddedClusterTest"));
    try (EmbeddedCluster cluster = small().start();
        Forebay client = Forebay.connect(cluster.uri())) {
      work.write(client, 4);
      cluster.stop(1);
      assertThat(cluster.addresses(1)).isEmpty();
      cluster.start(1);
      work.write(client, 2);
      work.check(client);
      try (Forebay other = Forebay.connect(cluster.uri())) {
        work.check(other);
      }
    }
  }

  @Test
  void clientsOfThisMachineMayComeThroughTcpOnly() throws Exception {
    try (EmbeddedCluster cluster = small().servers(1).copies(1).unixSockets(false).start();
        Forebay client = Forebay.connect(cluster.uri())) {
      assertThat(cluster.addresses(0)).hasSize(1);
      client.pairs().put("key", new byte[] {1});
      assertThat(client.pairs().get("key")).containsExactly(1);
    }
  }

  @Test
  void aPathTooLongForSocketsIsNoHindrance() throws Exception {
    Path deep = directory.resolve("d".repeat(100));
    try (EmbeddedCluster cluster =
        small().servers(1).copies(1).directory(deep).memoryRoot(memory()).start()) {
      assertThat(cluster.addresses(0)).hasSize(1);
    }
  }

  @Test
  void withFewerServersThanCopiesSomeShareOne() throws Exception {
    try (EmbeddedCluster cluster = small().servers(1).seats(2).copies(2).start();
        Forebay client = Forebay.connect(cluster.uri())) {
      client.pairs().put("key", new byte[] {1});
      assertThat(client.pairs().get("key")).containsExactly(1);
    }
  }

  @Test
  void whatCannotBeIsSaid() {
    assertThatThrownBy(() -> small().servers(2).copies(3).start())
        .isInstanceOf(StartFailed.class)
        .hasMessageContaining("3 copies need as many seats");
    assertThatThrownBy(() -> small().budget(MIB, MIB).start())
        .isInstanceOf(StartFailed.class)
        .hasMessageContaining("holds fewer than 6 segments of 1 MiB");
  }

  /** Memory segments that go with the test. */
  private Path memory() throws IOException {
    return Files.createDirectories(directory.resolve("memory"));
  }

  @Test
  void exposureToTheNetworkIsRefused() {
    for (String host : List.of("0.0.0.0", "::", "8.8.8.8")) {
      assertThatThrownBy(
              () -> ListenGuard.check(new io.forebay.wire.Address.Inet(host, 1), Access.LOCAL))
          .isInstanceOf(StartFailed.class)
          .hasMessageContaining("without TLS")
          .hasMessageContaining("--insecure");
    }
    assertThatThrownBy(
            () -> ListenGuard.requireDialable(new io.forebay.wire.Address.Inet("0.0.0.0", 1)))
        .hasMessageContaining("no address that others can dial");
  }

  @Test
  void memoryThatIsNotThereIsRefusedBeforeAnyOfItIsTaken() throws IOException {
    Path memory = Files.createDirectory(directory.resolve("memory"));
    long free = Files.getFileStore(memory).getUsableSpace();
    // Each of the servers would find room, all of them together do not.
    long each = free / 2 / (4 << 20) * (4 << 20);
    EmbeddedCluster.Builder cluster =
        EmbeddedCluster.builder()
            .directory(directory.resolve("ring"))
            .memoryRoot(memory)
            .budget(each, 64 << 20);
    assertThatThrownBy(cluster::start)
        .isInstanceOf(StartFailed.class)
        .hasMessageContainingAll("'" + memory + "' has room for", "lower memory", "memory-root");
    assertThat(memory).isEmptyDirectory();
  }
}
