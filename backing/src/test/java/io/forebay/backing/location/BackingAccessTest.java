// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.location;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.BackingStores;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.held.Actor;
import io.forebay.backing.held.Ownership;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which stores a server opens, and what it does in them for the owner of an instance. */
class BackingAccessTest {
  /** A user that neither owns what tests make nor runs them. */
  private static final int STRANGER = 54321;

  private static final BackingPath FILE = BackingPath.of("file");

  @TempDir Path root;
  private int self;

  @BeforeEach
  void findOwnNumber() throws IOException {
    self = Ownership.of(root).user();
  }

  private BackingStore open(int user, List<String> roots, String address) {
    Actor actor = new Actor(user, List.of(user), self);
    BackingAccess access = new BackingAccess("s1", BackingRoots.of(roots), actor);
    return new BackingStores(null).within(access).open(address);
  }

  private BackingStore openFor(int user, Path directory) {
    return open(user, List.of(root.toString()), directory.toString());
  }

  private static Path directory(Path at, String permissions) throws IOException {
    Files.createDirectories(at);
    return Files.setPosixFilePermissions(at, PosixFilePermissions.fromString(permissions));
  }

  private static void store(BackingStore store, BackingPath name, String text) throws Exception {
    AttemptPlan plan =
        new AttemptPlan(
            new AttemptId("t." + name.name()), name, text.length(), FileAttributes.NONE);
    Attempt attempt = store.begin(plan);
    store.write(attempt, 0, List.of(ByteBuffer.wrap(text.getBytes(UTF_8))));
    store.force(attempt);
    store.commit(attempt, name);
  }

  private static void denied(ThrowingCallable work) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            BackingException.class,
            e -> assertThat(e.failure()).isInstanceOf(BackingFailure.NoPermission.class))
        .hasMessageContaining("user " + STRANGER);
  }

  @Test
  void withoutARootNothingIsOpened() {
    assertThatThrownBy(() -> open(self, List.of(), root.toString()))
        .hasMessageContaining("server s1 may use no backing store; start it with --backing-root");
    open(self, List.of(), "null:").close();
  }

  @Test
  void onlyWhatLiesBelowARootIsOpened() throws Exception {
    Path inside = Files.createDirectory(root.resolve("inside"));
    List<String> roots = List.of(inside.toString());
    for (String address :
        List.of(
            root.toString(), inside + "/../other", "slow+posix:/etc", "file:///", inside + "x")) {
      assertThatThrownBy(() -> open(self, roots, address)).hasMessageContaining("--backing-root");
    }
    for (String address : List.of(inside.toString(), "slow+posix:" + inside + "/run")) {
      open(self, roots, address).close();
    }
  }

  @Test
  void aLinkThatLeadsOutOfTheRootIsNotFollowed() throws Exception {
    Path inside = Files.createDirectory(root.resolve("inside"));
    Path outside = Files.createDirectory(root.resolve("outside"));
    Files.createSymbolicLink(inside.resolve("link"), outside);
    BackingStore store = open(self, List.of(inside.toString()), inside + "/link");
    assertThatThrownBy(store::check).hasMessageContaining("where it leads");
    assertThatThrownBy(() -> store(store, FILE, "text")).hasMessageContaining("where it leads");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void theOwnersRightsCountAndNotTheServers() throws Exception {
    Path closed = directory(root.resolve("closed"), "rwx------");
    Files.writeString(closed.resolve("file"), "kept");
    directory(root, "rwxr-xr-x");
    BackingStore strange = openFor(STRANGER, closed);
    denied(strange::check);
    denied(() -> store(strange, FILE, "gone"));
    denied(() -> strange.delete(FILE, BackingStore.ANY_VERSION));
    denied(() -> strange.rename(FILE, BackingPath.of("other")));
    denied(() -> strange.list(BackingPath.ROOT));
    denied(() -> strange.read(FILE, BackingStore.ANY_VERSION, 0, ByteBuffer.allocate(4)));
    denied(() -> strange.makeSymlink(BackingPath.of("link"), "/etc"));
    assertThat(closed.resolve("file")).hasContent("kept");
    assertThat(closed.toFile().list()).containsExactly("file");
    store(openFor(self, closed), FILE, "new");
    assertThat(closed.resolve("file")).hasContent("new");
  }

  @Test
  void aDirectoryThatMayOnlyBeReadIsNotWrittenTo() throws Exception {
    Path open = directory(root.resolve("open"), "rwxr-xr-x");
    Files.writeString(open.resolve("file"), "kept");
    Path secret = Files.writeString(open.resolve("secret"), "secret");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    directory(root, "rwxr-xr-x");
    BackingStore strange = openFor(STRANGER, open);
    ByteBuffer text = ByteBuffer.allocate(4);
    assertThat(strange.read(FILE, BackingStore.ANY_VERSION, 0, text)).isEqualTo(4);
    BackingPath hidden = BackingPath.of("secret");
    denied(() -> strange.read(hidden, BackingStore.ANY_VERSION, 0, ByteBuffer.allocate(4)));
    denied(() -> store(strange, FILE, "gone"));
    denied(() -> strange.makeDirectory(BackingPath.of("dir"), FileAttributes.NONE));
    assertThat(open.resolve("file")).hasContent("kept");
  }

  @Test
  void inAStickyDirectoryNamesOfOthersStay() throws Exception {
    Path shared = root.resolve("shared");
    Files.createDirectory(shared);
    Files.setAttribute(shared, "unix:mode", 01777);
    Files.writeString(shared.resolve("file"), "kept");
    directory(root, "rwxr-xr-x");
    BackingStore strange = openFor(STRANGER, shared);
    denied(() -> store(strange, FILE, "gone"));
    denied(() -> strange.delete(FILE, BackingStore.ANY_VERSION));
    assertThat(shared.resolve("file")).hasContent("kept");
    store(strange, BackingPath.of("own"), "mine");
    assertThat(shared.resolve("own")).hasContent("mine");
  }

  @Test
  void servicesAreOpenedAsTheyWereNamed() {
    BackingRoots roots =
        BackingRoots.of(
            List.of("s3://bucket/dir?profile=archive&endpoint=http://s3:9000", "hdfs://nn:8020/u"));
    assertThat(roots.allows(at("s3://bucket/dir?profile=archive&endpoint=http://s3:9000")))
        .isTrue();
    assertThat(
            roots.allows(at("s3://bucket/dir/x?endpoint=http://s3:9000&profile=archive&part=8MiB")))
        .isTrue();
    assertThat(roots.allows(at("hdfs://nn:8020/u/run?replication=1"))).isTrue();
    for (String other :
        List.of(
            "s3://bucket/dir?profile=archive",
            "s3://bucket/dir?profile=root&endpoint=http://s3:9000",
            "s3://bucket/dir?profile=archive&endpoint=http://169.254.169.254",
            "s3://bucket/dirx?profile=archive&endpoint=http://s3:9000",
            "s3://bucket?profile=archive&endpoint=http://s3:9000",
            "s3://other/dir?profile=archive&endpoint=http://s3:9000",
            "hdfs://nn:8020/u?user=hdfs",
            "hdfs://nn:8020/u/../other",
            "hdfs://nn:8020/u/%2e%2e/other",
            "hdfs://other:8020/u")) {
      assertThat(roots.allows(at(other))).as(other).isFalse();
    }
  }

  private static BackingLocation at(String address) {
    return BackingLocation.parse(address);
  }

  @Test
  void rootsAreNamedByWholeAddresses() {
    assertThatThrownBy(() -> BackingRoots.of(List.of("relative"))).hasMessageContaining("relative");
    assertThatThrownBy(() -> BackingRoots.of(List.of("tape:1"))).hasMessageContaining("tape:");
    assertThatThrownBy(() -> BackingRoots.of(List.of("slow+/dir")))
        .hasMessageContaining("behind it");
  }
}
