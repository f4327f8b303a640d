// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.backing;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.client.durability.Ledger;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.SeatEntry;
import io.forebay.server.EmbeddedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What real servers read from a real directory they have from then on. */
@Timeout(120)
class CachedReadsTest {
  private static final int MIB = 1 << 20;
  private static final int FILE_BYTES = 20 * MIB + 4321;

  /** For one file, and not for two. */
  private static final long CAPACITY_BYTES = 30L * MIB;

  @TempDir Path directory;

  private static byte[] random(long seed) {
    byte[] content = new byte[FILE_BYTES];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static int firstWrong(Forebay client, byte[] content, int pieceBytes) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(content.length);
    try (ForebayFile file = client.open("/data", READ)) {
      while (into.hasRemaining()) {
        int length = Math.min(pieceBytes, into.remaining());
        ByteBuffer piece = into.slice(into.position(), length);
        int got = file.read(piece, into.position());
        if (got < 0) break;
        into.position(into.position() + got);
      }
    }
    return Arrays.mismatch(into.array(), content);
  }

  @Test
  void theSecondReadNeedsNoStoreAndIsServedByAllServers() throws Exception {
    byte[] content = random(1);
    Path stored = directory.resolve("data");
    Files.write(stored, content);
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .servers(3)
            .segmentBytes(4 * MIB)
            .budget(64L * MIB, 64L * MIB)
            .backingRoots(List.of(directory))
            .start()) {
      try (Cluster admin = Cluster.connect(cluster.uri())) {
        DrainSpec drain = new DrainSpec(directory.toString(), "request").asOver().keeping("reads");
        admin.createInstance(
            "run", InstanceOptions.defaults().withDrain(drain).withCapacityBytes(CAPACITY_BYTES));
      }
      try (Forebay client = Forebay.connect(cluster.uri("run"))) {
        // A home that takes too long to cache a piece leaves it to the next read.
        do {
          assertThat(firstWrong(client, content, 777_777)).as("from the store").isEqualTo(-1);
        } while (client.ledger().entries().stream().anyMatch(entry -> entry.backed()));
        assertThat(client.ledger().entries())
            .singleElement()
            .satisfies(entry -> assertThat(entry.state()).isEqualTo(Ledger.State.DURABLE));
        Path away = directory.resolve("away");
        Files.move(stored, away);
        assertThat(firstWrong(client, content, 3 * MIB)).as("from the buffer").isEqualTo(-1);
        Files.move(away, stored);
        byte[] other = random(2);
        Files.write(stored, other);
        client.refresh("/data");
        assertThat(firstWrong(client, other, MIB)).as("what is there now").isEqualTo(-1);
        try (ForebayFile file = client.open("/new", WRITE, CREATE)) {
          for (int at = 0; at < FILE_BYTES; at += MIB) {
            file.write(ByteBuffer.wrap(other, at, Math.min(MIB, FILE_BYTES - at)), at);
          }
        }
        assertThat(client.stat("/new").sizeBytes()).as("there was room").isEqualTo(FILE_BYTES);
      }
      try (Cluster admin = Cluster.connect(cluster.uri())) {
        for (SeatEntry seat : admin.map().seats()) {
          assertThat(admin.seatStatus(seat.id()).counters().puts()).isPositive();
        }
      }
    }
  }
}
