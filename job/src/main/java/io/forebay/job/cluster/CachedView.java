// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.cluster;

import io.forebay.job.service.JobFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The view of a cluster for batch systems, which ask for it several times in a row, hold locks
 * meanwhile, and give up after a second or two. Any thread.
 *
 * <ol>
 *   <li>It is read once for all callers of a moment.
 *   <li>If the manager does not answer at once, callers get the last view that is not too old. A
 *       reading that takes longer goes on, and its result is for the next callers.
 *   <li>A change that is made here is awaited: later callers find it in their view.
 * </ol>
 */
final class CachedView implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CachedView.class);

  /** On a busy machine as much time again goes by before and after. */
  static final Duration ANSWER_MAX = Duration.ofMillis(300);

  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long OLD_NANOS_MAX = TimeUnit.MINUTES.toNanos(5);

  /** Changes are made by functions that may take this long. */
  private static final Duration CHANGE_MAX = Duration.ofSeconds(10);

  /** Reads the view from the cluster; takes as long as requests to the manager. */
  interface Source {
    ClusterView read() throws IOException;
  }

  private record Known(ClusterView view, long nanos) {}

  private final Source source;
  private final Duration answerMax;
  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("agent-view").factory());
  private @Nullable Known known;
  private @Nullable CompletableFuture<ClusterView> reading;

  /**
   * Nothing is known yet.
   *
   * @param answerMax how long callers wait for the manager
   */
  CachedView(Source source, Duration answerMax) {
    this.source = source;
    this.answerMax = answerMax;
  }

  /** The view, within the time that callers wait. */
  ClusterView get() throws JobFailed {
    synchronized (this) {
      if (known != null && System.nanoTime() - known.nanos() < FRESH_NANOS) return known.view();
    }
    try {
      return reading().get(answerMax.toMillis(), TimeUnit.MILLISECONDS);
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

  /** Waits until a view was read, or the time is over. */
  void awaitFirst(Duration atMost) {
    await(view -> true, atMost);
  }

  /** Waits until the view shows a change that was made here. */
  void await(Predicate<ClusterView> shows) {
    await(shows, CHANGE_MAX);
  }

  /**
   * The change is made in any case, so that it is no error if the view does not show it in time.
   */
  private void await(Predicate<ClusterView> shows, Duration atMost) {
    long endNanos = System.nanoTime() + atMost.toNanos();
    Pause pause = new Pause(atMost);
    try {
      do {
        if (isShown(shows, endNanos - System.nanoTime())) return;
      } while (pause.next());
    } catch (TimeoutException | IOException e) {
      LOG.debug("the view of the cluster is not read in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isShown(Predicate<ClusterView> shows, long atMostNanos)
      throws InterruptedException, TimeoutException {
    try {
      return shows.test(reading().get(atMostNanos, TimeUnit.NANOSECONDS));
    } catch (ExecutionException e) {
      LOG.debug("the view of the cluster is not read", e);
      return false;
    }
  }

  private synchronized CompletableFuture<ClusterView> reading() {
    if (reading == null) reading = CompletableFuture.supplyAsync(this::read, reader);
    return reading;
  }

  private ClusterView read() {
    try {
      ClusterView now = source.read();
      synchronized (this) {
        known = new Known(now, System.nanoTime());
      }
      return now;
    } catch (IOException e) {
      throw new CompletionException(e);
    } finally {
      synchronized (this) {
        reading = null;
      }
    }
  }

  private synchronized ClusterView old(String why) throws JobFailed {
    if (known != null && System.nanoTime() - known.nanos() < OLD_NANOS_MAX) return known.view();
    throw new JobFailed(
        "the cluster is not known (%s); start its manager, or correct the agent's --uri"
            .formatted(why));
  }

  @Override
  public void close() {
    reader.shutdownNow();
  }
}
