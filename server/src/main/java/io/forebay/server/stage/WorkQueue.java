// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import io.forebay.client.stage.StageNote;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Work of one stage that waits for a server. The walk through the source adds to it and waits while
 * there is much, so that memory does not depend on the number of files. Any thread.
 */
final class WorkQueue {
  /** Work for another server. */
  record ForOther(Work work, StageNote.Task task) {}

  private static final int WAITING_MAX = 64;

  /**
   * With less work than this for each thread of this server, work is divided when it is taken, so
   * that all servers end at nearly the same time.
   */
  private static final int FEW_PER_THREAD = 4;

  /** How often it looks whether the stage has ended. */
  private static final long LOOK_MILLIS = 200;

  private final ArrayDeque<Work> waiting = new ArrayDeque<>();

  /** Work that is added and not over. */
  private int open;

  private boolean complete;
  private final int few;
  private final BooleanSupplier ended;

  /**
   * An empty queue.
   *
   * @param threads how many threads of this server take work
   * @param ended whether nothing more is to be begun
   */
  WorkQueue(int threads, BooleanSupplier ended) {
    this.few = FEW_PER_THREAD * threads;
    this.ended = ended;
  }

  /** Adds work at the end, unless the stage has ended. */
  synchronized void add(Work work) throws InterruptedException {
    while (waiting.size() >= WAITING_MAX && !ended.getAsBoolean()) wait(LOOK_MILLIS);
    open++;
    waiting.addLast(work);
    notifyAll();
  }

  /** Adds work that follows from other work, at the front and without waiting. */
  synchronized void addNext(Work work) {
    open++;
    waiting.addFirst(work);
    notifyAll();
  }

  /** The next work for this server; null when everything is over, or stopped. */
  synchronized @Nullable Work take() throws InterruptedException {
    while (waiting.isEmpty() && !isOver()) wait(LOOK_MILLIS);
    if (ended.getAsBoolean()) return null;
    Work next = waiting.pollFirst();
    if (next != null) split(next);
    notifyAll();
    return next;
  }

  /** The next work that another server can do, or null. */
  synchronized @Nullable ForOther takeForOther() {
    for (Iterator<Work> each = waiting.iterator(); each.hasNext(); ) {
      Work work = each.next();
      StageNote.Task whole = work.task();
      if (whole == null) continue;
      each.remove();
      StageNote.Task task = split(work) ? work.task() : whole;
      notifyAll();
      if (task != null) return new ForOther(work, task);
      waiting.addFirst(work);
      return null;
    }
    return null;
  }

  /** Leaves a part of work that is taken to others if little is left. */
  private boolean split(Work taken) {
    Work rest = waiting.size() < few ? taken.split() : null;
    if (rest == null) return false;
    open++;
    waiting.addLast(rest);
    return true;
  }

  /**
   * Waits until long work waits: then other servers are wanted at once. Returns whether there is
   * such work; false after {@code millis}, or when everything is over.
   */
  synchronized boolean awaitLong(long millis) throws InterruptedException {
    await(millis, () -> isOver() || hasLong());
    return !isOver() && hasLong();
  }

  private boolean hasLong() {
    return waiting.stream().anyMatch(Work::isLong);
  }

  /** Waits until everything is over, at most {@code millis}; returns whether it is. */
  synchronized boolean awaitOver(long millis) throws InterruptedException {
    await(millis, this::isOver);
    return isOver();
  }

  /** With the lock. */
  private void await(long millis, BooleanSupplier what) throws InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!what.getAsBoolean()) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (leftMillis <= 0) return;
      wait(Math.min(leftMillis, LOOK_MILLIS));
    }
  }

  synchronized int waiting() {
    return waiting.size();
  }

  /** A server has done it, or all that follows from it has been added. */
  synchronized void over() {
    open--;
    notifyAll();
  }

  /** The walk has added everything. */
  synchronized void complete() {
    complete = true;
    notifyAll();
  }

  synchronized boolean isOver() {
    return ended.getAsBoolean() || (complete && open == 0);
  }
}
