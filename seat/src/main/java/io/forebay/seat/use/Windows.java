// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import io.forebay.namespace.use.WriteWindow;
import io.forebay.ring.protection.ProtectionPolicy;
import java.util.concurrent.TimeUnit;

/** The write windows of instances. Pure. */
final class Windows {
  /** The window of an instance without a limit, for accounting. */
  private static final long MILLIS_DEFAULT = TimeUnit.DAYS.toMillis(1);

  private Windows() {}

  static long bucketMillis(ProtectionPolicy policy) {
    boolean none = policy.window().isNone();
    return WriteWindow.bucketMillis(none ? MILLIS_DEFAULT : policy.window().millis());
  }

  static void copy(WriteWindow from, WriteWindow to) {
    from.buckets().forEach((bucket, bytes) -> to.add(from.bucketMillis(), bucket, bytes));
  }
}
