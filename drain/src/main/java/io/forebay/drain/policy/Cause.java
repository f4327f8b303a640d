// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.policy;

/** Why a file is drained. */
public enum Cause {
  /** A client requested it, and may be waiting. */
  REQUEST(true),
  /** The instance or its job ends, which waits for it. */
  END(true),
  /** The buffer is filled above the policy's level. */
  FILL(false),
  /** The file was closed. */
  CLOSE(false),
  /** The policy's time has passed since the last drain. */
  INTERVAL(false);

  private final boolean urgent;

  Cause(boolean urgent) {
    this.urgent = urgent;
  }

  /** Whether a client waits for it, so that it comes before all others. */
  public boolean isUrgent() {
    return urgent;
  }
}
