// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.record;

/**
 * Told once, on the owner's thread, how its wait for a {@link Level} ended: as a rule from the
 * store's poll, but a failure that is known at once may be told before the call that asked returns.
 */
public interface Waiter {
  /** How a wait can end. */
  sealed interface Answer {
    record Reached() implements Answer {
      public static final Reached NOW = new Reached();
    }

    /** The level will never be reached for this record here; its bytes are still readable. */
    record Failed(String detail) implements Answer {}
  }

  void answered(Answer answer);
}
