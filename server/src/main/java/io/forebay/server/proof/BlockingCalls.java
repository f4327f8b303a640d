// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import io.forebay.base.Answers;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Calls that may block, made for a loop by one thread of their own. The loop calls everything; its
 * answers come from {@link #poll}.
 */
final class BlockingCalls implements AutoCloseable {
  private static final long IDLE_SECONDS = 5;

  private final Answers answers;
  private final ThreadPoolExecutor thread;

  /**
   * Without any call.
   *
   * @param pendingMax the maximum of calls that are not answered
   * @param wakeUp lets the loop poll soon
   */
  BlockingCalls(String name, int pendingMax, Runnable wakeUp) {
    this.answers = new Answers(pendingMax, wakeUp);
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(pendingMax),
            task -> Thread.ofPlatform().daemon().name(name).unstarted(task));
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * Makes a call; returns false if too many are pending.
   *
   * @param failed the answer to a call that broke
   */
  <T> boolean ask(Supplier<T> call, T failed, Consumer<T> answer) {
    if (answers.room() == 0) return false;
    answers.expect();
    thread.execute(
        () -> {
          T result = failed;
          try {
            result = call.get();
          } finally {
            T told = result;
            answers.answer(() -> answer.accept(told));
          }
        });
    return true;
  }

  /** Delivers answers; returns whether there were any. */
  boolean poll() {
    return answers.poll() > 0;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
