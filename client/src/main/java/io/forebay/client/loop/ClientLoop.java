// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.loop;

import io.forebay.base.MonotonicClock;
import io.forebay.base.Timers;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.UserProof;
import io.forebay.client.failure.Failures;
import io.forebay.client.proof.UserCredentials;
import io.forebay.wire.Network;
import io.forebay.wire.authority.CertificateName;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.tcp.TcpLoop;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that runs a client's core and its sockets. Any thread may submit work. */
public final class ClientLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ClientLoop.class);

  private final TcpLoop network;
  private final Timers timers;
  private final Thread thread;
  private final ConcurrentLinkedQueue<Runnable> handed = new ConcurrentLinkedQueue<>();
  private final Map<Long, CompletableFuture<?>> awaited = new ConcurrentHashMap<>();
  private final AtomicLong submissions = new AtomicLong();
  private final UserProof proof;
  private volatile boolean stopped;

  /**
   * Opens a selector; the thread is not started yet.
   *
   * @param tls the files with its certificates; null for connections without TLS
   * @param credentials prove its user; null for none
   */
  public ClientLoop(String name, @Nullable TlsSettings tls, @Nullable UserCredentials credentials)
      throws IOException {
    MonotonicClock clock = MonotonicClock.system();
    this.timers = new Timers(clock);
    TlsFiles files = tls == null ? null : TlsFiles.open(tls, clock);
    this.proof = proof(files, credentials);
    this.network = new TcpLoop(clock, files);
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** A certificate of a user proves that user, whatever the user of this process is. */
  private UserProof proof(@Nullable TlsFiles files, @Nullable UserCredentials credentials) {
    if (credentials != null) {
      return new UserProof.ByCredential((content, answer) -> make(credentials, content, answer));
    }
    CertificateName certificate = files == null ? null : files.identity().name();
    return certificate != null && certificate.role() == CertificateName.Role.USER
        ? new UserProof.Certified()
        : new UserProof.Claimed();
  }

  /** Another process makes it, so a thread waits for it. */
  private void make(UserCredentials credentials, String content, Consumer<UserProof.Made> answer) {
    Thread waiting =
        new Thread(
            () -> {
              UserProof.Made made = made(credentials, content);
              execute(() -> answer.accept(made));
            },
            "forebay-credential");
    waiting.setDaemon(true);
    waiting.start();
  }

  private static UserProof.Made made(UserCredentials credentials, String content) {
    try {
      return new UserProof.Made.Credential(credentials.make(content));
    } catch (IOException e) {
      return new UserProof.Made.Failed(String.valueOf(e.getMessage()));
    }
  }

  /** How the manager knows the user of this client. */
  public UserProof proof() {
    return proof;
  }

  public Network network() {
    return network;
  }

  public Timers timers() {
    return timers;
  }

  public void start() {
    thread.start();
  }

  /** Runs something on the loop, in the order of calls. */
  public void execute(Runnable action) {
    handed.add(action);
    network.wakeUp();
  }

  /** Runs something on the loop; the future is always completed, even if the loop dies. */
  public <T> CompletableFuture<T> submit(Supplier<CompletableFuture<T>> action) {
    CompletableFuture<T> result = new CompletableFuture<>();
    long number = submissions.incrementAndGet();
    awaited.put(number, result);
    execute(
        () -> {
          try {
            finish(action.get(), number, result);
          } catch (RuntimeException e) {
            awaited.remove(number);
            result.completeExceptionally(e);
          }
        });
    if (stopped) failAwaited();
    return result;
  }

  /** The same for something that uses a caller's memory. */
  public <T> CompletableFuture<T> submit(ByteBuffer memory, Supplier<CompletableFuture<T>> action) {
    // Memory of one thread's own must fail one request, not the loop in the middle of something.
    return submit(
        () -> isUsable(memory) ? action.get() : CompletableFuture.failedFuture(unusable()));
  }

  private static boolean isUsable(ByteBuffer memory) {
    try {
      if (memory.limit() > 0) memory.get(memory.limit() - 1);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static RequestFailed unusable() {
    return new RequestFailed(
        ErrorCode.INVALID,
        "the buffer is of an arena that is closed or that one thread alone may use; take one of a"
            + " shared arena, or ByteBuffer.allocateDirect");
  }

  private <T> void finish(CompletableFuture<T> from, long number, CompletableFuture<T> to) {
    CompletableFuture<?> unused =
        from.whenComplete(
            (value, failure) -> {
              awaited.remove(number);
              if (failure == null) to.complete(value);
              else to.completeExceptionally(failure);
            });
  }

  /** Runs something on the loop and waits for it. */
  public <T> T call(@Nullable String file, Supplier<CompletableFuture<T>> action)
      throws IOException {
    return await(submit(action), file);
  }

  /**
   * Waits for a result of the loop. Not interruptible, since buffers may be in use until it is
   * done; every operation has a time limit.
   */
  public <T> T await(CompletableFuture<T> future, @Nullable String file) throws IOException {
    if (Thread.currentThread().equals(thread)) {
      throw new IllegalStateException("a blocking call from a future's own thread never ends");
    }
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw Failures.toException(e, file);
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  /** Ends the thread once everything handed to it has run. */
  public void stop() {
    execute(() -> stopped = true);
  }

  private void run() {
    try {
      while (!stopped) turn();
    } catch (RuntimeException | Error e) {
      LOG.error("the client's loop died; this client is of no use any more", e);
    } finally {
      stopped = true;
      network.close();
      failAwaited();
    }
  }

  private void turn() {
    timers.runDue();
    while (true) {
      Runnable action = handed.poll();
      if (action == null) break;
      action.run();
    }
    network.poll(timers.nextNanos());
  }

  private void failAwaited() {
    RequestFailed closed = new RequestFailed(ErrorCode.UNAVAILABLE, "the client is closed");
    for (Long number : List.copyOf(awaited.keySet())) {
      CompletableFuture<?> future = awaited.remove(number);
      if (future != null) future.completeExceptionally(closed);
    }
  }
}
