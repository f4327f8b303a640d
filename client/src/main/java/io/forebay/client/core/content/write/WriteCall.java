// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import io.forebay.client.core.route.RequestFailed;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One write of one or more pieces. Both futures complete on the loop. */
public final class WriteCall {
  private final CompletableFuture<Void> admitted = new CompletableFuture<>();
  private final CompletableFuture<Void> acknowledged = new CompletableFuture<>();
  private int toAdmit;
  private int toLand;
  private @Nullable RequestFailed failure;

  public WriteCall(int pieces) {
    toAdmit = pieces;
    toLand = pieces;
    if (pieces == 0) {
      admitted.complete(null);
      acknowledged.complete(null);
    }
  }

  /** There is room for all of it. Fails if there is not. */
  public CompletableFuture<Void> admitted() {
    return admitted;
  }

  /** All of it is kept, or some of it failed; either way its memory is needed no longer. */
  public CompletableFuture<Void> acknowledged() {
    return acknowledged;
  }

  public void pieceAdmitted() {
    if (--toAdmit == 0) admitted.complete(null);
  }

  public void pieceLanded(@Nullable RequestFailed why) {
    if (failure == null) failure = why;
    if (why != null) admitted.completeExceptionally(why);
    if (--toLand > 0) return;
    if (failure == null) acknowledged.complete(null);
    else acknowledged.completeExceptionally(failure);
  }
}
