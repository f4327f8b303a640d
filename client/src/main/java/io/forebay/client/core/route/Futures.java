// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Continuations of futures whose result no caller awaits. */
public final class Futures {
  private static final Logger LOG = LoggerFactory.getLogger(Futures.class);

  private Futures() {}

  /** Calls one of the two once the future is complete; at once if it is. */
  public static <T> void then(
      CompletableFuture<T> future, Consumer<T> done, Consumer<RequestFailed> failed) {
    CompletableFuture<?> unused =
        future.whenComplete(
            (value, failure) -> {
              try {
                if (failure == null) done.accept(value);
                else failed.accept(RequestFailed.from(failure));
              } catch (RuntimeException | Error broken) {
                // No caller holds the future that would report this.
                LOG.error("the client is broken: what follows an answer failed", broken);
                throw broken;
              }
            });
  }

  /** Completes the second future as the first one completes. */
  public static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
    then(from, to::complete, to::completeExceptionally);
  }
}
