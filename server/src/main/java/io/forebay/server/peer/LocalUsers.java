// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.peer;

import io.forebay.base.MonotonicClock;
import io.forebay.server.proof.SystemUsers;
import io.forebay.wire.message.Identity;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of this machine's users, for loops. The machine may ask a directory service, so the
 * question goes to a thread of its own, and a loop waits for the answer only briefly. A user whose
 * groups are not known in time has the group of its own number until it connects again. Any thread.
 */
public final class LocalUsers {
  /** A loop must renew its leases, which last for seconds. */
  private static final long WAIT_MILLIS = 250;

  private static final int WAITING_MAX = 64;
  private static final long IDLE_SECONDS = 5;
  private static final Logger LOG = LoggerFactory.getLogger(LocalUsers.class);

  private final SystemUsers users = new SystemUsers(MonotonicClock.system());
  private final ThreadPoolExecutor thread;

  public LocalUsers() {
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            task -> Thread.ofPlatform().daemon().name("forebay-users").unstarted(task));
    thread.allowCoreThreadTimeOut(true);
  }

  /** A user with all groups. */
  public Identity identityOf(int user) {
    SystemUsers.User found = find(user);
    return new Identity(user, found == null ? List.of(user) : found.groups());
  }

  private SystemUsers.@Nullable User find(int user) {
    try {
      Future<SystemUsers.@Nullable User> found = thread.submit(() -> users.find(user));
      return found.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | RejectedExecutionException e) {
      LOG.warn("the groups of user {} are not known in time: it has its own group only", user);
      return null;
    } catch (ExecutionException e) {
      LOG.warn("the groups of user {} cannot be told", user, e);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
