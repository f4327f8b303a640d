// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.TreeSession;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/** File numbers for values of pairs, taken many at a time and ahead of need. */
final class FileNumbers {
  static final int BATCH = 1024;

  private final TreeSession session;
  private final Identity identity;
  private final ArrayDeque<CompletableFuture<Long>> waiting = new ArrayDeque<>();
  private final ArrayDeque<Names.NumbersAre> batches = new ArrayDeque<>();
  private int usedOfFirst;
  private boolean asking;

  FileNumbers(TreeSession session, Identity identity) {
    this.session = session;
    this.identity = identity;
  }

  /** A number that no other client has. */
  CompletableFuture<Long> take() {
    CompletableFuture<Long> future = new CompletableFuture<>();
    waiting.add(future);
    give();
    return future;
  }

  private void give() {
    while (!waiting.isEmpty() && !batches.isEmpty()) {
      Names.NumbersAre batch = batches.element();
      long number = batch.first() + usedOfFirst++;
      if (usedOfFirst >= batch.count()) {
        batches.remove();
        usedOfFirst = 0;
      }
      waiting.remove().complete(number);
    }
    // The next batch is requested when half of the last one is used.
    boolean low = batches.isEmpty() || (batches.size() == 1 && usedOfFirst > BATCH / 2);
    if (low && !asking) ask();
  }

  private void ask() {
    asking = true;
    Futures.then(
        session.change(identity, new Names.TakeNumbers(BATCH), Names.NumbersAre.class),
        batch -> {
          asking = false;
          if (batch.count() > 0) batches.add(batch);
          give();
        },
        this::refuse);
  }

  private void refuse(RequestFailed failure) {
    asking = false;
    while (!waiting.isEmpty()) waiting.remove().completeExceptionally(failure);
  }
}
