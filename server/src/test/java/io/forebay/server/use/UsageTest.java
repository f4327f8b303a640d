// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.use;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.client.use.InstanceUsage;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What servers count, also when one of them dies and comes back. */
@Timeout(300)
class UsageTest {
  private static final int MIB = 1 << 20;

  private static InstanceUsage usage(Cluster admin) throws IOException {
    return admin.usage().instances().stream()
        .filter(each -> each.instance().name().equals("run"))
        .findFirst()
        .orElseThrow();
  }

  private static void write(Forebay client, String path, int mebibytes) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      for (int i = 0; i < mebibytes; i++) file.write(ByteBuffer.allocate(MIB), (long) i * MIB);
    }
  }

  @Test
  void countsAreThereAfterATakeoverAndARestart() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .servers(3)
                .copies(2)
                .segmentBytes(MIB)
                .budget(24L * MIB, 48L * MIB)
                .start();
        Cluster admin = Cluster.connect(cluster.uri())) {
      Instance made = admin.createInstance("run", InstanceOptions.defaults().withForced(true));
      try (Forebay client = Forebay.connect(cluster.uri("run"))) {
        write(client, "/a", 6);
        write(client, "/b", 2);
        client.unlink("/b");
        try (ForebayFile file = client.open("/a", READ)) {
          assertThat(file.read(ByteBuffer.allocate(MIB), 0)).isEqualTo(MIB);
        }
        // Reads are journalled last. A group that is between two epochs is not in the sum, so that
        // the next answer may have less.
        AtomicReference<InstanceUsage> whole = new AtomicReference<>();
        Eventually.await(
            () -> {
              InstanceUsage now = usage(admin);
              whole.set(now);
              boolean data = now.writtenBytes() >= 8L * MIB && now.ssdBytes() >= 8L * MIB;
              return data && now.readBytes() > 0 && now.heldBytesMax() > 0;
            });
        InstanceUsage before = whole.get();
        // Of a slow server's pieces another server takes a second attempt, which counts too.
        assertThat(before.writtenBytes()).isGreaterThanOrEqualTo(8L * MIB);
        assertThat(before.windowBytes()).isEqualTo(before.writtenBytes());
        assertThat(before.heldBytes()).isEqualTo(6L * MIB);
        assertThat(before.heldBytesMax()).isEqualTo(8L * MIB);
        assertThat(before.filesCreated()).isEqualTo(2);
        assertThat(before.ssdBytes()).isGreaterThanOrEqualTo(8L * MIB);
        for (int server = 0; server < cluster.servers(); server++) {
          cluster.stop(server);
          // A write shows that every group has a home again.
          write(client, "/c" + server, 2);
          cluster.start(server);
          Eventually.await(() -> isWhole(admin, made));
        }
        long all = before.writtenBytes() + 6L * MIB;
        Eventually.await(() -> usage(admin).writtenBytes() >= all);
        InstanceUsage after = usage(admin);
        assertThat(after.filesCreated()).isEqualTo(5);
        assertThat(after.heldBytesMax()).isEqualTo(12L * MIB);
        assertThat(after.ssdBytes()).isGreaterThanOrEqualTo(before.ssdBytes());
        assertThat(cluster.failure()).isNull();
      }
    }
  }

  private static boolean isWhole(Cluster admin, Instance instance) throws IOException {
    return admin.map().groups().stream()
        .filter(group -> group.id().copies() == instance.copies())
        .allMatch(group -> group.isWhole());
  }
}
