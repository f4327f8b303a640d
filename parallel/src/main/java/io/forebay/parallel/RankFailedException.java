// SPDX-License-Identifier: Apache-2.0

package io.forebay.parallel;

/** Another rank of this program failed, so this rank's operation cannot complete. */
public final class RankFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int failedRank;

  public RankFailedException(int failedRank, String reason, Throwable cause) {
    super("rank " + failedRank + " failed: " + reason, cause);
    this.failedRank = failedRank;
  }

  /** Its number in the whole program. */
  public int failedRank() {
    return failedRank;
  }
}
