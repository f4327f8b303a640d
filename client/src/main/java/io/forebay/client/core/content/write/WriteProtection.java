// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import io.forebay.base.Timers;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.ring.Instance;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.wire.message.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * What an instance's write protection refuses, as far as this client knows, so that writes fail at
 * once and not when they are published. Homes decide again. Changed on the loop only; any thread
 * may ask.
 */
public final class WriteProtection {
  /** For how long writes fail without asking a home, after one has refused bytes. */
  private static final long READ_ONLY_NANOS = 500_000_000L;

  private final Timers timers;
  private volatile ProtectionPolicy policy = ProtectionPolicy.NONE;
  private volatile @Nullable RequestFailed readOnly;
  private String text = "";

  WriteProtection(Timers timers) {
    this.timers = timers;
  }

  /** The instance as the map has it now. */
  void follow(Instance instance) {
    if (instance.protection().equals(text)) return;
    text = instance.protection();
    policy = ProtectionPolicy.of(text);
  }

  /** A home refused bytes: others would, too. */
  void refused(RequestFailed why) {
    boolean waits = readOnly != null;
    readOnly = why;
    if (!waits) timers.after(READ_ONLY_NANOS, () -> readOnly = null);
  }

  /**
   * Why bytes that end at that offset would be refused, or null.
   *
   * @param appended whether the offset is not known yet
   */
  public @Nullable RequestFailed objection(long endOffset, boolean appended) {
    RequestFailed refusal = readOnly;
    if (refusal != null) return refusal;
    ProtectionPolicy now = policy;
    if (appended || endOffset <= now.allowedFileBytes()) return null;
    return new RequestFailed(ErrorCode.TOO_LARGE, now.fileTooLarge(endOffset));
  }
}
