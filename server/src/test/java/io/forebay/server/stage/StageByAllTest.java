// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import static java.nio.file.StandardOpenOption.READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.StageKeys;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.file.DirectoryEntry;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.server.stage.side.StageAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stages that several servers do. Each server stages slowly, so that there is work for others while
 * one is at it.
 */
@Timeout(300)
class StageByAllTest {
  private static final int MIB = 1 << 20;
  private static final long RATE = 5L * MIB;
  private static final Duration PATIENCE = Duration.ofSeconds(250);
  private static final int LARGE_BYTES = 40 * MIB + 17;

  private static EmbeddedCluster cluster;
  @TempDir private static Path base;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster = cluster(base);
    Files.createDirectories(base.resolve("source/deep"));
    Files.write(base.resolve("source/large"), random(LARGE_BYTES, 1));
    for (int i = 0; i < 40; i++) {
      Files.write(base.resolve("source/deep/" + i), random(100_000 + i, i));
    }
  }

  private static EmbeddedCluster cluster(Path root) throws IOException, StartFailed {
    return EmbeddedCluster.builder()
        .servers(3)
        .segmentBytes(MIB)
        .budget(64L * MIB, 192L * MIB)
        .staging(new StageAccess(List.of(root), RATE))
        .start();
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static byte[] random(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static byte[] read(Forebay client, String path) throws IOException {
    try (ForebayFile file = client.open(path, READ)) {
      return file.inputStream(0).readAllBytes();
    }
  }

  private static StageRequest in(String destination) {
    return StageRequest.in(base + "/source", destination).withConcurrency(2);
  }

  /** Waits until something holds of a stage that goes on. */
  private static StageStatus until(Staging staging, String id, Predicate<StageStatus> what)
      throws Exception {
    while (true) {
      StageStatus now = staging.status(id);
      if (what.test(now)) return now;
      assertThat(now.state().isOver()).as(now.toString()).isFalse();
      Thread.sleep(20);
    }
  }

  private static void requireAll(Forebay client, String directory) throws IOException {
    assertThat(read(client, directory + "/large")).isEqualTo(random(LARGE_BYTES, 1));
    for (int i = 0; i < 40; i++) {
      assertThat(read(client, directory + "/deep/" + i)).isEqualTo(random(100_000 + i, i));
    }
    requireNoDrafts(client, directory);
    requireNoDrafts(client, directory + "/deep");
  }

  private static void requireNoDrafts(Forebay client, String directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (Iterator<DirectoryEntry> each = client.list(directory); each.hasNext(); ) {
      names.add(each.next().name());
    }
    assertThat(names).noneMatch(name -> name.startsWith(".forebay"));
  }

  private static void requireNoNotes(Forebay client) throws IOException {
    assertThat(client.pairs().list(StageKeys.of("task")).hasNext()).isFalse();
  }

  @Test
  void serversShareAStageInAndOut() throws IOException {
    try (Forebay client = Forebay.connect(cluster.uri());
        Staging staging = Staging.of(client)) {
      StageStatus in = staging.await(staging.start(in("/all")), PATIENCE, status -> {});
      assertThat(in.state()).as(in.toString()).isEqualTo(StageStatus.State.DONE);
      assertThat(in.filesDone()).isEqualTo(in.files()).isEqualTo(41);
      assertThat(in.bytesCopied()).isEqualTo(in.bytes());
      assertThat(in.others()).as("servers that helped").isNotEmpty().doesNotContain(in.server());
      requireAll(client, "/all");
      assertThat(client.stat("/all/large").modifyTime())
          .isEqualTo(Files.getLastModifiedTime(base.resolve("source/large")).toInstant());
      StageRequest request = StageRequest.out("/all", base + "/out").withConcurrency(2);
      StageStatus out = staging.await(staging.start(request), PATIENCE, status -> {});
      assertThat(out.state()).as(out.toString()).isEqualTo(StageStatus.State.DONE);
      assertThat(out.others()).isNotEmpty();
      assertThat(base.resolve("out/large")).hasBinaryContent(random(LARGE_BYTES, 1));
      try (Stream<Path> names = Files.walk(base.resolve("out"))) {
        assertThat(names.filter(Files::isRegularFile)).hasSize(41);
      }
      StageStatus again = staging.await(staging.start(in("/all")), PATIENCE, status -> {});
      assertThat(again.filesPresent()).isEqualTo(41);
      assertThat(again.bytesPresent()).isEqualTo(again.bytes());
      assertThat(again.bytesCopied()).isZero();
      requireNoNotes(client);
    }
  }

  @Test
  void aPrivateTreeIsStagedByAll() throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("own", InstanceOptions.defaults().withAccess(Instance.Access.PRIVATE));
    }
    ForebayOptions options = ForebayOptions.defaults().withNode("one");
    try (Forebay one = Forebay.connect(cluster.uri("own"), options);
        Staging staging = Staging.of(one)) {
      StageStatus in = staging.await(staging.start(in("/in")), PATIENCE, status -> {});
      assertThat(in.state()).as(in.toString()).isEqualTo(StageStatus.State.DONE);
      assertThat(in.others()).isNotEmpty();
      requireAll(one, "/in");
      one.unlink("/in/large");
    }
  }

  @Test
  void aServerThatHelpsMayGo() throws Exception {
    try (EmbeddedCluster dying = cluster(base);
        Forebay client = Forebay.connect(dying.uri());
        Staging staging = Staging.of(client)) {
      String id = staging.start(in("/all"));
      StageStatus helped = until(staging, id, status -> !status.others().isEmpty());
      dying.stop(Integer.parseInt(helped.others().getFirst().substring("server-".length())) - 1);
      StageStatus end = staging.await(id, PATIENCE, status -> {});
      assertThat(end.state()).as(end.toString()).isEqualTo(StageStatus.State.DONE);
      assertThat(end.filesDone()).isEqualTo(41);
      requireAll(client, "/all");
    }
  }

  @Test
  void theServerThatWalksMayGo() throws Exception {
    try (EmbeddedCluster dying = cluster(base);
        Forebay client = Forebay.connect(dying.uri());
        Staging staging = Staging.of(client)) {
      String id = staging.start(in("/all"));
      StageStatus helped = until(staging, id, status -> !status.others().isEmpty());
      dying.stop(Integer.parseInt(helped.server().substring("server-".length())) - 1);
      StageStatus end = staging.await(id, PATIENCE, status -> {});
      assertThat(end.state()).as(end.toString()).isEqualTo(StageStatus.State.DONE);
      assertThat(end.server()).isNotEqualTo(helped.server());
      assertThat(end.filesDone()).isEqualTo(41);
      requireAll(client, "/all");
      requireNoNotes(client);
    }
  }

  @Test
  void whenItIsCancelledNothingPartialIsLeft() throws Exception {
    try (Forebay client = Forebay.connect(cluster.uri());
        Staging staging = Staging.of(client)) {
      String id = staging.start(in("/cancelled"));
      until(staging, id, status -> !status.others().isEmpty());
      staging.cancel(id);
      StageStatus end = staging.await(id, PATIENCE, status -> {});
      assertThat(end.state()).isEqualTo(StageStatus.State.CANCELLED);
      requireNoDrafts(client, "/cancelled");
      requireNoDrafts(client, "/cancelled/deep");
      requireNoNotes(client);
    }
  }

  @Test
  void aSourceThatChangesIsCopiedAsItIsInTheEnd() throws Exception {
    Path source = Files.createDirectory(base.resolve("changing"));
    Files.write(source.resolve("large"), random(LARGE_BYTES, 2));
    byte[] after = random(LARGE_BYTES + 1, 3);
    try (Forebay client = Forebay.connect(cluster.uri());
        Staging staging = Staging.of(client)) {
      String id = staging.start(StageRequest.in(source.toString(), "/changing").withConcurrency(2));
      until(staging, id, status -> status.bytesCopied() > 0);
      Path changed = Files.write(base.resolve("changed"), after);
      Files.setLastModifiedTime(changed, FileTime.from(Instant.parse("2021-01-01T00:00:00Z")));
      Files.move(changed, source.resolve("large"), StandardCopyOption.ATOMIC_MOVE);
      StageStatus end = staging.await(id, PATIENCE, status -> {});
      assertThat(end.state()).as(end.toString()).isEqualTo(StageStatus.State.DONE);
      assertThat(read(client, "/changing/large")).isEqualTo(after);
      requireNoDrafts(client, "/changing");
      client.unlink("/changing/large");
    }
  }

  @Test
  void failuresOfOtherServersAreCountedOnce() throws Exception {
    Path source = Files.createDirectory(base.resolve("failing"));
    try (Forebay client = Forebay.connect(cluster.uri());
        Staging staging = Staging.of(client)) {
      client.mkdir("/failing");
      for (int i = 0; i < 60; i++) {
        Files.write(source.resolve("f" + i), random(1_000_000, i));
        // Every other one is in the way.
        if (i % 2 == 0) client.put("/failing/f" + i, ByteBuffer.allocate(1), 0600, null);
      }
      StageRequest request = StageRequest.in(source.toString(), "/failing").withConcurrency(2);
      String id = staging.start(request);
      StageStatus end = staging.await(id, PATIENCE, status -> {});
      assertThat(end.state()).isEqualTo(StageStatus.State.FAILED);
      assertThat(end.filesFailed()).as(end.toString()).isEqualTo(30);
      assertThat(end.filesDone()).isEqualTo(30);
      assertThat(staging.problems(id))
          .extracting(StageProblem::path)
          .hasSize(30)
          .doesNotHaveDuplicates();
      for (int i = 0; i < 60; i++) client.unlink("/failing/f" + i);
    }
  }
}
