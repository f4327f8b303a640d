// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testing.TestSeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Threads that take turns in writing one file from front to back, as those of a mount do. */
class ManyWritersTest extends ConnectedTest {
  private static final int THREADS = 6;
  private static final int WRITE_BYTES_MIN = 4 * 1024;
  private static final int WRITE_BYTES_MAX = 128 * 1024;

  private final long seed = TestSeed.first("ManyWritersTest");
  private final byte[] bytes = bytes(16 * 1024 * 1024, 1);
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Object turn = new Object();
  private int writtenBytes;

  ManyWritersTest() {
    super(2, 1);
  }

  @Test
  void aSyncByAnyOfThemPublishesAllThatWasWrittenBefore() throws Exception {
    try (ForebayFile file = client.open("/f", READ, WRITE, CREATE);
        Forebay other = Forebay.connect(server.uri());
        ForebayFile seen = other.open("/f", READ)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(seed + i);
        Thread thread = new Thread(() -> write(file, seen, random));
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) thread.join();
      assertThat(failures).as("-Dforebay.seed=%d", seed).isEmpty();
      file.sync();
      assertThat(read(seen, bytes.length)).as("-Dforebay.seed=%d", seed).isEqualTo(bytes);
    }
  }

  private void write(ForebayFile file, ForebayFile seen, Random random) {
    try {
      while (writeNext(file, random)) {
        if (random.nextInt(20) > 0) continue;
        int before;
        synchronized (turn) {
          before = writtenBytes;
        }
        file.sync();
        byte[] found = read(seen, before);
        assertThat(Arrays.equals(found, 0, before, bytes, 0, before)).isTrue();
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      failures.add(e);
    }
  }

  /** One after the other, as the kernel hands out the writes of one program. */
  private boolean writeNext(ForebayFile file, Random random) throws IOException {
    synchronized (turn) {
      int wanted = WRITE_BYTES_MIN + random.nextInt(WRITE_BYTES_MAX - WRITE_BYTES_MIN + 1);
      int length = Math.min(bytes.length - writtenBytes, wanted);
      if (length == 0) return false;
      file.write(ByteBuffer.wrap(bytes, writtenBytes, length), writtenBytes);
      writtenBytes += length;
      return true;
    }
  }

  private static byte[] read(ForebayFile file, int length) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length);
    int count = file.read(target, 0);
    return Arrays.copyOf(target.array(), Math.max(0, count));
  }

  private static byte[] bytes(int count, long seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
