// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.ring.SeatEntry;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bytes of real files are damaged below servers that run. */
@Timeout(300)
class LostCommandTest {
  private static final int BYTES = 200_000;
  private static final int FOUND_BY_BYTES = 32;

  @TempDir private Path directory;
  private final byte[] content = new byte[BYTES];
  private EmbeddedCluster cluster;

  @BeforeEach
  void start() throws IOException, StartFailed {
    new Random(7).nextBytes(content);
    cluster = startCluster();
    try (Forebay forebay = Forebay.connect(cluster.uri());
        ForebayFile file =
            forebay.open("/f", StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(content), 0);
    }
  }

  private EmbeddedCluster startCluster() throws IOException, StartFailed {
    return EmbeddedCluster.builder()
        .servers(2)
        .segmentBytes(1 << 20)
        .budget(16 << 20, 64 << 20)
        .directory(directory.resolve("ring"))
        .memoryRoot(Files.createDirectories(directory.resolve("memory")))
        .start();
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  /** Flips a bit of the content in files of these seats that have it, and says in how many. */
  private int damage(List<SeatEntry> seats) throws IOException {
    List<String> logs =
        seats.stream()
            .map(seat -> Long.toHexString(seat.logHigh()) + "%016x".formatted(seat.logLow()))
            .toList();
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory.resolve("memory"))) {
      files =
          all.filter(Files::isRegularFile)
              .filter(each -> logs.stream().anyMatch(log -> each.toString().contains(log)))
              .toList();
    }
    String wanted = new String(content, BYTES / 2, FOUND_BY_BYTES, StandardCharsets.ISO_8859_1);
    int damaged = 0;
    for (Path each : files) {
      byte[] bytes = Files.readAllBytes(each);
      int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(wanted);
      if (at < 0) continue;
      try (RandomAccessFile file = new RandomAccessFile(each.toFile(), "rw")) {
        file.seek(at);
        file.write(bytes[at] ^ 1);
      }
      damaged++;
    }
    return damaged;
  }

  /** The seats of which that counter is not 0. */
  private List<SeatEntry> seats(ToLongFunction<Statuses.Counters> counter) throws IOException {
    List<SeatEntry> found = new ArrayList<>();
    try (Cluster status = Cluster.connect(cluster.uri(""))) {
      for (SeatEntry seat : status.map().seats()) {
        long count = counter.applyAsLong(status.seatStatus(seat.id()).counters());
        if (count > 0) found.add(seat);
      }
    }
    return found;
  }

  private void read() throws IOException {
    Path back = directory.resolve("back");
    Files.deleteIfExists(back);
    assertThat(run("cp", "forebay:/f", back.toString()).exitCode()).isZero();
    assertThat(Files.readAllBytes(back)).isEqualTo(content);
  }

  private CommandOutcome run(String... arguments) {
    List<String> all =
        Stream.concat(Stream.of(arguments), Stream.of("--uri", cluster.uri(), "--timeout", "60"))
            .toList();
    return CommandOutcome.run(all.toArray(String[]::new));
  }

  @Test
  void whatOneServerHasDamagedIsReplaced() throws IOException, InterruptedException {
    read();
    List<SeatEntry> readers = seats(Statuses.Counters::gets);
    assertThat(readers).hasSize(1);
    assertThat(damage(readers)).isEqualTo(1);
    read();
    while (seats(Statuses.Counters::repaired).isEmpty()) Thread.sleep(100);
    assertThat(seats(Statuses.Counters::repaired)).isEqualTo(readers);
    read();
    CommandOutcome lost = run("lost");
    assertThat(lost.out()).isEqualTo("nothing is lost\n");
    assertThat(lost.exitCode()).isZero();
  }

  @Test
  void thatAllLostTheirMemoryIsTold() throws IOException, StartFailed {
    cluster.close();
    try (Stream<Path> files = Files.walk(directory.resolve("memory"))) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
    }
    cluster = startCluster();
    CommandOutcome lost = run("lost");
    assertThat(lost.exitCode()).isEqualTo(1);
    assertThat(lost.out()).contains("lost their memory at once", "may be missing");
    assertThat(run("lost", "--json").out()).containsPattern("\"restored\":\\[\"\\dx2\"\\]");
  }

  @Test
  void whatAllHaveDamagedIsNamed() throws IOException, InterruptedException {
    assertThat(damage(seats(Statuses.Counters::puts))).isEqualTo(1);
    assertThat(damage(seats(Statuses.Counters::copies))).isPositive();
    CommandOutcome read = run("cp", "forebay:/f", directory.resolve("back").toString());
    assertThat(read.exitCode()).isEqualTo(1);
    assertThat(read.err()).contains("/f").containsPattern("bytes \\d+ to " + (BYTES - 1) + " ");
    CommandOutcome lost = run("lost", EmbeddedCluster.DEFAULT_INSTANCE, "--json");
    // Since when is known once those who should have it have asked each other.
    while (!lost.out().contains("since")) {
      Thread.sleep(100);
      lost = run("lost", EmbeddedCluster.DEFAULT_INSTANCE, "--json");
    }
    assertThat(lost.exitCode()).isEqualTo(1);
    assertThat(lost.out())
        .contains("\"file\":\"/f\"", "\"offset\":0", "\"lengthBytes\":" + BYTES, "\"lost\"")
        .contains("\"since\":");
    assertThat(run("lost").out()).contains("/f").contains(Integer.toString(BYTES - 1));
  }
}
