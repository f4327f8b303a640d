// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.backing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.DrainSpec;
import io.forebay.server.EmbeddedCluster;
import io.forebay.wire.message.Identity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers touch what the operator named, as far as the owner of an instance may. */
@Timeout(120)
class BackingRightsTest {
  private static final int MIB = 1 << 20;

  /** Neither the user who runs the tests nor root. */
  private static final ForebayOptions STRANGER =
      ForebayOptions.defaults().withIdentity(new Identity(54321, List.of(54321)));

  @TempDir static Path root;
  @TempDir static Path elsewhere;
  @TempDir static Path files;
  @TempDir static Path memory;
  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    cluster =
        EmbeddedCluster.builder()
            .segmentBytes(MIB)
            .budget(16L * MIB, 32L * MIB)
            .directory(files.resolve("cluster"))
            .memoryRoot(memory)
            .backingRoots(List.of(root))
            .start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Writes a file as the owner of a new instance, and gives the words why it is not drained. */
  private static String troubleOf(String name, ForebayOptions owner, Path store)
      throws IOException {
    try (Cluster admin = Cluster.connect(cluster.uri(""), owner)) {
      DrainSpec drain = new DrainSpec(store.toString(), "close");
      admin.createInstance(name, InstanceOptions.defaults().withDrain(drain));
    }
    try (Forebay client = Forebay.connect(cluster.uri(name), owner)) {
      try (ForebayFile file = client.open("/file", WRITE, CREATE)) {
        file.write(ByteBuffer.wrap("replaced".getBytes(UTF_8)), 0);
      }
      while (client.ledger().trouble().isEmpty()) Thread.onSpinWait();
      return client.ledger().trouble();
    }
  }

  @Test
  void aFileThatTheOwnerMayNotTouchIsNotReplaced() throws Exception {
    Path closed = Files.createDirectory(root.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(closed.resolve("file"), "kept");
    assertThat(troubleOf("closed", STRANGER, closed)).contains("user 54321 may not use it");
    assertThat(closed.resolve("file")).hasContent("kept");
  }

  @Test
  void nothingIsDrainedToWhereTheOperatorNamedNoRoot() throws Exception {
    assertThat(troubleOf("elsewhere", ForebayOptions.defaults(), elsewhere))
        .contains(elsewhere.toString(), "--backing-root");
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void anOwnerWithTheRightDrains() throws Exception {
    Path open = Files.createDirectory(root.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (Cluster admin = Cluster.connect(cluster.uri(""), STRANGER)) {
      DrainSpec drain = new DrainSpec(open.toString(), "close");
      admin.createInstance("open", InstanceOptions.defaults().withDrain(drain));
    }
    try (Forebay client = Forebay.connect(cluster.uri("open"), STRANGER)) {
      client.mkdir("/dir");
      try (ForebayFile file = client.open("/dir/file", WRITE, CREATE)) {
        file.write(ByteBuffer.wrap("content".getBytes(UTF_8)), 0);
      }
      client.awaitDurable("/", Duration.ofMinutes(1));
    }
    assertThat(open.resolve("dir/file")).hasContent("content");
  }

  @Test
  void whatServersKeepIsTheirOwnersOnly() throws IOException {
    try (Stream<Path> made = Files.walk(files.resolve("cluster"))) {
      for (Path each : made.toList()) {
        if (each.toString().endsWith(".sock")) continue;
        String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(each));
        assertThat(permissions).as(each.toString()).endsWith("------");
      }
    }
  }
}
