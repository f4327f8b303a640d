package io.forebay.client.core.route;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Going on when a future is complete, where nobody waits for what comes of it. */
public final class Futures {
  private Futures() {}

  /** Calls one of the two once the future is complete; at once if it is. */
  public static <T> void then(
      CompletableFuture<T> future, Consumer<T> done, Consumer<RequestFailed> failed) {
    CompletableFuture<?> unused =
        future.whenComplete(
            (value, failure) -> {
              if (failure == null) done.accept(value);
              else failed.accept(RequestFailed.from(failure));
            });
  }

  /** Completes the second future as the first one completes. */
  public static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
    then(from, to::complete, to::completeExceptionally);
  }
}
