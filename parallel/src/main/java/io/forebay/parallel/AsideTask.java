// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

/** A task on a thread of its own, whose end wakes all threads that wait with the lock. */
final class AsideTask implements Operation {
  private final Object lock;
  private final Runnable task;
  private boolean done;

  AsideTask(Object lock, Runnable task) {
    this.lock = lock;
    this.task = task;
  }

  void start() {
    Thread.ofPlatform().daemon().name("rank-task").start(this::run);
  }

  private void run() {
    try {
      task.run();
    } finally {
      synchronized (lock) {
        done = true;
        lock.notifyAll();
      }
    }
  }

  @Override
  public boolean isDone() {
    synchronized (lock) {
      return done;
    }
  }
}
