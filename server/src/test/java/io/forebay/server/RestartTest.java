// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static java.nio.file.StandardOpenOption.READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.checkpoint.Checkpoint;
import io.forebay.client.checkpoint.CheckpointQuery;
import io.forebay.client.durability.Ledger;
import io.forebay.ring.DrainSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Written by some ranks that are gone, read by other ranks of another number and block size. */
@Timeout(120)
class RestartTest {
  private static final int MIB = 1 << 20;
  private static final int WRITERS = 4;
  private static final int READERS = 3;

  @TempDir Path directory;

  @Test
  void whatRanksWroteThatAreGoneOthersReadFromTheBufferAndFromTheStore() throws Exception {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .servers(3)
            .segmentBytes(MIB)
            .budget(24L * MIB, 24L * MIB)
            .backingRoots(List.of(directory))
            .start()) {
      try (Cluster admin = Cluster.connect(cluster.uri())) {
        DrainSpec drain = new DrainSpec(directory.toString(), "request").keeping("rest=drop");
        admin.createInstance("run", InstanceOptions.defaults().withDrain(drain));
      }
      String uri = cluster.uri("run");
      try (Forebay client = Forebay.connect(uri)) {
        client.mkdir("/step_1");
        writeAndVanish(uri);
        readAll(uri, 300_001);
        assertThat(client.latestComplete("/")).as("nobody has closed it").isEmpty();
        client.drainAndAwait(List.of("/step_1"), Duration.ofMinutes(1), progress -> {});
        Eventually.await(() -> client.ledger().entries().stream().allMatch(Ledger.Entry::backed));
        readAll(uri, 77_777);
        assertThat(client.checkpoints("/"))
            .extracting(Checkpoint::place)
            .containsExactly(Checkpoint.Place.STORE);
        Eventually.await(() -> client.checkpoints("/").get(0).state() == Checkpoint.State.LEFT);
        assertThat(client.latestComplete("/")).as("nobody ever did").isEmpty();
        CheckpointQuery known = CheckpointQuery.in("/").withLeft(true);
        assertThat(client.latestComplete(known)).as("but it is all there").isPresent();
      }
    }
  }

  private static void writeAndVanish(String uri) throws IOException, InterruptedException {
    Process writers =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RestartWriters.class.getName(),
                uri,
                Integer.toString(WRITERS))
            .inheritIO()
            .start();
    assertThat(writers.waitFor(60, TimeUnit.SECONDS)).as("they are gone").isTrue();
    assertThat(writers.exitValue()).isZero();
  }

  /** Each reader takes every so many-th piece of each file. */
  private static void readAll(String uri, int pieceBytes) throws IOException {
    int blocks = WRITERS * RestartWriters.BLOCKS_PER_RANK;
    for (int reader = 0; reader < READERS; reader++) {
      ForebayOptions options = ForebayOptions.defaults().withNode("other-" + reader);
      try (Forebay client = Forebay.connect(uri, options)) {
        check(client, RestartWriters.SHARED, reader, pieceBytes, blocks, 1, 0);
        for (int rank = 0; rank < WRITERS; rank++) {
          String own = RestartWriters.own(rank);
          check(client, own, reader, pieceBytes, RestartWriters.BLOCKS_PER_RANK, WRITERS, rank);
        }
      }
    }
  }

  private static void check(
      Forebay client, String path, int reader, int pieceBytes, int blocks, int stride, int first)
      throws IOException {
    ByteBuffer wanted = ByteBuffer.allocate(blocks * RestartWriters.BLOCK_BYTES);
    for (int i = 0; i < blocks; i++) wanted.put(RestartWriters.block(i * stride + first));
    wanted.flip();
    try (ForebayFile file = client.open(path, READ)) {
      assertThat(file.size()).isEqualTo(wanted.limit());
      for (int at = reader * pieceBytes; at < wanted.limit(); at += READERS * pieceBytes) {
        int length = Math.min(pieceBytes, wanted.limit() - at);
        ByteBuffer piece = ByteBuffer.allocate(length);
        assertThat(file.read(piece, at)).isEqualTo(length);
        assertThat(piece.flip().mismatch(wanted.slice(at, length)))
            .as("first wrong byte of %s from %d on", path, at)
            .isEqualTo(-1);
      }
    }
  }
}
