// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.stage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Carries out the recorded stages of instances whose tree has its home on this server, and helps
 * with those of other servers that call. A tree has one home at a time; when the home moves, the
 * work moves with it. Any thread; only {@link #close} blocks.
 */
public final class Stager implements AutoCloseable {
  /** A seat that has not named an instance for this long is no longer its home. */
  private static final long WANTED_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The maximum number of instances with active stages; others wait. */
  private static final int INSTANCES_MAX = 64;

  /** Stages at a time; each has threads and buffers for the files it copies. */
  private static final int RUNS_MAX = 8;

  private static final long CLOSE_MILLIS_MAX = 3000;

  private final StagerConfig config;
  private final ConcurrentMap<String, Long> named = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Thread> threads = new ConcurrentHashMap<>();
  private final ConcurrentMap<Integer, Thread> helpers = new ConcurrentHashMap<>();
  private final Semaphore room = new Semaphore(RUNS_MAX);
  private volatile boolean stopping;

  public Stager(StagerConfig config) {
    this.config = config;
  }

  /** A seat of this server keeps the names of these instances, and they have something to stage. */
  public void instances(List<String> names) {
    for (String name : names) {
      named.put(name, System.nanoTime());
      if (stopping || threads.containsKey(name) || threads.size() >= INSTANCES_MAX) continue;
      threads.computeIfAbsent(name, this::start);
    }
  }

  private Thread start(String name) {
    InstanceStages stages = new InstanceStages(config, name, room, () -> isWanted(name));
    return Thread.ofPlatform()
        .daemon()
        .name("stages of " + name)
        .start(
            () -> {
              try {
                stages.run();
              } finally {
                named.remove(name);
                threads.remove(name, Thread.currentThread());
              }
            });
  }

  /** Another server asks for help with the stages of an instance. */
  public void called(int instance, String name) {
    if (stopping || helpers.containsKey(instance) || helpers.size() >= INSTANCES_MAX) return;
    helpers.computeIfAbsent(instance, id -> startHelper(id, name));
  }

  private Thread startHelper(int instance, String name) {
    Helper helper = new Helper(config, instance, name, () -> !stopping);
    return Thread.ofPlatform()
        .daemon()
        .name("stage help for " + name)
        .start(
            () -> {
              try {
                helper.run();
              } finally {
                helpers.remove(instance, Thread.currentThread());
              }
            });
  }

  private boolean isWanted(String name) {
    Long last = named.get(name);
    return !stopping && last != null && System.nanoTime() - last < WANTED_NANOS;
  }

  /** Makes all work end soon; the next server finds unfinished work again. */
  public void stop() {
    stopping = true;
  }

  /** Stops, and waits a moment for running work. */
  @Override
  public void close() {
    stop();
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS_MAX);
    List<Thread> running = new ArrayList<>(threads.values());
    running.addAll(helpers.values());
    for (Thread thread : running) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (leftMillis <= 0) return;
      try {
        thread.join(leftMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
