// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.threaded;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.base.Answers;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries requests out on a few daemon threads of its own. It owns the store and closes it. Called
 * by its owner's loop only.
 */
public final class ThreadedBacking implements Backing {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadedBacking.class);

  /** How long closing waits for the operations that are running; a store may hang. */
  private static final long CLOSE_WAIT_SECONDS = 10;

  private final BackingStore store;
  private final Answers answers;
  // Its queue holds no more than the pending requests, which Answers bounds.
  private final ThreadPoolExecutor threads;
  private boolean closed;

  /**
   * Takes the store over. Threads start when they are needed, and end when they are not.
   *
   * @param threadCount how many requests are carried out at a time
   * @param pendingMax more unanswered requests than this are a mistake of the owner
   * @param wakeUp called from the threads whenever a completion has become due
   */
  public ThreadedBacking(BackingStore store, int threadCount, int pendingMax, Runnable wakeUp) {
    this.store = store;
    this.answers = new Answers(pendingMax, wakeUp);
    this.threads =
        new ThreadPoolExecutor(
            threadCount,
            threadCount,
            60,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("backing-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public String description() {
    return store.description();
  }

  @Override
  public Capabilities capabilities() {
    return store.capabilities();
  }

  @Override
  public <T> void submit(Operation<T> operation, Completion<T> completion) {
    if (closed) throw new IllegalStateException(description() + ": closed");
    answers.expect();
    threads.execute(
        () -> {
          try {
            Answer<T> answer = carryOut(operation);
            answers.answer(() -> completion.completed(answer));
          } catch (OutOfMemoryError broken) {
            Answer<T> failed = broke(broken);
            answers.answer(() -> completion.completed(failed));
            // Thrown on, for the process to end by it.
            throw broken;
          }
        });
  }

  @Override
  public int poll() {
    return answers.poll();
  }

  @Override
  public int pending() {
    return answers.pending();
  }

  @Override
  public int room() {
    return answers.room();
  }

  @Override
  public void await(long timeoutNanos) throws InterruptedException {
    answers.await(timeoutNanos);
  }

  @Override
  public void close() {
    if (closed) return;
    closed = true;
    // Not shutdownNow: an interrupt would break the channel of the operation that is running.
    threads.getQueue().clear();
    threads.shutdown();
    boolean stopped = awaitThreads();
    answers.abandon();
    if (stopped) store.close();
    else LOG.warn("{}: an operation hangs; the store stays open", description());
  }

  /** Always returns an answer: an owner whose request is never answered would wait forever. */
  private <T> Answer<T> carryOut(Operation<T> operation) {
    try {
      return new Answer.Done<>(operation.on(store));
    } catch (BackingException failed) {
      return new Answer.Failed<>(failed.failure());
    } catch (OutOfMemoryError broken) {
      throw broken;
    } catch (RuntimeException | Error broken) {
      return broke(broken);
    }
  }

  private <T> Answer<T> broke(Throwable cause) {
    LOG.error("{}: a request broke", description(), cause);
    return new Answer.Failed<>(
        new BackingFailure.Other(description() + ": a request broke: " + cause));
  }

  private boolean awaitThreads() {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_WAIT_SECONDS);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return threads.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupt) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }
}
