// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.client.checkpoint.Checkpoint;
import io.forebay.client.checkpoint.CheckpointQuery;
import io.forebay.client.durability.Ledger;
import io.forebay.ring.DrainSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints in a real ring: which are complete, where they are, and which stay in the buffer. */
@Timeout(120)
class CheckpointTest {
  private static final int MIB = 1 << 20;
  @TempDir static Path memory;
  private static EmbeddedCluster cluster;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .copies(1)
            .segmentBytes(MIB)
            .budget(24L * MIB, 0)
            .memoryRoot(memory)
            .backingRoots(List.of(Path.of(System.getProperty("java.io.tmpdir"))))
            .start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private Forebay drained(EmbeddedCluster cluster, String policy, String keep) throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance(
          "drained",
          InstanceOptions.defaults()
              .withDrain(new DrainSpec(directory.toString(), policy).keeping(keep)));
    }
    return Forebay.connect(cluster.uri("drained"));
  }

  private static byte[] random(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static void write(Forebay client, String path, byte[] content) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      file.write(ByteBuffer.wrap(content), 0);
    }
  }

  private static List<String> states(List<Checkpoint> found) {
    return found.stream().map(each -> each.number() + " " + each.state()).toList();
  }

  @Test
  void whatIsStillWrittenIsNotComplete() throws Exception {
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.mkdir("/run");
      write(client, "/run/ckpt-1", random(MIB, 1));
      write(client, "/run/ckpt-2", random(MIB, 2));
      try (Forebay writer = Forebay.connect(cluster.uri());
          Forebay reader = Forebay.connect(cluster.uri());
          ForebayFile read = reader.open("/run/ckpt-2", READ)) {
        ForebayFile open = writer.open("/run/ckpt-3", WRITE, CREATE);
        assertThat(states(client.checkpoints("/run")))
            .containsExactly("1 COMPLETE", "2 COMPLETE", "3 WRITTEN");
        open.write(ByteBuffer.wrap(random(MIB, 3)), 0);
        open.sync();
        assertThat(states(client.checkpoints("/run")))
            .containsExactly("1 COMPLETE", "2 COMPLETE", "3 WRITTEN");
        assertThat(client.latestComplete("/run").map(Checkpoint::number)).hasValue(2L);
        assertThat(read.size()).isEqualTo(MIB);
        open.close();
        assertThat(client.latestComplete("/run").map(Checkpoint::paths))
            .hasValue(List.of("/run/ckpt-3"));
      }
      assertThat(client.latestComplete(CheckpointQuery.in("/run").withSeries("plt*"))).isEmpty();
      assertThatThrownBy(() -> client.checkpoints("/none")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aCheckpointWithFewerFilesThanTheOneBeforeIsNotTaken() throws Exception {
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.mkdir("/few");
      for (int step = 1; step <= 2; step++) {
        client.mkdir("/few/step_" + step);
        for (int rank = 0; rank < 3 - step; rank++) {
          write(client, "/few/step_" + step + "/rank-" + rank, random(1000, rank));
        }
      }
      client.mkdir("/few/step_3");
      assertThat(states(client.checkpoints("/few")))
          .containsExactly("1 COMPLETE", "2 COMPLETE", "3 EMPTY");
      client.rmdir("/few/step_3");
      assertThat(states(client.checkpoints("/few"))).containsExactly("1 COMPLETE", "2 FEW");
      assertThat(client.latestComplete("/few").map(Checkpoint::number)).hasValue(1L);
      CheckpointQuery alone = CheckpointQuery.in("/few").withFiles(1);
      assertThat(client.latestComplete(alone).map(Checkpoint::number)).hasValue(2L);
    }
  }

  @Test
  void whereACheckpointIsAndThatTheStoreStillHasIt() throws Exception {
    try (Forebay client = drained(cluster, "request", "last=1,rest=drop")) {
      for (int i = 1; i <= 3; i++) write(client, "/ckpt-" + i, random(MIB, i));
      client.drainAndAwait(List.of("/ckpt-1", "/ckpt-2"), Duration.ofMinutes(1), progress -> {});
      Eventually.await(() -> places(client).equals(List.of("1 STORE", "2 BOTH", "3 BUFFER")));
      CheckpointQuery all = CheckpointQuery.in("/").withCheck(CheckpointQuery.Check.READ);
      assertThat(states(client.checkpoints(all)))
          .containsExactly("1 COMPLETE", "2 COMPLETE", "3 COMPLETE");
      Files.write(directory.resolve("ckpt-1"), random(MIB, 99));
      Files.delete(directory.resolve("ckpt-1"));
      assertThat(states(client.checkpoints("/")))
          .containsExactly("1 DAMAGED", "2 COMPLETE", "3 COMPLETE");
    }
  }

  private static List<String> places(Forebay client) {
    try {
      return client.checkpoints("/").stream()
          .map(each -> each.number() + " " + each.place())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void recentCheckpointsStayWhenRoomIsNeeded() throws Exception {
    try (EmbeddedCluster small =
            EmbeddedCluster.builder()
                .servers(3)
                .segmentBytes(MIB / 2)
                .budget(8L * MIB, 0)
                .backingRoots(List.of(directory))
                .start();
        Forebay client = drained(small, "close", "last=2,series=ckpt-*")) {
      for (int i = 1; i <= 3; i++) write(client, "/ckpt-" + i, random(MIB / 2, i));
      client.awaitDurable("/", Duration.ofMinutes(1));
      for (int i = 0; i < 10; i++) {
        write(client, "/other-" + i, random(2 * MIB, i));
        // Else only checkpoints could make room, if the store is slower than the writer.
        client.awaitDurable("/other-" + i, Duration.ofMinutes(1));
      }
      List<String> gone = new ArrayList<>();
      for (Ledger.Entry entry : client.ledger().entries()) {
        if (entry.backed()) gone.add(entry.path());
      }
      assertThat(gone).contains("/ckpt-1").doesNotContain("/ckpt-2", "/ckpt-3");
      assertThat(gone.size()).as("what had to go").isGreaterThan(3);
    }
  }

  @Test
  void damageOfTheNewestMakesTheOneBeforeTheLatest() throws Exception {
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.mkdir("/damaged");
      byte[] first = random(300_000, 1);
      byte[] second = random(300_000, 77);
      write(client, "/damaged/ckpt-1", first);
      write(client, "/damaged/ckpt-2", second);
      assertThat(client.latestComplete("/damaged").map(Checkpoint::number)).hasValue(2L);
      assertThat(flip(second)).as("found in a log").isTrue();
      assertThat(client.latestComplete("/damaged").map(Checkpoint::number)).hasValue(1L);
      assertThat(
              states(
                  client.checkpoints(
                      CheckpointQuery.in("/damaged").withCheck(CheckpointQuery.Check.COMPARED))))
          .containsExactly("1 COMPLETE", "2 DAMAGED");
    }
  }

  /** Damages what a server has of some bytes. */
  private boolean flip(byte[] content) throws IOException {
    byte[] key = Arrays.copyOfRange(content, 1000, 1032);
    List<Path> files;
    try (var walk = Files.walk(memory)) {
      files = walk.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      byte[] all = Files.readAllBytes(file);
      for (int at = 0; at + key.length <= all.length; at++) {
        if (all[at] != key[0] || !Arrays.equals(all, at, at + key.length, key, 0, key.length)) {
          continue;
        }
        try (var channel = java.nio.channels.FileChannel.open(file, WRITE)) {
          channel.write(ByteBuffer.wrap(new byte[] {(byte) ~key[0]}), at);
        }
        return true;
      }
    }
    return false;
  }
}
