// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.backing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.Instance;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of files that are not drained when their instance is destroyed. */
@Timeout(60)
class InstanceEndTest {
  private static final int MIB = 1 << 20;

  @TempDir Path directory;

  private EmbeddedCluster cluster() throws Exception {
    return EmbeddedCluster.builder()
        .segmentBytes(MIB)
        .budget(24L * MIB, 24L * MIB)
        .backingRoots(List.of(directory))
        .start();
  }

  private static Instance make(Cluster admin, String name, Path backing, String policy)
      throws IOException {
    DrainSpec drain = new DrainSpec(backing.toString(), policy);
    return admin.createInstance(name, InstanceOptions.defaults().withDrain(drain));
  }

  private static void write(Forebay client, String path) throws IOException {
    try (ForebayFile file = client.open(path, WRITE, CREATE)) {
      file.write(ByteBuffer.wrap(path.getBytes(UTF_8)), 0);
    }
  }

  private static boolean isTaken(Forebay client, String path) {
    try {
      write(client, path);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void awaitGone(Cluster admin) throws Exception {
    Eventually.await(() -> admin.instances().stream().allMatch(each -> each.drain().isNone()));
  }

  @Test
  void isDrainedBeforeItGoesIfItsPolicySaysSo() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      make(admin, "ends", directory, "end");
      try (Forebay client = Forebay.connect(cluster.uri("ends"))) {
        client.mkdir("/run");
        for (int i = 0; i < 5; i++) write(client, "/run/" + i);
      }
      assertThat(directory).as("nothing is drained before the end").isEmptyDirectory();
      admin.destroyInstance("ends");
      awaitGone(admin);
      for (int i = 0; i < 5; i++) {
        assertThat(directory.resolve("run/" + i)).hasContent("/run/" + i);
      }
    }
  }

  @Test
  void takesNothingMoreWhileItEndsAndGoesAtOnceIfItIsDiscarded() throws Exception {
    Path missing = directory.resolve("missing");
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      make(admin, "ends", missing, "end");
      try (Forebay client = Forebay.connect(cluster.uri("ends"))) {
        write(client, "/file");
        admin.destroyInstance("ends");
        assertThat(admin.instances())
            .anyMatch(each -> each.name().equals("ends") && each.drain().ending());
        // The home hears of it in a moment; what it takes until then is drained as well.
        Eventually.await(() -> !isTaken(client, "/more"));
        assertThatThrownBy(() -> write(client, "/more")).hasMessageContaining("'ends' ends");
        Eventually.await(() -> !client.ledger().trouble().isEmpty());
        assertThat(client.ledger().trouble()).contains(missing.toString());
        admin.discardInstance("ends");
        awaitGone(admin);
      }
      assertThat(Files.exists(missing)).isFalse();
    }
  }

  @Test
  void isDrainedAtTheEndUnlessItIsToldOtherwise() throws Exception {
    try (EmbeddedCluster cluster = cluster();
        Cluster admin = Cluster.connect(cluster.uri())) {
      assertThat(make(admin, "usual", directory, "").drain().policy()).isEqualTo("close,end");
      make(admin, "asked", directory, "request");
      try (Forebay client = Forebay.connect(cluster.uri("asked"))) {
        write(client, "/file");
      }
      admin.discardInstance("usual");
      admin.destroyInstance("asked");
      awaitGone(admin);
      assertThat(directory).isEmptyDirectory();
    }
  }
}
