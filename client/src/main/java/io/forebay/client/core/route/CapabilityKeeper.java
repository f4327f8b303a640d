// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.wire.Connection;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client's capability, for seats. The manager is asked when a seat wants one for the first
 * time, and again when a seat does not take the last one any more: it has expired or was revoked.
 * Operators are never asked for one.
 */
final class CapabilityKeeper implements Proving {
  private final Supplier<CompletableFuture<Access.CapabilityIs>> manager;

  /** The links that wait for an answer of the manager. */
  private final List<Renewal> waiting = new ArrayList<>();

  private Access.@Nullable Present held;

  /**
   * Has none yet.
   *
   * @param manager asks the manager
   */
  CapabilityKeeper(Supplier<CompletableFuture<Access.CapabilityIs>> manager) {
    this.manager = manager;
  }

  @Override
  public void introduce(Connection opened, Introduction introduction) {
    introduction.sends(held);
  }

  @Override
  public void renew(@Nullable Message shown, Replies.Failed refusal, Renewal renewal) {
    Access.Present newest = held;
    if (newest != null && !newest.equals(shown)) {
      renewal.introduces(newest);
      return;
    }
    waiting.add(renewal);
    if (waiting.size() > 1) return;
    Futures.then(manager.get(), this::given, this::notGiven);
  }

  private void given(Access.CapabilityIs given) {
    Access.Present now = new Access.Present(given.capability());
    held = now;
    for (Renewal each : answered()) each.introduces(now);
  }

  private void notGiven(Throwable failure) {
    RequestFailed failed = RequestFailed.from(failure);
    boolean passing = failed.code() == ErrorCode.UNAVAILABLE || failed.code() == ErrorCode.BUSY;
    Replies.Failed refusal = new Replies.Failed(failed.code(), String.valueOf(failed.getMessage()));
    for (Renewal each : answered()) {
      if (passing) each.later(refusal.detail());
      else each.refused(refusal);
    }
  }

  private List<Renewal> answered() {
    List<Renewal> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }
}
