// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.backing;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.DrainSpec;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real file system that is too small for a file has all its room again afterwards. */
@Timeout(300)
class FullBackingStoreTest {
  private static final int MIB = 1 << 20;
  private static final int STORE_MIB = 24;
  private static final int LARGE_MIB = 40;
  private static final int SMALL_MIB = 12;

  @TempDir Path directory;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=" + STORE_MIB + "m", "tmpfs", "" + directory);
    assumeTrue(mounted, "needs the right to mount: run the suite as root");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) assertThat(run("umount", "-l", directory.toString())).isTrue();
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static void write(Forebay client, String path, int mebibytes) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      for (int i = 0; i < mebibytes; i++) {
        file.write(ByteBuffer.allocate(MIB), (long) i * MIB);
      }
    }
  }

  @Test
  void whatDidNotFitIsInNobodysWay() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .servers(3)
                .segmentBytes(4 * MIB)
                .budget(64L * MIB, 64L * MIB)
                .backingRoots(List.of(directory))
                .start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      DrainSpec drain = new DrainSpec(directory.toString(), "close");
      admin.createInstance("drained", InstanceOptions.defaults().withDrain(drain));
      try (Forebay client = Forebay.connect(cluster.uri("drained"))) {
        write(client, "/large", LARGE_MIB);
        Eventually.await(() -> client.ledger().trouble().contains("No space left"));
        client.unlink("/large");
        write(client, "/small", SMALL_MIB);
        client.awaitDurable("/small", Duration.ofMinutes(2));
        assertThat(directory.resolve("small")).hasSize((long) SMALL_MIB * MIB);
        long room = (long) (STORE_MIB - SMALL_MIB) * MIB;
        Eventually.await(() -> Files.getFileStore(directory).getUsableSpace() == room);
      }
    }
  }
}
