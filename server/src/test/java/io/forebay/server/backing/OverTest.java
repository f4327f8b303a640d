// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.backing;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.client.durability.Ledger;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ring in front of a directory that had files before. */
@Timeout(300)
class OverTest {
  private static final int MIB = 1 << 20;
  private static final int LARGE = 9 * MIB + 777;
  private static final long PATIENCE_MILLIS = 60_000;
  private static final Duration PATIENCE = Duration.ofMillis(PATIENCE_MILLIS);

  @TempDir Path directory;
  private EmbeddedCluster cluster;
  private Forebay client;

  @BeforeEach
  void start() throws Exception {
    Files.createDirectories(directory.resolve("run/deep"));
    Files.write(directory.resolve("top"), random(1000, 1));
    Files.write(directory.resolve("run/large"), random(LARGE, 2));
    Files.write(directory.resolve("run/small"), random(100, 3));
    Files.write(directory.resolve("run/deep/gone"), random(50, 4));
    Files.write(directory.resolve("run/deep/kept"), random(5000, 5));
    Files.createSymbolicLink(directory.resolve("link"), Path.of("top"));
    cluster =
        EmbeddedCluster.builder()
            .servers(3)
            .segmentBytes(4 * MIB)
            .budget(64L * MIB, 64L * MIB)
            .backingRoots(List.of(directory))
            .start();
    DrainSpec over = new DrainSpec("posix:" + directory, "request").asOver();
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("over", InstanceOptions.defaults().withDrain(over));
      assertThatThrownBy(
              () ->
                  admin.createInstance(
                      "own",
                      InstanceOptions.defaults()
                          .withDrain(over)
                          .withAccess(Instance.Access.PRIVATE)))
          .hasMessageContaining("shared access");
    }
    client = Forebay.connect(cluster.uri("over"));
  }

  @AfterEach
  void end() throws IOException {
    client.close();
    cluster.close();
  }

  private static byte[] random(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  private void write(String path, byte[] content, long at, OpenOption... options)
      throws IOException {
    try (ForebayFile file = client.open(path, options)) {
      file.write(ByteBuffer.wrap(content), at);
    }
  }

  private byte[] read(String path) throws IOException {
    try (ForebayFile file = client.open(path, READ)) {
      ByteBuffer into = ByteBuffer.allocate((int) file.size());
      while (into.hasRemaining() && file.read(into, into.position()) > 0) {}
      return into.array();
    }
  }

  private List<String> list(String path) throws IOException {
    List<String> names = new ArrayList<>();
    client.list(path).forEachRemaining((DirectoryEntry each) -> names.add(each.name()));
    return names;
  }

  private List<String> storedNames() {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.map(path -> directory.relativize(path).toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Ledger.Entry entry(String path) throws IOException {
    return client.ledger().entries().stream()
        .filter(each -> each.path().equals(path))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsThereIsShownAndChangedAndTheDirectoryFollows() throws Exception {
    assertThat(list("/")).containsExactly("run", "top");
    assertThat(client.ledger().leftOut()).isEqualTo(1);
    assertThat(client.stat("/run/large").sizeBytes()).isEqualTo(LARGE);
    byte[] large = random(LARGE, 2);
    assertThat(Arrays.equals(read("/run/large"), large)).as("as it was").isTrue();
    byte[] part = random(MIB, 6);
    write("/run/large", part, 3 * MIB + 5, WRITE);
    System.arraycopy(part, 0, large, 3 * MIB + 5, MIB);
    try (ForebayFile file = client.open("/run/small", WRITE)) {
      file.append(ByteBuffer.wrap(random(10, 7)));
    }
    byte[] small = Arrays.copyOf(random(100, 3), 110);
    System.arraycopy(random(10, 7), 0, small, 100, 10);
    cluster.stop(0);
    assertThat(Arrays.equals(read("/run/large"), large)).as("partly written").isTrue();
    assertThat(read("/run/small")).isEqualTo(small);
    client.unlink("/run/deep/gone");
    client.rename("/top", "/run/top");
    cluster.start(0);
    write("/run/new", random(2000, 8), 0, WRITE, CREATE);
    client.rename("/run/new", "/run/deep/kept");
    client.rename("/run", "/moved");
    client.drain("/");
    client.awaitDurable("/", PATIENCE);
    List<String> expected =
        List.of(
            "",
            "link",
            "moved",
            "moved/deep",
            "moved/deep/kept",
            "moved/large",
            "moved/small",
            "moved/top");
    Eventually.await(() -> storedNames().equals(expected));
    assertThat(Arrays.equals(Files.readAllBytes(directory.resolve("moved/large")), large)).isTrue();
    assertThat(directory.resolve("moved/small")).hasBinaryContent(small);
    assertThat(directory.resolve("moved/top")).hasBinaryContent(random(1000, 1));
    assertThat(directory.resolve("moved/deep/kept")).hasBinaryContent(random(2000, 8));
  }

  @Test
  void whatOthersChangeIsNoticedToldAndTakenWhenAskedTo() throws Exception {
    assertThat(read("/run/small")).isEqualTo(random(100, 3));
    Files.write(directory.resolve("run/small"), random(70, 9));
    assertThatThrownBy(() -> read("/run/small"))
        .hasMessageContaining(
            directory.resolve("run/small") + "' has been changed by another program")
        .hasMessageContaining("'forebay refresh /run/small'");
    assertThat(entry("/run/small").state()).isEqualTo(Ledger.State.CHANGED);
    assertThat(entry("/run/small").lastError()).contains("'forebay refresh /run/small'");
    Files.delete(directory.resolve("run/large"));
    Files.write(directory.resolve("run/another"), random(7, 10));
    client.refresh("/run/small");
    assertThat(read("/run/small")).isEqualTo(random(70, 9));
    assertThat(entry("/run/small").state()).isEqualTo(Ledger.State.DURABLE);
    assertThat(list("/run")).containsExactly("another", "deep", "small");
  }

  @Test
  void whatOthersChangedIsNotReplaced() throws Exception {
    write("/top", random(10, 11), 20, WRITE);
    write("/fresh", random(10, 12), 0, WRITE, CREATE);
    write("/run/deep/kept", random(10, 15), 20, WRITE);
    Files.delete(directory.resolve("run/deep/kept"));
    Files.write(directory.resolve("top"), random(3000, 13));
    Files.write(directory.resolve("fresh"), random(5, 14));
    client.drain("/");
    for (String path : List.of("/top", "/fresh")) {
      Eventually.await(() -> isChanged(path));
      assertThat(entry(path).lastError()).contains("move it away there");
    }
    Eventually.await(() -> isChanged("/run/deep/kept"));
    assertThat(entry("/run/deep/kept").lastError()).contains("cannot be drained: delete it here");
    client.unlink("/run/deep/kept");
    assertThat(directory.resolve("top")).hasBinaryContent(random(3000, 13));
    assertThat(directory.resolve("fresh")).hasBinaryContent(random(5, 14));
    client.unlink("/top");
    Eventually.await(() -> !isChanged("/top"));
    client.refresh("/");
    assertThat(read("/top")).isEqualTo(random(3000, 13));
    Files.delete(directory.resolve("fresh"));
    client.drain("/");
    client.awaitDurable("/", PATIENCE);
    assertThat(directory.resolve("fresh")).hasBinaryContent(random(10, 12));
  }

  private boolean isChanged(String path) {
    try {
      return client.ledger().entries().stream()
          .anyMatch(each -> each.path().equals(path) && each.state() == Ledger.State.CHANGED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
