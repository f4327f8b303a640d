// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import io.forebay.base.MonotonicClock;
import io.forebay.seat.manager.access.UserDirectory;
import io.forebay.wire.message.Identity;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The users of this machine, for a manager's loop. Users that were looked up in the last minute are
 * answered at once; others by a thread, since the machine may ask a directory service. The loop
 * calls everything.
 */
public final class MachineUsers implements UserDirectory, AutoCloseable {
  /** Lookups that wait; a connection waits for one at a time. */
  private static final int PENDING_MAX = 1024;

  private static final Found UNKNOWN =
      new Found.Unknown("this machine has no such user (look with 'getent passwd')");

  private final SystemUsers users;
  private final BlockingCalls calls;

  /**
   * Of this machine.
   *
   * @param wakeUp lets the loop {@link #poll} soon
   */
  public MachineUsers(Runnable wakeUp) {
    this(new SystemUsers(MonotonicClock.system()), wakeUp);
  }

  MachineUsers(SystemUsers users, Runnable wakeUp) {
    this.users = users;
    this.calls = new BlockingCalls("forebay-users", PENDING_MAX, wakeUp);
  }

  @Override
  public void find(Identity proved, Consumer<Found> answer) {
    SystemUsers.Remembered known = users.remembered(proved.user());
    if (known != null) {
      answer.accept(told(known.user()));
      return;
    }
    Found failed = new Found.Unknown("the call that looks users up failed");
    if (!calls.ask(() -> told(users.find(proved.user())), failed, answer)) {
      answer.accept(new Found.Unknown(PENDING_MAX + " users are being looked up"));
    }
  }

  private static Found told(SystemUsers.@Nullable User user) {
    return user == null ? UNKNOWN : new Found.Groups(user.groups());
  }

  /** Delivers answers, on the loop; returns whether there were any. */
  public boolean poll() {
    return calls.poll();
  }

  @Override
  public void close() {
    calls.close();
  }
}
