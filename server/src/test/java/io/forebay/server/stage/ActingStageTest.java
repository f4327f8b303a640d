// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import static java.nio.file.StandardOpenOption.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.backing.held.Actor;
import io.forebay.backing.held.FileSystemUser;
import io.forebay.backing.held.Ownership;
import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.client.stage.StageRequest;
import io.forebay.client.stage.StageStatus;
import io.forebay.client.stage.Staging;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.stage.side.FilePace;
import io.forebay.server.stage.side.StageDirectory;
import io.forebay.server.stage.side.StageRoots;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kernel checks the rights of the user for whom a server stages. */
@Timeout(120)
class ActingStageTest {
  private static final int MIB = 1 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Identity USER = new Identity(1234, List.of(4321, 4322));
  private static final Identity OTHER = new Identity(1235, List.of(1235));

  @TempDir private Path base;
  private Path root;

  @BeforeEach
  void makeRoot() throws IOException {
    root = directory(base, "root", 0777);
    Files.setAttribute(base, "unix:mode", 0755);
  }

  private static Path directory(Path at, String name, int mode) throws IOException {
    Path made = Files.createDirectory(at.resolve(name)).toRealPath();
    Files.setAttribute(made, "unix:mode", mode);
    return made;
  }

  private static Path give(Path path, int user, int group, int mode) throws IOException {
    Files.setAttribute(path, "unix:gid", group);
    Files.setAttribute(path, "unix:uid", user);
    Files.setAttribute(path, "unix:mode", mode);
    return path;
  }

  private static void requireRoot() {
    assumeTrue(FileSystemUser.isAble(), "needs the right to act as others: run the suite as root");
  }

  private StageRoots sideOf(Identity who, Path top) {
    Actor actor = new Actor(who.user(), who.groups(), FileSystemUser.own());
    return new StageRoots(List.of(top), "s1", actor, new FilePace(0));
  }

  private static void assertDenied(StageRoots side, String path) {
    assertThatThrownBy(() -> side.find(path).close()).isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void aDirectoryAboveTheRootThatTheUserMayNotEnterStopsTheUser() throws IOException {
    requireRoot();
    // No mode at or below the root is in the way, so that only the kernel refuses it.
    Path closed = directory(base, "closed", 0700);
    Path inside = directory(closed, "inside", 0777);
    Files.writeString(inside.resolve("file"), "content");
    assertDenied(sideOf(OTHER, inside), inside + "/file");
    assertThatThrownBy(() -> sideOf(OTHER, inside).directory(inside + "/new", 0755).close())
        .isInstanceOf(AccessDeniedException.class);
    give(closed, OTHER.user(), OTHER.user(), 0700);
    sideOf(OTHER, inside).find(inside + "/file").close();
    assertDenied(sideOf(USER, inside), inside + "/file");
  }

  @Test
  void aLinkThroughADirectoryOfOthersTellsNothing() throws IOException {
    requireRoot();
    Path closed = directory(root, "closed", 0700);
    Files.writeString(closed.resolve("there"), "content");
    Files.createSymbolicLink(root.resolve("link"), closed.resolve("there"));
    Files.createSymbolicLink(root.resolve("missing"), closed.resolve("missing"));
    assertDenied(sideOf(USER, root), root + "/link");
    assertDenied(sideOf(USER, root), root + "/missing");
  }

  @Test
  void filesOfAGroupAreReadByItsMembers() throws IOException {
    requireRoot();
    give(Files.writeString(root.resolve("project"), "content"), 0, 4322, 0640);
    try (StageDirectory top = sideOf(USER, root).directory(root.toString(), 0755)) {
      assertThat(top.read("project", 0).readAllBytes()).hasSize(7);
    }
    try (StageDirectory top = sideOf(OTHER, root).directory(root.toString(), 0755)) {
      assertThatThrownBy(() -> top.read("project", 0)).isInstanceOf(AccessDeniedException.class);
    }
  }

  @Test
  void aServerThatCannotActForOthersRefusesThem() {
    int server = 4711;
    for (int owner : List.of(USER.user(), Identity.ROOT)) {
      StageRoots side =
          new StageRoots(
              List.of(root), "s1", new Actor(owner, List.of(owner), server), new FilePace(0));
      String sentence = "server s1 runs as user 4711 and stages only for that user, not for user ";
      assertThatThrownBy(() -> side.find(root.toString())).hasMessageContaining(sentence + owner);
      assertThatThrownBy(() -> side.directory(root + "/new", 0755))
          .hasMessageContaining("start it as root");
    }
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void aRingStagesAsTheOwnerOfTheInstance() throws Exception {
    requireRoot();
    Path data = give(directory(root, "data", 0700), USER.user(), 4321, 0700);
    give(Files.writeString(data.resolve("secret"), "content"), USER.user(), 4321, 0400);
    Path closed = directory(base, "closed", 0700);
    Path inside = directory(closed, "inside", 0777);
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder()
            .segmentBytes(MIB)
            .budget(16L * MIB, 32L * MIB)
            .stageRoots(List.of(root, inside))
            .start()) {
      StageStatus in = stage(cluster, USER, "user", StageRequest.in(data + "/secret", "/secret"));
      assertThat(in.failure()).isEmpty();
      StageStatus out = stage(cluster, USER, "user", StageRequest.out("/", root + "/made/out"));
      assertThat(out.failure()).isEmpty();
      for (String name : List.of("made", "made/out", "made/out/secret")) {
        assertThat(Ownership.of(root.resolve(name), LinkOption.NOFOLLOW_LINKS))
            .as(name)
            .extracting("user", "group")
            .containsExactly(1234, 4321);
      }
      assertThat(root.resolve("made/out/secret")).hasContent("content");
      StageStatus refused =
          stage(cluster, OTHER, "other", StageRequest.in(data + "/secret", "/secret"));
      assertThat(refused.state()).isEqualTo(StageStatus.State.FAILED);
      assertThat(refused.failure())
          .contains("is not accessible: user 1235, who owns the instance, needs");
      StageStatus kept = stage(cluster, OTHER, "other", StageRequest.out("/", inside + "/out"));
      assertThat(kept.failure()).contains("is not accessible: user 1235");
      assertThat(inside).isEmptyDirectory();
    }
  }

  /** As the owner of an instance, which is created if it does not exist. */
  private static StageStatus stage(
      EmbeddedCluster cluster, Identity who, String instance, StageRequest request)
      throws IOException {
    ForebayOptions options = ForebayOptions.defaults().withIdentity(who);
    try (Cluster admin = Cluster.connect(cluster.uri(""), options)) {
      if (admin.instances().stream().noneMatch(each -> each.name().equals(instance))) {
        admin.createInstance(instance, InstanceOptions.defaults());
      }
    }
    try (Forebay client = Forebay.connect(cluster.uri(instance), options);
        Staging staging = Staging.of(client)) {
      StageStatus end = staging.await(staging.start(request), PATIENCE, status -> {});
      if (end.state() == StageStatus.State.DONE && request.destination().equals("/secret")) {
        try (ForebayFile file = client.open("/secret", READ)) {
          assertThat(file.inputStream(0).readAllBytes()).hasSize(7);
        }
      }
      return end;
    }
  }
}
