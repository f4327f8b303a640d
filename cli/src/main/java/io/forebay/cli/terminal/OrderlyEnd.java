// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.terminal;

import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command clean up when Ctrl-C or a signal stops this process: {@link #check} tells the
 * command, and the process waits until this is closed. Closed by the thread that began it.
 */
public final class OrderlyEnd implements AutoCloseable {
  /** How long the process waits for the command at most. */
  private static final long WAIT_SECONDS_MAX = 10;

  private final Thread command = Thread.currentThread();
  private final Thread hook = new Thread(this::end, "orderly-end");
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean told;

  private OrderlyEnd() {}

  public static OrderlyEnd begin() {
    OrderlyEnd end = new OrderlyEnd();
    Runtime.getRuntime().addShutdownHook(end.hook);
    return end;
  }

  /** Throws if the process is being stopped; clears the interrupt that came with it. */
  public void check() throws InterruptedIOException {
    if (!told) return;
    Thread.interrupted();
    throw new InterruptedIOException("interrupted");
  }

  /** Whether the process is being stopped. */
  public boolean isTold() {
    return told;
  }

  private void end() {
    told = true;
    // It may wait for a terminal or a pipe.
    command.interrupt();
    try {
      closed.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    if (told) return;
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      told = true; // It runs, and has just been released.
    }
  }
}
