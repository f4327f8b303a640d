// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A terminal and {@code timeout} send their signals to a parent and to its children. The parent
 * ends its children in order, by closing their input: until then this keeps a child from ending.
 */
final class OrderlyChild implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final CountDownLatch ended = new CountDownLatch(1);

  private OrderlyChild() {}

  /** From here on a signal ends the process only after {@link #close}. */
  static OrderlyChild begin() {
    OrderlyChild child = new OrderlyChild();
    Runtime.getRuntime().addShutdownHook(new Thread(child::await, "orderly-end"));
    return child;
  }

  private void await() {
    try {
      if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("forebay: the parent of a process that was told to end goes on");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
