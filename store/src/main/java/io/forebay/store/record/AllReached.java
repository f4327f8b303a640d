// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.record;

/**
 * Waits for several segments on behalf of one waiter, which is notified when the last has answered.
 */
public final class AllReached implements Waiter {
  private final Waiter waiter;
  private int pending;
  private Answer worst = Answer.Reached.NOW;

  public AllReached(int pending, Waiter waiter) {
    this.pending = pending;
    this.waiter = waiter;
  }

  @Override
  public void answered(Answer answer) {
    if (answer instanceof Answer.Failed) worst = answer;
    if (--pending == 0) waiter.answered(worst);
  }
}
