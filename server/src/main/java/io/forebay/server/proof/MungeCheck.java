// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.proof;

import io.forebay.base.Bytes;
import io.forebay.seat.manager.access.CredentialCheck;
import io.forebay.wire.message.Identity;
import java.util.List;
import java.util.function.Consumer;

/**
 * Credentials of MUNGE, for a manager's loop. The loop calls everything; a thread waits for munged.
 */
public final class MungeCheck implements CredentialCheck, AutoCloseable {
  /** More than the manager checks at the same time. */
  private static final int PENDING_MAX = 128;

  private final Munge munge;
  private final BlockingCalls calls;

  /**
   * With a munged.
   *
   * @param wakeUp lets the loop {@link #poll} soon
   */
  public MungeCheck(Munge munge, Runnable wakeUp) {
    this.munge = munge;
    this.calls = new BlockingCalls("forebay-munge", PENDING_MAX, wakeUp);
  }

  @Override
  public void check(Bytes credential, Consumer<Result> answer) {
    byte[] text = credential.toArray();
    Result failed = new Result.Unavailable("the call of libmunge failed on the manager's machine");
    if (!calls.ask(() -> check(text), failed, answer)) {
      answer.accept(new Result.Unavailable("munged on the manager's machine is slow; try again"));
    }
  }

  private Result check(byte[] credential) {
    try {
      Munge.Decoded decoded = munge.decode(credential);
      return new Result.Genuine(identity(decoded), decoded.payload());
    } catch (Munge.Unavailable e) {
      return new Result.Unavailable(e.sentence());
    } catch (Munge.Refused e) {
      return new Result.Refused(e.sentence());
    }
  }

  /** The group of root is no group to begin with: a user without others has its own number. */
  private static Identity identity(Munge.Decoded decoded) {
    int group = decoded.group() == Identity.ROOT ? decoded.user() : decoded.group();
    return new Identity(decoded.user(), List.of(group));
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
