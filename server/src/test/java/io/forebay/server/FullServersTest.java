// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.SeatId;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.failure.Failures;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Statuses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real servers that are full to the brim: writers wait, hear why, and go on when there is room. */
@Timeout(300)
class FullServersTest {
  private static final int MIB = 1 << 20;
  private static final int FILE_MIB = 4;

  /** More than the servers can hold. */
  private static final int FILES_MAX = 50;

  private static EmbeddedCluster tiny() throws Exception {
    return EmbeddedCluster.builder()
        .copies(2)
        .segmentBytes(MIB)
        .budget(10L * MIB, 16L * MIB)
        .start();
  }

  @Test
  void writersWaitAndGoOn() throws Exception {
    Queue<String> warnings = new ConcurrentLinkedQueue<>();
    ForebayOptions options =
        ForebayOptions.defaults().withTimeout(Duration.ofMinutes(2)).withWarnings(warnings::add);
    try (EmbeddedCluster cluster = tiny();
        Cluster people = Cluster.connect(cluster.uri(""));
        Forebay client = Forebay.connect(cluster.uri(), options)) {
      List<String> written = new ArrayList<>();
      CompletableFuture<Void> waits = null;
      while (warnings.stream().noneMatch(each -> each.contains("full"))) {
        if (waits == null || waits.isDone()) {
          String path = "/file-" + written.size();
          written.add(path);
          assertThat(written).hasSizeLessThan(FILES_MAX);
          waits = CompletableFuture.runAsync(() -> write(client, path));
        }
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(waits).isNotDone();
      assertThat(warnings).anyMatch(each -> each.contains("on server server-"));
      assertThat(statuses(people)).anyMatch(each -> each.state().startsWith("full"));
      for (String path : written.subList(0, written.size() - 1)) client.unlink(path);
      waits.get(2, TimeUnit.MINUTES);
      assertThat(client.stat(written.getLast()).sizeBytes()).isEqualTo((long) FILE_MIB * MIB);
      assertThat(cluster.failure()).isNull();
    }
  }

  @Test
  void aDeadlineThatRunsOutSaysWhatIsFullWhere() throws Exception {
    ForebayOptions options = ForebayOptions.defaults().withTimeout(Duration.ofSeconds(6));
    try (EmbeddedCluster cluster = tiny();
        Forebay client = Forebay.connect(cluster.uri(), options)) {
      Throwable failure = null;
      for (int i = 0; i < FILES_MAX && failure == null; i++) {
        try {
          write(client, "/file-" + i);
        } catch (IllegalStateException e) {
          failure = e.getCause();
        }
      }
      assertThat(Failures.codeOf(failure)).isEqualTo(ErrorCode.NO_SPACE);
      assertThat(failure)
          .hasMessageContaining("the ring is full: delete files")
          .hasMessageContaining("on server server-")
          .hasMessageContaining("forebay status");
    }
  }

  /** The client's own memory for writes runs out at the same time, which is not the reason. */
  @Test
  void aFileLargerThanTheRingIsToldSo() throws Exception {
    ForebayOptions options = ForebayOptions.defaults().withTimeout(Duration.ofSeconds(4));
    try (EmbeddedCluster cluster = tiny();
        Forebay client = Forebay.connect(cluster.uri(), options);
        ForebayFile file =
            client.open("/large", StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      byte[] bytes = new byte[MIB / 16];
      assertThatThrownBy(
              () -> {
                for (long at = 0; at < (long) FILES_MAX * FILE_MIB * MIB; at += bytes.length) {
                  file.write(ByteBuffer.wrap(bytes), at);
                }
                file.sync();
              })
          .hasMessageContaining("the ring is full: delete files")
          .satisfies(e -> assertThat(Failures.codeOf(e)).isEqualTo(ErrorCode.NO_SPACE));
      assertThatThrownBy(file::close).hasMessageContaining("the ring is full");
    }
  }

  private static void write(Forebay client, String path) {
    try (ForebayFile file =
        client.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(MIB);
      for (int i = 0; i < FILE_MIB; i++) file.write(bytes.clear(), (long) i * MIB);
      file.sync();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Statuses.SeatStatus> statuses(Cluster people) throws IOException {
    List<Statuses.SeatStatus> all = new ArrayList<>();
    for (SeatId seat : people.map().seats().stream().map(SeatEntry::id).toList()) {
      all.add(people.seatStatus(seat));
    }
    return all;
  }
}
