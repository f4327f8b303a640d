// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.failover;

import io.forebay.base.MonotonicClock;
import io.forebay.bench.Rate;
import io.forebay.client.Forebay;
import io.forebay.client.ForebayFile;
import io.forebay.client.ForebayOptions;
import io.forebay.server.ring.SlowOperations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Clients that work without a pause: some replace files, others replace pairs and read them. Each
 * remembers which of its operations were slow, and when. One thread uses it; the clients have their
 * own.
 */
final class SteadyLoad implements AutoCloseable {
  /** Longer than any fault lasts. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final int FILES = 8;
  private static final int FILE_BYTES = 4 << 20;
  private static final int WRITE_BYTES = 1 << 20;
  private static final int VALUE_BYTES = 16 << 10;
  private static final int KEYS = 64;

  /** Something to do on the ring, again and again. */
  private interface Operation {
    void run() throws IOException;
  }

  private final class Worker implements Runnable {
    private final Forebay client;
    private final boolean files;
    private final int number;
    private final SlowOperations slow = new SlowOperations();
    private final Thread thread;

    Worker(Forebay client, boolean files, int number) {
      this.client = client;
      this.files = files;
      this.number = number;
      this.thread = Thread.ofPlatform().name("load-" + number).unstarted(this);
    }

    @Override
    public void run() {
      ByteBuffer content = ByteBuffer.allocate(WRITE_BYTES);
      for (int i = 0; content.hasRemaining(); i++) content.putLong(number * 31L + i);
      content.flip();
      try (client) {
        for (int round = 0; !ending; round++) {
          if (files) replaceFile("/load-" + number + "-" + round % FILES, content);
          else replacePair("load-" + number + "-" + round % KEYS, content);
        }
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
    }

    private void replaceFile(String path, ByteBuffer content) throws IOException {
      List<ForebayFile> opened = new ArrayList<>(1);
      timed(
          () ->
              opened.add(
                  client.open(
                      path,
                      StandardOpenOption.CREATE,
                      StandardOpenOption.TRUNCATE_EXISTING,
                      StandardOpenOption.WRITE)));
      ForebayFile file = opened.getFirst();
      for (long offset = 0; offset < FILE_BYTES; offset += WRITE_BYTES) {
        long at = offset;
        timed(() -> file.write(content.duplicate(), at));
      }
      timed(file::close);
      acknowledgedBytes.addAndGet(FILE_BYTES);
    }

    private void replacePair(String key, ByteBuffer content) throws IOException {
      timed(() -> client.pairs().put(key, content.duplicate().limit(VALUE_BYTES)));
      acknowledgedBytes.addAndGet(VALUE_BYTES);
      timed(
          () -> {
            if (client.pairs().get(key) == null) throw new IOException(key + " is lost");
          });
    }

    private void timed(Operation operation) throws IOException {
      long startNanos = clock.nanos();
      operation.run();
      slow.took(startNanos, clock.nanos());
    }
  }

  private final MonotonicClock clock;
  private final AtomicLong acknowledgedBytes = new AtomicLong();
  private final List<Worker> workers = new ArrayList<>();
  private volatile boolean ending;
  private volatile @Nullable Exception failure;

  /** Connects clients; they work at once. */
  SteadyLoad(MonotonicClock clock, String uri, int fileWriters, int pairWriters)
      throws IOException {
    this.clock = clock;
    ForebayOptions options = ForebayOptions.defaults().withTimeout(TIMEOUT);
    for (int i = 0; i < fileWriters + pairWriters; i++) {
      workers.add(new Worker(Forebay.connect(uri, options), i < fileWriters, i));
    }
    for (Worker worker : workers) worker.thread.start();
  }

  /** The bytes acknowledged and published so far. */
  long acknowledgedBytes() throws IOException {
    Exception failed = failure;
    if (failed != null) throw new IOException("a client failed: " + failed.getMessage(), failed);
    return acknowledgedBytes.get();
  }

  /** How much is acknowledged and published from now on. */
  double mibPerSecond(int millis) throws IOException, InterruptedException {
    long startBytes = acknowledgedBytes();
    long startNanos = clock.nanos();
    Thread.sleep(millis);
    return Rate.mibPerSecond(acknowledgedBytes() - startBytes, clock.nanos() - startNanos);
  }

  /** For each client the longest of its operations that fell into that time. */
  List<Double> longestSeconds(long fromNanos, long toNanos) {
    return workers.stream().map(worker -> worker.slow.longestSeconds(fromNanos, toNanos)).toList();
  }

  @Override
  public void close() throws IOException {
    ending = true;
    for (Worker worker : workers) {
      try {
        worker.thread.join(TIMEOUT);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }
}
