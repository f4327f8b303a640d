// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import io.forebay.seat.manager.access.CredentialCheck;
import io.forebay.seat.manager.access.UserDirectory;
import org.jspecify.annotations.Nullable;

/** What a manager's loop asks its machine about users. The loop calls everything. */
public final class UserServices implements AutoCloseable {
  private final MachineUsers users;
  private final @Nullable MungeCheck munge;

  private UserServices(MachineUsers users, @Nullable MungeCheck munge) {
    this.users = users;
    this.munge = munge;
  }

  /**
   * Of this machine.
   *
   * @param wakeUp lets the loop {@link #poll} soon
   */
  public static UserServices start(MungeOption option, Runnable wakeUp) {
    return new UserServices(
        new MachineUsers(wakeUp),
        option.on() ? new MungeCheck(new Munge(option.socket()), wakeUp) : null);
  }

  public UserDirectory directory() {
    return users;
  }

  public CredentialCheck credentials() {
    return munge == null ? CredentialCheck.NONE : munge;
  }

  /** Delivers answers; returns whether there were any. */
  public boolean poll() {
    boolean found = users.poll();
    return (munge != null && munge.poll()) || found;
  }

  @Override
  public void close() {
    users.close();
    if (munge != null) munge.close();
  }
}
