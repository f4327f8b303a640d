// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.record;

/**
 * Notified once, on the owner's thread, how its wait for a {@link Level} ended: normally from the
 * store's poll, but an immediate failure may be reported before the requesting call returns.
 */
public interface Waiter {
  /** The results of a wait. */
  sealed interface Answer {
    record Reached() implements Answer {
      public static final Reached NOW = new Reached();
    }

    /** The level will never be reached for this record here; its bytes are still readable. */
    record Failed(String detail) implements Answer {}
  }

  void answered(Answer answer);
}
