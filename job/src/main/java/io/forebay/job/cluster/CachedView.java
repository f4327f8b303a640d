// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.job.datawarp.Registry;
import io.forebay.job.service.JobFailed;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The registry of a cluster for batch systems, which ask for it several times in a row and give up
 * after a second or two. It is read once for all callers of a moment. If the manager does not
 * answer in time, callers get the last one that is not too old. Any thread.
 */
final class CachedRegistry implements AutoCloseable {
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long WAIT_MILLIS_MAX = 700;

  /** Before the first answer: an agent that has just started still connects. */
  private static final long FIRST_WAIT_MILLIS_MAX = 4000;

  private static final long OLD_NANOS_MAX = TimeUnit.MINUTES.toNanos(5);

  /** Reads the registry from the cluster; takes as long as a request to the manager. */
  interface Source {
    Registry read() throws IOException;
  }

  private record Known(Registry registry, long nanos) {}

  private final Source source;
  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("agent-registry").factory());
  private @Nullable Known known;
  private @Nullable CompletableFuture<Registry> reading;

  CachedRegistry(Source source) {
    this.source = source;
  }

  Registry get() throws JobFailed {
    CompletableFuture<Registry> awaited;
    long waitMillisMax;
    synchronized (this) {
      waitMillisMax = known == null ? FIRST_WAIT_MILLIS_MAX : WAIT_MILLIS_MAX;
      if (known != null && System.nanoTime() - known.nanos() < FRESH_NANOS) return known.registry();
      if (reading == null) reading = CompletableFuture.supplyAsync(this::read, reader);
      awaited = reading;
    }
    try {
      return awaited.get(waitMillisMax, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return old("the manager does not answer");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return old(String.valueOf(cause.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobFailed("interrupted while waiting for the manager", e);
    }
  }

  private Registry read() {
    try {
      Registry now = source.read();
      synchronized (this) {
        known = new Known(now, System.nanoTime());
        reading = null;
      }
      return now;
    } catch (IOException e) {
      synchronized (this) {
        reading = null;
      }
      throw new CompletionException(e);
    }
  }

  private synchronized Registry old(String why) throws JobFailed {
    if (known != null && System.nanoTime() - known.nanos() < OLD_NANOS_MAX) return known.registry();
    throw new JobFailed(
        "the cluster is not known (%s); start its manager, or correct the agent's --uri"
            .formatted(why));
  }

  @Override
  public void close() {
    reader.shutdownNow();
  }
}
