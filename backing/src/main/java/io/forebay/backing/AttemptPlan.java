// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

/**
 * The plan of an attempt.
 *
 * @param target the final name. Stores with the capability {@code nameAtCommit} accept another name
 *     at the commit.
 * @param sizeBytes the size of the whole file
 */
public record AttemptPlan(
    AttemptId id, BackingPath target, long sizeBytes, FileAttributes attributes) {
  public AttemptPlan {
    if (target.isRoot()) throw new IllegalArgumentException("an attempt needs a file to store");
    if (sizeBytes < 0) throw new IllegalArgumentException("size " + sizeBytes);
  }
}
