// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.process;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Calls in flight, oldest first. Once it is full, it waits for half of them, so that calls are made
 * in batches and not one by one as answers come.
 */
public final class Window {
  private final int max;
  private final ArrayDeque<CompletableFuture<?>> flying = new ArrayDeque<>();
  private @Nullable CompletableFuture<?> middle;

  public Window(int max) {
    this.max = max;
  }

  public void awaitRoom() throws IOException {
    if (flying.size() < max) return;
    if (middle != null) await(middle);
    while (flying.size() > max / 2) await(flying.remove());
    middle = flying.peekLast();
  }

  public void add(CompletableFuture<?> call) {
    flying.add(call);
    if (flying.size() == (max + 1) / 2) middle = call;
  }

  public void awaitAll() throws IOException {
    while (!flying.isEmpty()) await(flying.remove());
  }

  /** Waits for one call. */
  public static <T> T await(CompletableFuture<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
