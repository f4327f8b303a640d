// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.server.machine.FailStop;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** How a process ends: by a call of close, or by an internal failure. Any thread. */
final class Ending implements LoopThread.Watcher {
  private final FailStop failStop;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable String reason;

  Ending(FailStop failStop) {
    this.failStop = failStop;
  }

  @Override
  public void failing(String loop, Throwable failure) {
    failStop.failed(loop, failure);
  }

  @Override
  public void failed(String loop, Throwable failure) {
    reason = loop + " has failed: " + failure;
    ended.countDown();
  }

  /** It cannot go on, for a reason that is no internal error. */
  void stopped(String sentence) {
    reason = sentence;
    ended.countDown();
  }

  void closed() {
    ended.countDown();
  }

  /** The failure, or null. */
  @Nullable String reason() {
    return reason;
  }

  /** Waits for the end; gives what failed, or null. */
  @Nullable String await() throws InterruptedException {
    ended.await();
    return reason;
  }
}
