// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.base.MonotonicClock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that jumps from event to event, and the coroutines that it wakes. Coroutines are virtual
 * threads with one baton between them: a coroutine that waits takes the next events from the queue,
 * runs their actions itself, and hands the baton over when an event wakes another coroutine. Events
 * of the same time are taken in the order in which they were made.
 *
 * <p>A coroutine may be ahead of the clock: {@link #spend} moves only its own time, and it catches
 * up when it waits the next time. What it does to others meanwhile must happen at its own time,
 * through {@link #at}.
 */
final class VirtualTime implements MonotonicClock {
  /** Is told when the simulation cannot go on as it is. Both calls make coroutines wake. */
  interface Trouble {
    /** Coroutines wait, and no event is left. */
    void allWait();

    void actionFailed(RuntimeException reason);
  }

  /** One thread of a rank. */
  final class Coroutine {
    private final String name;
    private final int node;
    private final Processor processor;
    private final Thread thread;
    private @Nullable Supplier<String> waitsFor;
    private boolean waking;

    private Coroutine(String name, int node, Processor processor, Runnable program) {
      this.name = name;
      this.node = node;
      this.processor = processor;
      thread = Thread.ofVirtual().name(name).unstarted(() -> runAndLeave(program));
    }

    int node() {
      return node;
    }

    String name() {
      return name;
    }

    private void runAndLeave(Runnable program) {
      awaitBaton(this);
      program.run();
      alive.remove(this);
      leave();
    }
  }

  /** What only one thing of a rank can use at a time; {@code freeNanos} is when it is done. */
  static final class Processor {
    private long freeNanos;

    /** Does work that may begin at a time, and returns when it ends. */
    long work(long fromNanos, long nanos) {
      freeNanos = Math.max(freeNanos, fromNanos) + nanos;
      return freeNanos;
    }
  }

  private record Event(
      long nanos, long sequence, @Nullable Runnable action, @Nullable Coroutine woken)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Set<Coroutine> alive = new LinkedHashSet<>();
  private final Trouble trouble;
  private long now;
  private long sequence;

  /** The coroutine with the baton; null for the thread that called {@link #run}. */
  private volatile @Nullable Coroutine holder;

  private @Nullable Thread starter;

  VirtualTime(Trouble trouble) {
    this.trouble = trouble;
  }

  /** The time of the current event. */
  long now() {
    return now;
  }

  /** The time of the coroutine that runs. */
  @Override
  public long nanos() {
    Coroutine running = holder;
    return running == null ? now : Math.max(now, running.processor.freeNanos);
  }

  /** Takes time of the coroutine that runs. */
  void spend(long nanos) {
    running().processor.work(now, nanos);
  }

  /** Runs an action at a time; the action does not wait. */
  void at(long nanos, Runnable action) {
    if (nanos < now) throw new IllegalStateException(nanos + " is before " + now);
    events.add(new Event(nanos, sequence++, action, null));
  }

  /** Makes a coroutine that begins now. */
  void start(String name, int node, Processor processor, Runnable program) {
    Coroutine made = new Coroutine(name, node, processor, program);
    alive.add(made);
    made.thread.start();
    made.waking = true;
    events.add(new Event(now, sequence++, null, made));
  }

  Coroutine running() {
    Coroutine running = holder;
    if (running == null) throw new IllegalStateException("called outside of simulated ranks");
    return running;
  }

  /** Wakes a coroutine at a time, or when it has caught up with that; once until it has woken. */
  void wake(Coroutine coroutine, long nanos) {
    if (coroutine.waking || coroutine.waitsFor == null) return;
    coroutine.waking = true;
    long at = Math.max(Math.max(nanos, now), coroutine.processor.freeNanos);
    events.add(new Event(at, sequence++, null, coroutine));
  }

  /** Wakes every coroutine that waits. */
  void wakeAll() {
    for (Coroutine coroutine : alive) wake(coroutine, now);
  }

  /**
   * Waits until another coroutine or an action wakes this one; it may be woken for nothing.
   *
   * @param reason what it waits for, in words
   */
  void await(Supplier<String> reason) {
    Coroutine self = running();
    self.waitsFor = reason;
    handOver(self);
    self.waitsFor = null;
  }

  /** Waits for a time. */
  void sleepUntil(long nanos) {
    Coroutine self = running();
    long end = Math.max(nanos, nanos());
    while (now < end) {
      self.waitsFor = () -> "sleep until " + end;
      wake(self, end);
      handOver(self);
    }
    self.waitsFor = null;
  }

  /** What coroutines wait for, in the order in which they began. */
  List<String> waits() {
    List<String> waits = new ArrayList<>();
    for (Coroutine each : alive) {
      Supplier<String> reason = each.waitsFor;
      if (reason != null) waits.add(each.name + " in " + reason.get());
    }
    return waits;
  }

  /** Runs until all coroutines have ended. */
  void run() {
    starter = Thread.currentThread();
    boolean interrupted = false;
    leave();
    while (holder != null) {
      LockSupport.park(this);
      // All coroutines end by themselves; the caller learns of it afterwards.
      interrupted |= Thread.interrupted();
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** Gives the baton to the next coroutine; to the starter if none is left. */
  private void leave() {
    Coroutine next = alive.isEmpty() ? null : next();
    holder = next;
    LockSupport.unpark(next == null ? starter : next.thread);
  }

  private void handOver(Coroutine self) {
    Coroutine next = next();
    if (next == self) return;
    holder = next;
    LockSupport.unpark(next.thread);
    awaitBaton(self);
  }

  private void awaitBaton(Coroutine self) {
    while (holder != self) LockSupport.park(this);
  }

  /** Runs actions until an event wakes a coroutine. */
  private Coroutine next() {
    while (true) {
      Event event = events.poll();
      if (event == null) {
        trouble.allWait();
        if (events.isEmpty()) throw new IllegalStateException("nothing will ever happen");
        continue;
      }
      now = event.nanos;
      Coroutine woken = event.woken;
      if (woken != null) {
        woken.waking = false;
        return woken;
      }
      if (event.action != null) run(event.action);
    }
  }

  private void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      // Thrown into the coroutine that happens to wait here, it would name the wrong rank.
      trouble.actionFailed(e);
    }
  }
}
