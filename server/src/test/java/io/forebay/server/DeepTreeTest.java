// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.InstanceOptions;
import io.forebay.client.Nodes;
import io.forebay.client.file.NodePage;
import io.forebay.ring.DrainSpec;
import io.forebay.ring.SeatEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Directories nested deeper than any path can name: each is made inside the one before. */
@Timeout(180)
class DeepTreeTest {
  private static final int MIB = 1 << 20;
  private static final int DEPTH = 5000;
  private static final String NAME = "d";
  private static final String FILE = "f";

  @TempDir Path directory;

  @Test
  void aTreeOfAnyDepthIsMadeDrainedListedAndRemoved() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .servers(3)
                .segmentBytes(MIB)
                .budget(24L * MIB, 24L * MIB)
                .backingRoots(List.of(directory))
                .start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      DrainSpec drain = new DrainSpec(directory.toString(), "request");
      admin.createInstance("deep", InstanceOptions.defaults().withDrain(drain));
      try (Forebay client = Forebay.connect(cluster.uri("deep"))) {
        Nodes nodes = client.nodes();
        List<Long> path = nest(nodes);
        try (ForebayFile file =
            nodes.create(path.getLast(), FILE, List.of(CREATE_NEW, WRITE), 0644)) {
          file.write(ByteBuffer.allocate(100), 0);
        }
        assertThat(client.drain("/").files()).isEqualTo(1);
        assertThat(client.ledger().entries()).hasSize(1);
        assertServing(cluster, admin);

        // Another server takes the tree over and builds it from the journal.
        cluster.stop(0);
        assertListed(nodes, path);
        assertThat(client.drain("/").files()).isEqualTo(1);
        cluster.start(0);

        remove(nodes, path);
        assertThat(nodes.list(path.getFirst(), "", 10).entries()).isEmpty();
        assertThat(client.drain("/").files()).isZero();
        Eventually.await(() -> !admin.map().seats().getFirst().away());
        assertServing(cluster, admin);
      }
    }
  }

  /** Makes the directories, and gives their numbers from the root on. */
  private static List<Long> nest(Nodes nodes) throws IOException {
    List<Long> path = new ArrayList<>(List.of(nodes.root()));
    for (int i = 0; i < DEPTH; i++) path.add(nodes.mkdir(path.getLast(), NAME, 0755).number());
    return path;
  }

  private static void assertListed(Nodes nodes, List<Long> path) throws IOException {
    for (int depth = 0; depth < path.size(); depth++) {
      NodePage page = nodes.list(path.get(depth), "", 10);
      assertThat(page.entries()).as("at depth " + depth).hasSize(1);
    }
  }

  private static void remove(Nodes nodes, List<Long> path) throws IOException {
    nodes.unlink(path.getLast(), FILE);
    for (int depth = path.size() - 2; depth >= 0; depth--) nodes.rmdir(path.get(depth), NAME);
  }

  private static void assertServing(EmbeddedCluster cluster, Cluster admin) throws IOException {
    assertThat(cluster.failure()).isNull();
    for (SeatEntry seat : admin.map().seats()) {
      assertThat(admin.seatStatus(seat.id()).seat()).isEqualTo(seat.id());
    }
  }
}
