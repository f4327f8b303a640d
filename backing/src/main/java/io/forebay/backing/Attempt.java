// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * An attempt that has begun, or may have. The handle, a text, lets the store find it again: any
 * process with the plan and the handle can continue it.
 *
 * @param handle empty if unknown; such an attempt can only be looked for and aborted
 */
public record Attempt(AttemptPlan plan, String handle) {
  /** An attempt whose begin may or may not have been carried out. */
  public static Attempt untold(AttemptPlan plan) {
    return new Attempt(plan, "");
  }

  public AttemptId id() {
    return plan.id();
  }

  public boolean isTold() {
    return !handle.isEmpty();
  }
}
