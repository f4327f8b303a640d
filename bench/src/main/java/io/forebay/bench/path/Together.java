// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The same work by several threads that begin at the same moment. */
final class Together {
  /** The work of one of them. */
  interface Part {
    void run(int index) throws IOException;
  }

  /** Work with something to prepare by its thread, which is not timed. */
  interface PreparedPart {
    Prepared prepare(int index) throws IOException;
  }

  /** What was prepared. It is closed in any case. */
  interface Prepared extends AutoCloseable {
    void run() throws IOException;

    @Override
    void close();
  }

  private Together() {}

  /** Runs all parts; returns the time from their start to the end of the last. */
  static long nanos(int threads, Part part) throws IOException, InterruptedException {
    return preparedNanos(threads, index -> plain(part, index));
  }

  private static Prepared plain(Part part, int index) {
    return new Prepared() {
      @Override
      public void run() throws IOException {
        part.run(index);
      }

      @Override
      public void close() {
        // Nothing was prepared.
      }
    };
  }

  /** The same, from the moment when all are prepared. */
  static long preparedNanos(int threads, PreparedPart part)
      throws IOException, InterruptedException {
    CountDownLatch ready = new CountDownLatch(threads);
    CountDownLatch start = new CountDownLatch(1);
    long[] ends = new long[threads];
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int index = i;
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .name("path-" + index)
              .unstarted(() -> ends[index] = endNanos(part, index, ready, start));
      thread.setUncaughtExceptionHandler((where, failed) -> failure.compareAndSet(null, failed));
      thread.start();
      all.add(thread);
    }
    ready.await();
    long before = System.nanoTime();
    start.countDown();
    for (Thread each : all) each.join();
    Throwable failed = failure.get();
    if (failed != null) throw new IOException(String.valueOf(failed.getMessage()), failed);
    long last = before;
    for (long end : ends) if (end - last > 0) last = end;
    return last - before;
  }

  private static long endNanos(
      PreparedPart part, int index, CountDownLatch ready, CountDownLatch start) {
    try (Prepared prepared = prepared(part, index, ready)) {
      start.await();
      prepared.run();
      return System.nanoTime();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static Prepared prepared(PreparedPart part, int index, CountDownLatch ready)
      throws IOException {
    try {
      return part.prepare(index);
    } finally {
      ready.countDown();
    }
  }
}
