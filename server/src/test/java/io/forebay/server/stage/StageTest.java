// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.file.FileStat;
import io.forebay.client.stage.StageProblem;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import io.forebay.server.stage.side.StageAccess;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stages through a real ring, which are done by its servers. */
@Timeout(300)
class StageTest {
  private static final int MIB = 1 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(200);

  private static EmbeddedCluster cluster;
  @TempDir private static Path base;

  @TempDir private Path unallowed;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    cluster =
        EmbeddedCluster.builder()
            .servers(3)
            .segmentBytes(MIB)
            .budget(48L * MIB, 48L * MIB)
            .stageRoots(List.of(base))
            .start();
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static Path write(Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
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

  private static byte[] read(Forebay client, String path) throws IOException {
    try (ForebayFile file = client.open(path, READ)) {
      return file.inputStream(0).readAllBytes();
    }
  }

  private static StageStatus run(Staging staging, StageRequest request) throws IOException {
    return staging.await(staging.start(request), PATIENCE, status -> {});
  }

  @Test
  void aTreeGoesInAndOutAndWhatIsThereIsNotCopiedAgain() throws IOException {
    Path source = base.resolve("tree");
    byte[] large = random(3 * MIB + 17, 1);
    write(source.resolve("large"), large);
    write(source.resolve("deep/er/small"), random(10, 2));
    write(source.resolve("deep/empty"), new byte[0]);
    Files.createSymbolicLink(source.resolve("link"), Path.of("deep/er/small"));
    Files.createSymbolicLink(source.resolve("etc"), Path.of("/etc"));
    try (Forebay client = Forebay.connect(cluster.uri());
        Staging staging = Staging.of(client)) {
      StageStatus in = run(staging, StageRequest.in(source.toString(), "/tree").withConcurrency(3));
      assertThat(in.failure()).isEmpty();
      assertThat(in.state()).isEqualTo(StageStatus.State.DONE);
      assertThat(in.filesDone()).isEqualTo(in.files()).isEqualTo(5);
      assertThat(in.server()).startsWith("server-");
      assertThat(read(client, "/tree/large")).isEqualTo(large);
      FileStat stat = client.stat("/tree/deep/er/small");
      assertThat(stat.modifyTime())
          .isEqualTo(Files.getLastModifiedTime(source.resolve("deep/er/small")).toInstant());
      assertThat(client.readlink("/tree/etc")).isEqualTo("/etc");
      assertThat(staging.problems(in.id()))
          .extracting(StageProblem::path, StageProblem::failed)
          .containsExactly(org.assertj.core.groups.Tuple.tuple(source + "/etc", false));
      StageStatus again = run(staging, StageRequest.in(source.toString(), "/tree"));
      assertThat(again.filesPresent()).isEqualTo(5);
      assertThat(again.bytesCopied()).isZero();
      StageStatus out = run(staging, StageRequest.out("/tree", base + "/made/out"));
      assertThat(out.state()).isEqualTo(StageStatus.State.DONE);
      assertThat(base.resolve("made/out/large")).hasBinaryContent(large);
      assertThat(Files.readSymbolicLink(base.resolve("made/out/etc"))).isEqualTo(Path.of("/etc"));
      assertThat(staging.all()).extracting(StageStatus::id).contains(in.id(), out.id());
      assertThat(client.pairs().list("").hasNext()).as("what is written down is hidden").isFalse();
    }
  }

  @Test
  void singleFilesGetTheNameOrGoIntoTheDirectory() throws IOException {
    write(base.resolve("single"), random(100, 1));
    try (Forebay client = Forebay.connect(cluster.uri());
        Staging staging = Staging.of(client)) {
      run(staging, StageRequest.in(base + "/single", "/single/renamed"));
      run(staging, StageRequest.in(base + "/single", "/single/"));
      assertThat(read(client, "/single/renamed")).isEqualTo(random(100, 1));
      assertThat(read(client, "/single/single")).isEqualTo(random(100, 1));
      write(client, "/single/renamed", random(50, 2));
      StageStatus refused = run(staging, StageRequest.in(base + "/single", "/single/renamed"));
      assertThat(refused.state()).isEqualTo(StageStatus.State.FAILED);
      assertThat(staging.problems(refused.id()).getFirst().reason())
          .contains("'/single/renamed' exists already and is different", "--replace");
      StageStatus outside = run(staging, StageRequest.out("/single", unallowed.toString()));
      assertThat(outside.failure()).contains("is outside of what server", base.toString());
      assertThat(unallowed).isEmptyDirectory();
      StageStatus missing = run(staging, StageRequest.out("/none", base + "/none"));
      assertThat(missing.failure()).isEqualTo("'/none' does not exist");
      assertThatThrownBy(() -> staging.status("zzzzzzzz")).hasMessageContaining("knows no stage");
    }
  }

  @Test
  void deferredOnesWaitUntilTheyAreToldAndCanBeRevoked() throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("deferred", InstanceOptions.defaults());
    }
    try (Forebay client = Forebay.connect(cluster.uri("deferred"));
        Staging staging = Staging.of(client)) {
      write(client, "/kept", random(10, 1));
      write(client, "/revoked", random(10, 2));
      String kept =
          staging.start(StageRequest.out("/kept", base + "/deferred/").withDeferred(true));
      String revoked =
          staging.start(StageRequest.out("/revoked", base + "/deferred/").withDeferred(true));
      staging.cancel(revoked);
      assertThat(staging.await(revoked, PATIENCE, status -> {}).state())
          .isEqualTo(StageStatus.State.CANCELLED);
      assertThat(staging.status(kept).state()).isEqualTo(StageStatus.State.DEFERRED);
      assertThat(base.resolve("deferred")).doesNotExist();
      write(client, "/kept", random(10, 3));
      assertThat(staging.runDeferred()).containsExactly(kept);
      assertThat(staging.await(kept, PATIENCE, status -> {}).state())
          .isEqualTo(StageStatus.State.DONE);
      assertThat(base.resolve("deferred/kept")).hasBinaryContent(random(10, 3));
      assertThat(base.resolve("deferred/revoked")).doesNotExist();
      assertThat(staging.runDeferred()).isEmpty();
    }
  }

  @Test
  void eachNodeOfAPrivateInstanceStagesItsOwnTree() throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("own", InstanceOptions.defaults().withAccess(Instance.Access.PRIVATE));
    }
    ForebayOptions options = ForebayOptions.defaults();
    write(base.resolve("private/one"), random(10, 1));
    try (Forebay one = Forebay.connect(cluster.uri("own"), options.withNode("one"));
        Forebay two = Forebay.connect(cluster.uri("own"), options.withNode("two"));
        Staging ofOne = Staging.of(one);
        Staging ofTwo = Staging.of(two)) {
      StageStatus in = run(ofOne, StageRequest.in(base + "/private", "/in"));
      assertThat(in.state()).isEqualTo(StageStatus.State.DONE);
      assertThat(read(one, "/in/one")).isEqualTo(random(10, 1));
      assertThatThrownBy(() -> two.stat("/in")).isInstanceOf(NoSuchFileException.class);
      write(two, "/result", random(20, 2));
      run(ofTwo, StageRequest.out("/result", base + "/private-out/two"));
      assertThat(base.resolve("private-out/two")).hasBinaryContent(random(20, 2));
      assertThat(ofOne.all()).as("all of the instance are seen by each node").hasSize(2);
    }
  }

  @Test
  void aFullInstanceEndsTheStageAndASecondOneGoesOn() throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("small", InstanceOptions.defaults().withCapacityBytes(4L * MIB));
    }
    for (int i = 0; i < 6; i++) write(base.resolve("much/" + i), random(MIB, i));
    try (Forebay client = Forebay.connect(cluster.uri("small"));
        Staging staging = Staging.of(client)) {
      StageStatus full = run(staging, StageRequest.in(base + "/much", "/much").withConcurrency(1));
      assertThat(full.state()).isEqualTo(StageStatus.State.FAILED);
      assertThat(full.failure())
          .contains("the instance has no room for '" + base + "/much/", "give it more capacity");
      for (Iterator<?> each = client.list("/much"); each.hasNext(); ) {
        assertThat(each.next().toString()).doesNotContain(".forebay-stage");
      }
    }
  }

  @Test
  void onlyTheOwnerStages() throws IOException {
    Identity stranger = new Identity(4711, List.of(4711));
    ForebayOptions options = ForebayOptions.defaults().withIdentity(stranger);
    try (Forebay client = Forebay.connect(cluster.uri(), options);
        Staging staging = Staging.of(client)) {
      assertThatThrownBy(() -> staging.start(StageRequest.in(base + "/x", "/x")))
          .hasMessageContaining("only the owner of instance 'default'");
    }
  }

  @Test
  void anotherServerGoesOnWhenTheOneThatWorksIsGone() throws Exception {
    int files = 300;
    for (int i = 0; i < files; i++) {
      write(base.resolve("many/" + i % 10 + "/" + i), random(2000, i));
    }
    try (EmbeddedCluster own =
            EmbeddedCluster.builder()
                .servers(3)
                .segmentBytes(MIB)
                .budget(32L * MIB, 32L * MIB)
                .staging(new StageAccess(List.of(base), 100_000))
                .start();
        Forebay client = Forebay.connect(own.uri());
        Staging staging = Staging.of(client)) {
      StageRequest request = StageRequest.in(base + "/many", "/many").withConcurrency(1);
      String id = staging.start(request);
      StageStatus begun = staging.status(id);
      while (begun.filesDone() == 0) {
        assertThat(begun.state().isOver()).isFalse();
        Thread.sleep(20);
        begun = staging.status(id);
      }
      own.stop(Integer.parseInt(begun.server().substring("server-".length())) - 1);
      StageStatus end = staging.await(id, PATIENCE, status -> {});
      assertThat(end.failure()).isEmpty();
      assertThat(end.filesDone()).isEqualTo(files);
      assertThat(end.state()).isEqualTo(StageStatus.State.DONE);
      assertThat(end.server()).isNotEqualTo(begun.server());
      assertThat(end.filesPresent()).as("what was copied before").isPositive();
      for (int i = 0; i < files; i += 40) {
        assertThat(read(client, "/many/" + i % 10 + "/" + i)).isEqualTo(random(2000, i));
      }
      for (int i = 0; i < 10; i++) {
        Iterator<?> each = client.list("/many/" + i);
        while (each.hasNext()) assertThat(each.next().toString()).doesNotContain(".forebay-stage");
      }
    }
  }

  @Test
  void aStageThatIsCancelledStopsAndLeavesNoPartOfAFile() throws Exception {
    for (int i = 0; i < 100; i++) write(base.resolve("cancel/" + i), random(1000, i));
    try (Forebay client = Forebay.connect(cluster.uri());
        Staging staging = Staging.of(client)) {
      run(staging, StageRequest.in(base + "/cancel", "/cancel"));
      String id =
          staging.start(StageRequest.out("/cancel", base + "/cancelled").withConcurrency(1));
      staging.cancel(id);
      StageStatus end = staging.await(id, PATIENCE, status -> {});
      assertThat(end.state().isOver()).isTrue();
      if (Files.notExists(base.resolve("cancelled"))) return;
      try (Stream<Path> left = Files.list(base.resolve("cancelled"))) {
        for (Path each : left.toList()) assertThat(each).hasSize(1000);
      }
    }
  }
}
