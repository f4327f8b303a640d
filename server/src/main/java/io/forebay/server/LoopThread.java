// SPDX-License-Identifier: Apache-2.0

package io.forebay.server;

import io.forebay.base.MonotonicClock;
import io.forebay.base.Timers;
import io.forebay.client.host.LocalIdentity;
import io.forebay.server.peer.KernelPeerUsers;
import io.forebay.wire.tcp.PeerUsers;
import io.forebay.wire.tcp.TcpLoop;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of one core: handles network events, runs due timers, polls the core, and sleeps when
 * there is nothing to do. Created and closed by any thread; only this thread calls the core,
 * including its opening and closing.
 */
final class LoopThread<C extends LoopThread.Core> implements AutoCloseable {
  /** The part that a loop drives. */
  interface Core {
    /**
     * Continues pending work; returns whether work is pending and poll should be called again soon.
     */
    boolean poll();

    /** Releases everything; the network is closed afterwards, if it is open still. */
    void close() throws IOException;
  }

  /** Makes a core on its thread; may block. */
  interface Opening<C extends Core> {
    C open(TcpLoop network, Timers timers) throws StartFailed, IOException;
  }

  /** Notified of failures; on the loop's thread. */
  interface Watcher {
    /** The loop fails, and its core is not closed yet. */
    void failing(String loop, Throwable failure);

    /** The loop has ended by that. */
    void failed(String loop, Throwable failure);
  }

  private static final Logger LOG = LoggerFactory.getLogger(LoopThread.class);

  /** How long a loop sleeps while work is pending that might not wake it. */
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Rounds without sleep after an event: often more events follow at once. */
  private static final int EAGER_ROUNDS = 4;

  private static final PeerUsers PEERS = KernelPeerUsers.of(LocalIdentity.current().user());

  private static final long CLOSE_MILLIS_MAX = TimeUnit.SECONDS.toMillis(30);

  private final String name;
  private final Opening<C> opening;
  private final Watcher watcher;
  private final MonotonicClock clock = MonotonicClock.system();
  private final TcpLoop network;
  private final Thread thread;
  private final CompletableFuture<C> opened = new CompletableFuture<>();

  /** Each asker has one question under way at most. */
  private final Queue<Question<C, ?>> questions = new ConcurrentLinkedQueue<>();

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopping;

  private LoopThread(String name, @Nullable TlsFiles tls, Opening<C> opening, Watcher watcher)
      throws IOException {
    this.name = name;
    this.opening = opening;
    this.watcher = watcher;
    this.network = new TcpLoop(clock, tls);
    network.tellPeersBy(PEERS);
    this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
  }

  /**
   * Starts a thread that opens a core and drives it; {@link #opened} reports the result.
   *
   * @param tls the certificates of the process; null for connections without TLS
   */
  static <C extends Core> LoopThread<C> start(
      String name, @Nullable TlsFiles tls, Opening<C> opening, Watcher watcher) throws IOException {
    LoopThread<C> loop = new LoopThread<>(name, tls, opening, watcher);
    loop.thread.start();
    return loop;
  }

  /** The core, once it is open. Only its final fields may be used, not its methods. */
  C opened() throws StartFailed, IOException {
    try {
      return opened.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StartFailed failed) throw failed;
      if (e.getCause() instanceof IOException io) throw io;
      throw new StartFailed(name + " could not start: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartFailed(name + " was interrupted while it started", e);
    }
  }

  /** The failure that ended the loop, or null. */
  @Nullable Throwable failure() {
    return failure.get();
  }

  /** A question to the core, from another thread. */
  private record Question<C, T>(Function<C, T> asked, CompletableFuture<T> answer) {
    void put(C core) {
      try {
        answer.complete(asked.apply(core));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    }
  }

  /**
   * Asks the core on its thread, between two rounds. A loop that has ended never answers: askers
   * wait for a bounded time, and send no second question before.
   */
  <T> CompletableFuture<T> ask(Function<C, T> asked) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    questions.add(new Question<>(asked, answer));
    wakeUp();
    return answer;
  }

  /** Lets the core be polled soon. */
  void wakeUp() {
    network.wakeUp();
  }

  /** Lets the loop end soon. */
  void stop() {
    stopping = true;
    wakeUp();
  }

  /** Ends the loop and waits until its core is closed. */
  @Override
  public void close() {
    stop();
    boolean interrupted = false;
    long startNanos = clock.nanos();
    while (thread.isAlive()) {
      long leftMillis =
          CLOSE_MILLIS_MAX - TimeUnit.NANOSECONDS.toMillis(clock.nanos() - startNanos);
      if (leftMillis <= 0) {
        LOG.warn("{} does not end; the process continues without waiting for it", name);
        break;
      }
      try {
        thread.join(leftMillis);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }

  private void run() {
    Timers timers = new Timers(clock);
    C core;
    try {
      core = opening.open(network, timers);
    } catch (StartFailed | IOException | RuntimeException | Error e) {
      network.close();
      opened.completeExceptionally(e);
      return;
    }
    opened.complete(core);
    try {
      drive(core, timers);
    } catch (RuntimeException | Error e) {
      failure.set(e);
      watcher.failing(name, e);
      LOG.error("{} has stopped because of an internal error", name, e);
    }
    end(core);
    Throwable reason = failure.get();
    if (reason != null) watcher.failed(name, reason);
  }

  private void drive(C core, Timers timers) {
    int quietRounds = 0;
    boolean busy = true;
    while (!stopping) {
      long timeoutNanos = timers.nextNanos();
      if (busy) timeoutNanos = quietRounds < EAGER_ROUNDS ? 0 : Math.min(timeoutNanos, BUSY_NANOS);
      boolean worked = network.poll(timeoutNanos);
      worked |= timers.runDue();
      busy = core.poll();
      for (Question<C, ?> next = questions.poll(); next != null; next = questions.poll()) {
        next.put(core);
      }
      quietRounds = worked ? 0 : Math.min(quietRounds + 1, EAGER_ROUNDS);
    }
  }

  private void end(C core) {
    try {
      core.close();
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{} ended with an error", name, e);
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      LOG.error("{} ended with an internal error", name, e);
    }
    network.close();
  }
}
