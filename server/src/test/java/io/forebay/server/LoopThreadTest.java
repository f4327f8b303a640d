// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Timers;
import io.forebay.server.machine.FailStop;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a loop starts, sleeps, and ends, well or not. */
@Timeout(60)
class LoopThreadTest {
  private static final class Counting implements LoopThread.Core {
    private final AtomicInteger polls = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean failing;

    @Override
    public boolean poll() {
      if (failing) throw new IllegalStateException("broken on purpose");
      polls.incrementAndGet();
      return false;
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  @Test
  void timersRunUntilItIsClosed() throws Exception {
    Ending ending = new Ending(FailStop.NONE);
    CountDownLatch ticks = new CountDownLatch(3);
    LoopThread<Counting> loop =
        LoopThread.start(
            "test",
            null,
            (network, timers) -> {
              tick(timers, ticks);
              return new Counting();
            },
            ending);
    ticks.await();
    loop.close();
    assertThat(loop.opened().closed.getCount()).isZero();
    assertThat(loop.opened().polls.get()).isPositive();
    assertThat(loop.failure()).isNull();
    assertThat(ending.reason()).isNull();
  }

  private static void tick(Timers timers, CountDownLatch ticks) {
    timers.after(
        1_000_000,
        () -> {
          ticks.countDown();
          tick(timers, ticks);
        });
  }

  @Test
  void anErrorEndsItVisibly() throws Exception {
    Ending ending = new Ending(FailStop.NONE);
    try (LoopThread<Counting> loop =
        LoopThread.start("seat 1 of x", null, (network, timers) -> new Counting(), ending)) {
      loop.opened().failing = true;
      loop.wakeUp();
      assertThat(ending.await()).contains("seat 1 of x has failed", "broken on purpose");
      assertThat(loop.opened().closed.getCount()).isZero();
      assertThat(loop.failure()).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void whatCannotStartSaysWhy() throws IOException {
    try (LoopThread<Counting> loop =
        LoopThread.start(
            "test",
            null,
            (network, timers) -> {
              throw new StartFailed("no room; make some");
            },
            new Ending(FailStop.NONE))) {
      assertThatThrownBy(loop::opened)
          .isInstanceOf(StartFailed.class)
          .hasMessage("no room; make some");
    }
  }
}
