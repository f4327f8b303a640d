// SPDX-License-Identifier: Apache-2.0

package io.forebay.consensus.ratis;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * What the engine's threads want done on the owner's loop, in order. {@link #run} is for the loop,
 * {@link #put} and {@link #reserve} for any other thread.
 *
 * <p>Entries to apply are bounded by their bytes: the engine's thread that applies waits for room.
 * All else is rare and never waits, since the engine calls with its locks held.
 */
final class LoopQueue {
  /** The bytes of entries that wait to be applied. */
  static final int BYTES_MAX = 16 * 1024 * 1024;

  /** What an entry counts at least, so that their number is bounded, too. */
  static final int ENTRY_BYTES_MIN = 4 * 1024;

  private static final int ACTIONS_PER_RUN = 256;

  private final ConcurrentLinkedQueue<Runnable> actions = new ConcurrentLinkedQueue<>();
  private final Semaphore room = new Semaphore(BYTES_MAX);
  private final Runnable wakeUp;
  private volatile boolean closed;

  LoopQueue(Runnable wakeUp) {
    this.wakeUp = wakeUp;
  }

  void put(Runnable action) {
    actions.add(action);
    wakeUp.run();
  }

  /** Waits for the room of an entry, which {@link #release} gives back. */
  void reserve(int bytes) {
    if (!closed) room.acquireUninterruptibly(counted(bytes));
  }

  void release(int bytes) {
    room.release(counted(bytes));
  }

  private static int counted(int bytes) {
    return Math.min(Math.max(bytes, ENTRY_BYTES_MIN), BYTES_MAX);
  }

  /** Runs some actions; returns whether there were any. */
  boolean run() {
    for (int i = 0; i < ACTIONS_PER_RUN; i++) {
      Runnable action = actions.poll();
      if (action == null) return i > 0;
      action.run();
    }
    // The rest must not wait until the loop is woken again.
    wakeUp.run();
    return true;
  }

  /** No thread waits for room any more. */
  void close() {
    closed = true;
    room.release(BYTES_MAX);
  }
}
