// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.Mounts;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.passthrough.PassThroughMount;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.StartFailed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.Thread.State;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How mounts begin and end, whatever happens meanwhile. */
@Timeout(180)
class MountLifeTest {
  private static EmbeddedCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws IOException, StartFailed {
    try {
      FuseSession.check();
    } catch (FuseUnavailable none) {
      assumeTrue(false, none.getMessage() + " (dev/optional-packages)");
    }
    cluster = smallCluster();
  }

  private static EmbeddedCluster smallCluster() throws IOException, StartFailed {
    return EmbeddedCluster.builder()
        .servers(2)
        .copies(1)
        .segmentBytes(4 << 20)
        .budget(96 << 20, 96 << 20)
        .start();
  }

  @AfterAll
  static void end() {
    if (cluster != null) cluster.close();
  }

  private Path point(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  private ForebayMount mount(Path point, String options) throws IOException {
    return mount("default", point, options);
  }

  private ForebayMount mount(String instance, Path point, String options) throws IOException {
    MountSettings settings = new MountOptions().addAll(options).settings();
    return ForebayMount.mount(cluster.uri(instance), point, settings, ForebayOptions.defaults());
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }

  @Test
  void whatIsWrittenIsThereForOthersWhenItIsUnmounted() throws IOException {
    byte[] content = random(3_000_000);
    for (String cache : List.of("none", "auto", "writeback")) {
      Path point = point(cache);
      ForebayMount mount = mount(point, "cache=" + cache);
      assertThat(Mounts.at(mount.directory()).orElseThrow().type()).isEqualTo("fuse.forebay");
      Files.write(point.resolve("of-" + cache), content);
      assertThat(mount.end()).isTrue();
      assertThat(Mounts.at(point.toRealPath())).isEmpty();
      try (Forebay client = Forebay.connect(cluster.uri())) {
        ByteBuffer read = ByteBuffer.allocate(content.length + 1);
        client.open("/of-" + cache, StandardOpenOption.READ).read(read, 0);
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(content));
      }
    }
  }

  @Test
  void aNodesPrivateTreeIsMountedByItsName() throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance(
          "own", InstanceOptions.defaults().withCopies(1).withAccess(Instance.Access.PRIVATE));
    }
    Path one = point("node-one");
    Path two = point("node-two");
    try (ForebayMount first = mount("own", one, "node=one");
        ForebayMount second = mount("own", two, "node=two")) {
      Files.writeString(one.resolve("file"), "of one");
      assertThat(second.directory().toFile().list()).isEmpty();
      assertThat(first.directory().toFile().list()).containsExactly("file");
    }
    ForebayOptions options = ForebayOptions.defaults().withNode("one");
    try (Forebay client = Forebay.connect(cluster.uri("own"), options)) {
      assertThat(client.list("/")).toIterable().hasSize(1);
    }
  }

  @Test
  void theSharedAndAPrivateTreeOfOneInstanceAreMountedSideBySide() throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance(
          "both",
          InstanceOptions.defaults()
              .withCopies(1)
              .withCapacityBytes(16L << 20)
              .withAccess(Instance.Access.BOTH));
    }
    Path shared = point("shared");
    Path mine = point("mine");
    Path other = point("other");
    try (ForebayMount all = mount("both", shared, "");
        ForebayMount one = mount("both", mine, "private,node=one");
        ForebayMount two = mount("both", other, "private,node=two")) {
      Files.writeString(shared.resolve("file"), "of all");
      Files.writeString(mine.resolve("file"), "of one");
      assertThat(shared.resolve("file")).hasContent("of all");
      assertThat(mine.resolve("file")).hasContent("of one");
      assertThat(two.directory().toFile().list()).isEmpty();
      // Each shows the capacity that all trees have together.
      assertThat(Files.getFileStore(all.directory()).getTotalSpace())
          .isEqualTo(Files.getFileStore(one.directory()).getTotalSpace())
          .isGreaterThanOrEqualTo(16L << 20);
      assertThat(Files.getFileStore(two.directory()).getUsableSpace()).isPositive();
    }
    try (Forebay client = Forebay.connect(cluster.uri("both"))) {
      assertThat(client.list("/")).toIterable().hasSize(1);
    }
    assertThatThrownBy(() -> mount(point("none"), "private").close())
        .hasMessageContaining("has shared access");
  }

  @Test
  void oneMountSeesWhatAnotherHasClosed() throws IOException {
    Path one = point("one");
    Path two = point("two");
    try (ForebayMount first = mount(one, "");
        ForebayMount second = mount(two, "")) {
      for (int round = 0; round < 5; round++) {
        byte[] content = random(5_000 + round * 777);
        Files.write(one.resolve("shared"), content);
        assertThat(Files.readAllBytes(two.resolve("shared"))).isEqualTo(content);
        content[17]++;
        Files.write(two.resolve("shared"), content);
        assertThat(Files.readAllBytes(one.resolve("shared"))).isEqualTo(content);
      }
      assertThat(first.isOver() || second.isOver()).isFalse();
    }
  }

  @Test
  void aDirectoryOfAnInstanceCanBeMountedAlone() throws IOException {
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.mkdir("/inner");
      client.mkdir("/inner/most");
    }
    Path point = point("alone");
    MountSettings usual = MountSettings.defaults();
    String uri = cluster.uri() + "/inner/most";
    ForebayOptions options = ForebayOptions.defaults();
    try (ForebayMount mount = ForebayMount.mount(uri, point, usual, options)) {
      Files.writeString(mount.directory().resolve("file"), "here");
      assertThat(point.toFile().list()).containsExactly("file");
    }
    try (Forebay client = Forebay.connect(cluster.uri())) {
      assertThat(client.stat("/inner/most/file").sizeBytes()).isEqualTo(4);
    }
    assertThatThrownBy(() -> ForebayMount.mount(cluster.uri() + "/nix", point, usual, options))
        .hasMessageContaining("there is no 'nix' in forebay://");
  }

  @Test
  void optionsHold() throws IOException {
    Path point = point("options");
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.chmod("/", 0777);
    }
    try (ForebayMount writer = mount(point, "uid=1234,gid=4321,nosuid,noatime")) {
      Files.writeString(point.resolve("owned"), "x");
      assertThat(Files.getAttribute(point.resolve("owned"), "unix:uid")).isEqualTo(1234);
      assertThat(Files.getAttribute(point.resolve("owned"), "unix:gid")).isEqualTo(4321);
      assertThat(Files.readString(Path.of("/proc/mounts")))
          .containsPattern(writer.directory() + " fuse.forebay rw,nosuid,nodev,noatime");
    }
    try (ForebayMount reader = mount(point, "ro")) {
      assertThat(Files.readString(reader.directory().resolve("owned"))).isEqualTo("x");
      assertThatThrownBy(() -> Files.writeString(point.resolve("other"), "x"))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("Read-only");
    }
  }

  @Test
  void everybodyActsAsThemselvesWithAllTheirGroups() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is not installed");
    Path point = point("users");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (ForebayMount mount = mount(point, "allow_other")) {
      Path team = Files.createDirectory(mount.directory().resolve("team"));
      Files.setAttribute(team, "unix:gid", 5555);
      Files.setPosixFilePermissions(team, PosixFilePermissions.fromString("rwxrwx---"));
      Path closed = Files.createDirectory(mount.directory().resolve("closed"));
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
      Files.writeString(closed.resolve("secret"), "x");
      assertThat(runAs(5555, "echo x > " + team + "/made")).isZero();
      assertThat(Files.getAttribute(team.resolve("made"), "unix:uid")).isEqualTo(1234);
      assertThat(runAs(6666, "echo x > " + team + "/other")).isNotZero();
      assertThat(runAs(5555, "cat " + closed + "/secret")).isNotZero();
      assertThat(runAs(5555, "chmod 777 " + closed)).isNotZero();
    }
  }

  @Test
  void everybodyActsAsTheUserThatWasNamed() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is not installed");
    Path point = point("mapped");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (Forebay client = Forebay.connect(cluster.uri())) {
      client.chmod("/", 0777);
    }
    try (ForebayMount mount = mount(point, "allow_other,uid=77,gid=88")) {
      Path file = mount.directory().resolve("of-77");
      assertThat(runAs(5555, "echo x > " + file)).isZero();
      assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(77);
      // What only the owner may: the one who asks is another.
      assertThat(runAs(5555, "chmod 600 " + file + " && cat " + file)).isZero();
      assertThat(runAs(5555, "chown 5 " + file)).isNotZero();
    }
    try (ForebayMount mount = mount(point, "allow_other,uid=78,gid=88")) {
      assertThat(runAs(5555, "cat " + mount.directory().resolve("of-77"))).isNotZero();
    }
  }

  /** Runs a command as a user who is in a group besides his own. */
  private static int runAs(int group, String command) throws IOException, InterruptedException {
    String[] words = {
      "/usr/bin/setpriv",
      "--reuid=1234",
      "--regid=1234",
      "--groups=" + group,
      "bash",
      "-c",
      command + " 2>/dev/null"
    };
    return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor();
  }

  @Test
  void aFullInstanceSaysSoAndTakesNoMore() throws IOException {
    int capacity = 8 << 20;
    try (Cluster admin = Cluster.connect(cluster.uri())) {
      admin.createInstance("narrow", InstanceOptions.defaults().withCapacityBytes(capacity));
    }
    Path point = point("narrow");
    MountSettings usual = MountSettings.defaults();
    String uri = cluster.uri("narrow");
    try (ForebayMount mount = ForebayMount.mount(uri, point, usual, ForebayOptions.defaults())) {
      assertThat(Files.getFileStore(mount.directory()).getTotalSpace()).isEqualTo(capacity);
      for (int bytes : List.of(3 << 20, 10_000)) {
        assertThatThrownBy(() -> fill(point.resolve("f" + bytes), new byte[bytes], 2 * capacity))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("No space left");
        Files.delete(point.resolve("f" + bytes));
      }
    }
  }

  private static void fill(Path path, byte[] piece, int upTo) throws IOException {
    try (OutputStream file = Files.newOutputStream(path)) {
      for (int at = 0; at < upTo; at += piece.length) file.write(piece);
    }
  }

  @Test
  void whereNothingCanBeMountedASentenceSaysWhy() throws IOException {
    assertThatThrownBy(() -> mount(directory.resolve("missing"), ""))
        .isInstanceOf(FuseUnavailable.class)
        .hasMessageContaining("missing' does not exist; make it with 'mkdir");
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> mount(file, "")).hasMessageContaining("file' is not a directory");
    assertThatThrownBy(() -> mount(directory, ""))
        .hasMessageContaining("is not empty")
        .hasMessageContaining("nonempty");
    Path point = point("twice");
    Files.createFile(point.resolve("hidden"));
    try (ForebayMount mount = mount(point, "nonempty")) {
      assertThat(mount.directory().resolve("hidden")).doesNotExist();
      assertThatThrownBy(() -> mount(point, "nonempty"))
          .hasMessageContaining("is mounted already, from forebay://")
          .hasMessageContaining("forebay umount");
    }
    assertThat(point.resolve("hidden")).exists();
  }

  @Test
  void aMountInUseIsNotTakenAwayUnlessItMustBe() throws IOException {
    Path point = point("busy");
    ForebayMount mount = mount(point, "cache=writeback");
    // So much that the kernel still writes it back when it has said that it does.
    byte[] content = random(24 << 20);
    OutputStream file = Files.newOutputStream(point.resolve("open"));
    file.write(content);
    assertThat(Mounts.unmount(mount.directory())).isEqualTo(Errno.EBUSY);
    assertThat(mount.isOver()).isFalse();
    // Told to end all the same: what was written is kept, and the program gets an error.
    assertThat(mount.end()).isFalse();
    assertThatThrownBy(
            () -> {
              file.write(content);
              file.close();
            })
        .isInstanceOf(IOException.class);
    assertThat(Mounts.at(point.toRealPath())).isEmpty();
    try (Forebay client = Forebay.connect(cluster.uri());
        InputStream kept = client.open("/open", StandardOpenOption.READ).inputStream(0)) {
      assertThat(Arrays.equals(kept.readAllBytes(), content)).isTrue();
    }
  }

  @Test
  void whoeverUnmountsItEndsIt() throws IOException, InterruptedException {
    Path point = point("ended");
    try (ForebayMount mount = mount(point, "")) {
      Files.writeString(point.resolve("kept-on-umount"), "x");
      assertThat(Mounts.unmount(mount.directory())).isZero();
      assertThat(mount.awaitEnd(Duration.ofSeconds(30))).isTrue();
      assertThat(mount.end()).isTrue();
    }
  }

  @Test
  void aMountThatWasDetachedEndsInOrderOnceItsFilesAreClosed() throws Exception {
    Path point = point("detached");
    ForebayMount mount = mount(point, "");
    FutureTask<Boolean> end = new FutureTask<>(mount::end);
    Thread ending = Thread.ofPlatform().daemon().unstarted(end);
    try (OutputStream file = Files.newOutputStream(point.resolve("open"))) {
      file.write(random(10_000));
      assertThat(Mounts.detach(mount.directory())).isZero();
      ending.start();
      // It waits for this file, or has given up.
      while (ending.getState() != State.TIMED_WAITING && ending.isAlive()) Thread.onSpinWait();
    }
    assertThat(end.get()).isTrue();
    try (Forebay client = Forebay.connect(cluster.uri())) {
      assertThat(client.stat("/open").sizeBytes()).isEqualTo(10_000);
    }
  }

  @Test
  void aClusterThatIsGoneGivesErrorsAndComesBack() throws IOException, StartFailed {
    try (EmbeddedCluster own = smallCluster()) {
      Path point = point("gone");
      MountSettings settings = new MountOptions().addAll("timeout=2").settings();
      ForebayMount mount =
          ForebayMount.mount(own.uri(), point, settings, ForebayOptions.defaults());
      FileChannel file =
          FileChannel.open(
              point.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      file.write(ByteBuffer.wrap(random(100_000)));
      file.force(true);
      own.stop(0);
      own.stop(1);
      file.write(ByteBuffer.wrap(random(100_000)));
      // Told at the latest here; and again, since it is lost.
      assertThatThrownBy(() -> file.force(true)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> file.write(ByteBuffer.wrap(random(10))))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> Files.readString(point.resolve("other")))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("Input/output error");
      assertThatThrownBy(() -> Files.createDirectory(point.resolve("made")))
          .isInstanceOf(FileSystemException.class);
      assertThatThrownBy(file::close).isInstanceOf(IOException.class);
      own.start(0);
      own.start(1);
      awaitAnswers(point);
      Files.writeString(point.resolve("after"), "it is back");
      assertThat(Files.readString(point.resolve("after"))).isEqualTo("it is back");
      assertThat(mount.end()).isTrue();
    }
  }

  private static void awaitAnswers(Path point) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (System.nanoTime() < end) {
      if (point.toFile().list() != null) return;
    }
    throw new AssertionError("the mount did not come back");
  }

  @Test
  void aMountWhoseClusterIsGoneCanBeUnmounted() throws IOException, StartFailed {
    Path point = point("orphan");
    ForebayMount mount;
    EmbeddedCluster own = smallCluster();
    try {
      MountSettings settings = new MountOptions().addAll("timeout=1,cache=writeback").settings();
      mount = ForebayMount.mount(own.uri(), point, settings, ForebayOptions.defaults());
      Files.writeString(point.resolve("file"), "x");
    } finally {
      own.close();
    }
    assertThat(Mounts.unmount(mount.directory())).isZero();
    // It cannot be said that all is well, and nothing waits for ever.
    mount.end();
    assertThat(Mounts.at(point.toRealPath())).isEmpty();
  }

  @Test
  void anotherDirectoryThroughTheSameBinding() throws IOException {
    Path source = point("source");
    Path point = point("through");
    byte[] content = random(2_500_000);
    for (CacheMode cache : CacheMode.values()) {
      try (FuseSession session = PassThroughMount.mount(source, point, cache)) {
        Path file = session.directory().resolve("file");
        Files.write(file, content);
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        Files.move(file, point.resolve("moved"));
        Files.createDirectory(point.resolve("inner"));
        assertThat(point.toFile().list()).containsExactlyInAnyOrder("inner", "moved");
        Files.delete(point.resolve("inner"));
      }
      assertThat(Files.readAllBytes(source.resolve("moved"))).isEqualTo(content);
      Files.delete(source.resolve("moved"));
    }
  }
}
