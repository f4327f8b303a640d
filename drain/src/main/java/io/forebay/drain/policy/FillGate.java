// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

/**
 * Whether the buffer counts as filled for a policy: from its level on, until it is well below.
 * Without this hysteresis a drain would begin and end with every file.
 */
public final class FillGate {
  /** The buffer counts as filled until it is this much below the level. */
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

  /** Takes how full the buffer is with undrained data; returns whether that counts as filled. */
  public boolean update(int percent) {
    int level = filled ? Math.max(1, fillPercent - BELOW_PERCENT) : fillPercent;
    filled = fillPercent > 0 && percent >= level;
    return filled;
  }
}
