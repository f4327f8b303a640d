// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.client.fake.FakeRing;
import io.forebay.testing.TestSeed;
import io.forebay.wire.message.Data;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Small writes that wait in the client for an acknowledgement, when the file is opened again. */
@Timeout(60)
class GatheredWritesTest extends ConnectedTest {
  /** Without the right order one round in about 900 failed. */
  private static final int ROUNDS = 5_000;

  GatheredWritesTest() {
    super(3, 2);
  }

  @Test
  void areCutByAnOpenThatTruncates() throws Exception {
    try (ForebayFile file = client.open("/e", WRITE, CREATE)) {
      gather(file);
      CompletableFuture<ForebayFile> opening =
          CompletableFuture.supplyAsync(() -> open("/e", WRITE, TRUNCATE_EXISTING));
      try {
        opening.get(300, TimeUnit.MILLISECONDS);
      } catch (TimeoutException waits) {
        // It waits for the acknowledgements, as it may.
      }
      acknowledge();
      opening.get().close();
      file.sync();
      assertThat(file.size()).isZero();
    }
  }

  @Test
  void countAsPartOfTheFileThatIsOpened() throws Exception {
    try (ForebayFile file = client.open("/e", WRITE, CREATE)) {
      gather(file);
      try (ForebayFile again = client.open("/e", READ)) {
        acknowledge();
        assertThat(again.openedStat().sizeBytes()).isEqualTo(5_217);
      }
    }
  }

  /** A thread that hands gathered bytes to the loop must not be overtaken by one that cuts. */
  @Test
  void areCutByATruncationAtAnyMoment() throws Exception {
    SplittableRandom random = new SplittableRandom(TestSeed.first("GatheredWritesTest"));
    try (ForebayFile file = client.open("/e", WRITE, CREATE)) {
      for (int round = 0; round < ROUNDS; round++) {
        file.write(ByteBuffer.allocate(100), 0);
        file.write(ByteBuffer.allocate(3_000 + random.nextInt(60_000)), 100);
        long until = System.nanoTime() + random.nextInt(400_000);
        while (System.nanoTime() < until) Thread.onSpinWait();
        file.truncate(50);
        assertThat(file.size()).as("round %d", round).isEqualTo(50);
      }
    }
  }

  /** Lets a first write go without an answer, so that the next one stays in the client. */
  private void gather(ForebayFile file) throws IOException {
    server.on(
        ring -> {
          ring.meddle((seat, asked) -> asked instanceof Data.Put ? FakeRing.SILENCE : null);
          return true;
        });
    file.write(ByteBuffer.allocate(154), 0);
    file.write(ByteBuffer.allocate(5_063), 154);
  }

  private void acknowledge() {
    server.on(
        ring -> {
          ring.meddle((seat, asked) -> null);
          List<Data.Put> puts = new ArrayList<>();
          for (Object each : ring.received) if (each instanceof Data.Put put) puts.add(put);
          for (int i = 0; i < ring.kept.size(); i++) {
            ring.kept.get(i).accept(new Data.PutDone(puts.get(i).record()));
          }
          return true;
        });
  }

  private ForebayFile open(String path, OpenOption... options) {
    try {
      return client.open(path, options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
