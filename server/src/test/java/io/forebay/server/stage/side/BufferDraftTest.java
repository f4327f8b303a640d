// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage.side;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Cluster;
import io.forebay.client.Forebay;
import io.forebay.client.InstanceOptions;
import io.forebay.server.EmbeddedCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Drafts of a stage that several servers write. */
@Timeout(120)
class BufferDraftTest {
  private static final int MIB = 1 << 20;

  /** A server that died still has its section open, as far as the other servers know. */
  @Test
  void aRemovedDraftTakesNoRoomAlthoughAnotherServerHasItOpen() throws Exception {
    try (EmbeddedCluster cluster =
            EmbeddedCluster.builder()
                .servers(2)
                .segmentBytes(MIB)
                .granuleBytes(MIB)
                .budget(32L * MIB, 32L * MIB)
                .withoutInstance()
                .start();
        Cluster admin = Cluster.connect(cluster.uri(""))) {
      admin.createInstance("small", InstanceOptions.defaults().withCapacityBytes(8L * MIB));
      try (Forebay walks = Forebay.connect(cluster.uri("small"));
          Forebay helps = Forebay.connect(cluster.uri("small"))) {
        StageDirectory root = new BufferSide(walks).at("/");
        StageDirectory seenByHelper = new BufferSide(helps).at("/");
        StageDirectory.Draft first = root.draft("first");
        root.draft("second");
        try (StageDirectory.Section one = seenByHelper.section("first");
            StageDirectory.Section two = seenByHelper.section("second")) {
          one.write(new byte[2 * MIB], 2 * MIB, 0);
          one.keep();
          two.write(new byte[2 * MIB], 2 * MIB, 0);
          two.keep();
          assertThat(walks.usage().usedBytes()).isGreaterThanOrEqualTo(4L * MIB);
          first.close();
          root.remove("second");
          assertThat(walks.usage().usedBytes()).isLessThan(MIB);
        }
        assertThat(root.look("first")).isNull();
        assertThat(root.look("second")).isNull();
      }
    }
  }
}
