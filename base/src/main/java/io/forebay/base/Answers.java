// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The way back from the workers that carry out requests to the loop that asked. Any thread may
 * {@link #answer}; everything else is called by the owner only.
 */
public final class Answers {
  private final int pendingMax;
  private final Runnable wakeUp;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  // Guarded by the lock. Never longer than pendingMax, since each answer was expected first.
  private final Queue<Runnable> due = new ArrayDeque<>();
  // The owner's alone: it counts up on submission and down on delivery.
  private int pending;

  /**
   * Nothing is expected yet.
   *
   * @param pendingMax more unanswered requests than this are a mistake of the owner
   * @param wakeUp called by the answering thread, after each answer
   */
  public Answers(int pendingMax, Runnable wakeUp) {
    if (pendingMax <= 0) throw new IllegalArgumentException("pendingMax " + pendingMax);
    this.pendingMax = pendingMax;
    this.wakeUp = wakeUp;
  }

  /** Makes room for one more answer; to be called before its request is handed on. */
  public void expect() {
    if (pending == pendingMax) {
      throw new IllegalStateException("more than " + pendingMax + " requests pending");
    }
    pending++;
  }

  /**
   * Queues an answer and wakes the owner, every time: an owner that is just leaving poll would miss
   * a wake-up that is only given for the first answer.
   *
   * @param delivery run by the owner's {@link #poll}
   */
  public void answer(Runnable delivery) {
    lock.lock();
    try {
      due.add(delivery);
      arrived.signal();
    } finally {
      lock.unlock();
    }
    wakeUp.run();
  }

  /**
   * Delivers answers that are due now; answers to requests made during delivery wait for the next
   * poll.
   */
  public int poll() {
    int dueAtCall = dueCount();
    for (int delivered = 0; delivered < dueAtCall; delivered++) {
      Runnable delivery = next();
      if (delivery == null) return delivered; // a delivery has abandoned the rest
      pending--;
      delivery.run();
    }
    return dueAtCall;
  }

  public int pending() {
    return pending;
  }

  /** How many more requests may be made now. */
  public int room() {
    return pendingMax - pending;
  }

  /** Waits until an answer is due, at most so long. */
  public void await(long timeoutNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long leftNanos = timeoutNanos;
      while (due.isEmpty() && leftNanos > 0) leftNanos = arrived.awaitNanos(leftNanos);
    } finally {
      lock.unlock();
    }
  }

  /** Drops all requests and answers. */
  public void abandon() {
    lock.lock();
    try {
      due.clear();
    } finally {
      lock.unlock();
    }
    pending = 0;
  }

  private int dueCount() {
    lock.lock();
    try {
      return due.size();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Runnable next() {
    lock.lock();
    try {
      return due.poll();
    } finally {
      lock.unlock();
    }
  }
}
