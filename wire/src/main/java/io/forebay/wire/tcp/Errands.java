// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A thread for what a loop must not wait for: names to resolve, files to read. It lives only while
 * there is work. Any thread.
 */
final class Errands implements Executor, AutoCloseable {
  private static final int WAITING_MAX = 1024;
  private static final long IDLE_SECONDS = 5;

  private final ThreadPoolExecutor thread;

  /** Starts no thread yet. */
  Errands() {
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> {
              Thread worker = new Thread(task, "forebay-errands");
              worker.setDaemon(true);
              return worker;
            });
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs something later.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too much waits already
   */
  @Override
  public void execute(Runnable errand) {
    thread.execute(errand);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
