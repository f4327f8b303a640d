// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seats that have as little memory as they may, and far more to take: each sends copies to the
 * next, all around the ring, and none may wait for the other's memory forever.
 */
@Timeout(300)
class LeastMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int WRITERS = 4;
  private static final int FILE_MIB = 16;

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void everythingIsTaken(int copies) throws Exception {
    EmbeddedCluster.Builder asked =
        EmbeddedCluster.builder()
            .copies(copies)
            .segmentBytes(MIB)
            .budget(6 * MIB, 2L * copies * WRITERS * FILE_MIB * MIB);
    try (EmbeddedCluster cluster = asked.start();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      List<Callable<Long>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        String path = "/file-" + i;
        writers.add(() -> write(cluster.uri(), path));
      }
      for (Future<Long> written : threads.invokeAll(writers)) {
        assertThat(written.get(1, TimeUnit.SECONDS)).isEqualTo((long) FILE_MIB * MIB);
      }
      assertThat(cluster.failure()).isNull();
    }
  }

  private static long write(String uri, String path) throws Exception {
    try (Forebay client = Forebay.connect(uri);
        ForebayFile file = client.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(MIB);
      for (int i = 0; i < FILE_MIB; i++) file.write(bytes.clear(), (long) i * MIB);
      file.sync();
      return client.stat(path).sizeBytes();
    }
  }
}
