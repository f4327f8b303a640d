package io.forebay.store.disk;

import io.forebay.store.disk.Disk.Completion;
import io.forebay.store.disk.Disk.Outcome;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The way back from whoever carries requests out to the disk's owner. Any thread may {@link
 * #answer}; everything else is called by the owner only.
 */
final class Answers {
  private record Answer(Completion completion, Outcome outcome) {}

  private final int pendingMax;
  private final Runnable wakeUp;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  // Guarded by the lock. Never longer than pendingMax, since each answer was expected first.
  private final Queue<Answer> due = new ArrayDeque<>();
  // The owner's alone: it counts up on submission and down on delivery.
  private int pending;

  Answers(int pendingMax, Runnable wakeUp) {
    if (pendingMax <= 0) throw new IllegalArgumentException("pendingMax " + pendingMax);
    this.pendingMax = pendingMax;
    this.wakeUp = wakeUp;
  }

  /** Makes room for one more answer; to be called before its request is handed on. */
  void expect() {
    if (pending == pendingMax) {
      throw new IllegalStateException("more than " + pendingMax + " requests pending");
    }
    pending++;
  }

  /**
   * Queues an answer and wakes the owner, every time: an owner that is just leaving poll would miss
   * a wake-up that is only given for the first answer.
   */
  void answer(Completion completion, Outcome outcome) {
    lock.lock();
    try {
      due.add(new Answer(completion, outcome));
      arrived.signal();
    } finally {
      lock.unlock();
    }
    wakeUp.run();
  }

  /** Delivers what is due now; what completions bring about is left to the next poll. */
  int poll() {
    int dueAtCall = dueCount();
    for (int delivered = 0; delivered < dueAtCall; delivered++) {
      Answer answer = next();
      if (answer == null) return delivered; // a completion has closed the disk
      pending--;
      answer.completion.completed(answer.outcome);
    }
    return dueAtCall;
  }

  int pending() {
    return pending;
  }

  void await(long timeoutNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long leftNanos = timeoutNanos;
      while (due.isEmpty() && leftNanos > 0) leftNanos = arrived.awaitNanos(leftNanos);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what was asked and what was answered. */
  void abandon() {
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

  private @Nullable Answer next() {
    lock.lock();
    try {
      return due.poll();
    } finally {
      lock.unlock();
    }
  }
}
