// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.mount.fuse.FuseSession;
import io.forebay.mount.fuse.library.FuseUnavailable;
import io.forebay.server.EmbeddedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The errors that programs get from write protection. */
@Timeout(180)
class ProtectedMountTest {
  private static final int MIB = 1 << 20;

  private static EmbeddedCluster cluster;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    try {
      FuseSession.check();
    } catch (FuseUnavailable none) {
      assumeTrue(false, none.getMessage() + " (dev/optional-packages)");
    }
    cluster =
        EmbeddedCluster.builder()
            .servers(2)
            .copies(1)
            .segmentBytes(4 * MIB)
            .budget(96L * MIB, 96L * MIB)
            .start();
  }

  @AfterAll
  static void end() {
    if (cluster != null) cluster.close();
  }

  private ForebayMount mount(String name, String protection) throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri(""))) {
      admin.createInstance(
          name, InstanceOptions.defaults().withCopies(1).withProtection(protection));
    }
    return ForebayMount.mount(
        cluster.uri(name), directory, MountSettings.defaults(), ForebayOptions.defaults());
  }

  @Test
  void aFileThatWouldBeTooLargeGetsEfbigAndStaysAsItIs() throws Exception {
    try (ForebayMount mount = mount("sized", "file-size=1MiB,error")) {
      Path file = directory.resolve("f");
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(MIB));
        for (int bytes : new int[] {1, 200 * 1024}) {
          assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(bytes), MIB))
              .hasMessageContaining("File too large");
        }
        channel.force(true);
      }
      assertThat(Files.size(file)).isEqualTo(MIB);
      assertThatThrownBy(() -> truncate(file, 2 * MIB)).hasMessageContaining("File too large");
      assertThat(mount.isOver()).isFalse();
    }
  }

  private static void truncate(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // A channel makes files longer by writing; this is the write of the last byte.
      channel.write(ByteBuffer.allocate(1), bytes - 1);
    }
  }

  @Test
  void oneFileTooManyGetsEmfile() throws Exception {
    try (ForebayMount mount = mount("counted", "files=1,error")) {
      Files.createFile(directory.resolve("a"));
      assertThatThrownBy(() -> Files.createFile(directory.resolve("b")))
          .hasMessageContaining("Too many open files");
      Files.createDirectory(directory.resolve("d"));
      Files.delete(directory.resolve("a"));
      assertThat(mount.isOver()).isFalse();
    }
  }

  @Test
  void bytesBeyondTheWindowGetErofsAndNothingElseDoes() throws Exception {
    try (ForebayMount mount = mount("window", "window=1MiB/1h,error")) {
      Path kept = directory.resolve("kept");
      assertThat(written(kept, MIB)).isEmpty();
      Path refused = directory.resolve("refused");
      await(() -> written(refused, 4096).equals("Read-only file system"));
      assertThat(Files.readAllBytes(kept)).hasSize(MIB);
      Files.move(kept, directory.resolve("moved"));
      Files.createDirectory(directory.resolve("d"));
      Files.createFile(directory.resolve("empty"));
      Files.delete(directory.resolve("moved"));
      assertThat(written(directory.resolve("empty"), 4096)).isEqualTo("Read-only file system");
      try (Cluster admin = Cluster.connect(cluster.uri(""))) {
        admin.protectInstance("window", "none");
      }
      await(() -> written(refused, 4096).isEmpty());
      assertThat(Files.size(refused)).isEqualTo(4096);
      assertThat(mount.isOver()).isFalse();
    }
  }

  /** Writes a file and forces it; what the system said about it, or an empty text. */
  private static String written(Path file, int bytes) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(bytes), 0);
      channel.force(true);
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Within the time of the test. */
  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) Thread.sleep(20);
  }
}
