// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * An attempt that has begun, or may have. The handle is what the store needs to find it again, as a
 * text that can be written down: any process that has the plan and the handle can go on with it.
 *
 * @param handle empty if nobody was told; such an attempt can only be looked for and aborted
 */
public record Attempt(AttemptPlan plan, String handle) {
  /** An attempt of which nobody knows whether its beginning was carried out. */
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
