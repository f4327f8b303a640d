// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

/**
 * Whether the buffer counts as filled for a policy: from its level on, until it is well below.
 * Without that distance a drain would begin and end with every file.
 */
public final class FillGate {
  /** So much below the level it is filled no more. */
  static final int BELOW_PERCENT = 10;

  private final int fillPercent;
  private boolean filled;

  /**
   * A gate that is closed.
   *
   * @param fillPercent the policy's level; 0 for never
   */
  public FillGate(int fillPercent) {
    this.fillPercent = fillPercent;
  }

  /** How full the buffer is now with what is not drained; returns whether that counts as filled. */
  public boolean update(int percent) {
    int level = filled ? Math.max(1, fillPercent - BELOW_PERCENT) : fillPercent;
    filled = fillPercent > 0 && percent >= level;
    return filled;
  }
}
