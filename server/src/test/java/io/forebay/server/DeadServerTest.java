// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Forebay;
import io.forebay.testing.TestSeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is gone for good: the others go on, and so do clients. */
@Timeout(300)
class DeadServerTest {
  private static final long MIB = 1 << 20;

  @Test
  void writesAndReadsGoOn() throws Exception {
    for (int gone = 0; gone < 3; gone++) {
      Workload work = new Workload("work", TestSeed.next("DeadServerTest"));
      try (EmbeddedCluster cluster =
              EmbeddedCluster.builder()
                  .servers(3)
                  .copies(2)
                  .segmentBytes((int) MIB)
                  .budget(16 * MIB, 32 * MIB)
                  .start();
          Forebay client = Forebay.connect(cluster.uri())) {
        work.write(client, 4);
        cluster.stop(gone);
        work.write(client, 4);
        work.check(client);
        try (Forebay other = Forebay.connect(cluster.uri())) {
          work.check(other);
        }
        assertThat(cluster.failure()).isNull();
      }
    }
  }
}
