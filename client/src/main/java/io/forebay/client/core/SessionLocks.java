// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core;

import io.forebay.client.core.route.TreeSession;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.concurrent.CompletableFuture;

/**
 * Advisory locks of one session; they end with it (P27). A request is retried in its own session
 * only: the next session has other locks.
 */
public final class SessionLocks {
  private final TreeSession session;
  private volatile boolean ended;

  SessionLocks(TreeSession session) {
    this.session = session;
    session.whenOver(() -> ended = true);
  }

  /** Whether the session is over, and with it all its locks. Any thread. */
  public boolean hasEnded() {
    return ended;
  }

  /** Takes a lock, or waits under a ticket that is not 0. */
  public CompletableFuture<Names.LockState> set(Identity who, Names.Lock lock, long ticket) {
    return session
        .change(who, new Names.SetLock(lock, ticket), Names.LockIs.class)
        .thenApply(Names.LockIs::state);
  }

  /** Whether a ticket still waits, or has got its lock. */
  public CompletableFuture<Names.LockState> ask(Identity who, long ticket) {
    return session
        .ask(who, new Names.AskLock(ticket), Names.LockIs.class)
        .thenApply(Names.LockIs::state);
  }

  /** Stops waiting; the answer says whether the lock was granted nevertheless. */
  public CompletableFuture<Names.LockState> cancel(Identity who, long ticket) {
    return session
        .change(who, new Names.CancelLock(ticket), Names.LockIs.class)
        .thenApply(Names.LockIs::state);
  }

  public CompletableFuture<Void> unlock(Identity who, Names.Lock lock) {
    Names.Unlock unlock =
        new Names.Unlock(lock.file(), lock.kind(), lock.owner(), lock.first(), lock.last());
    return session.change(who, unlock, Replies.Done.class).thenApply(done -> null);
  }

  /** A lock that conflicts with another, if there is one. */
  public CompletableFuture<Names.LockHolder> find(Identity who, Names.Lock lock) {
    return session.ask(who, new Names.FindLock(lock), Names.LockHolder.class);
  }
}
