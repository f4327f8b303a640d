// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

/** Gets the parts of a write, from its first byte to its last. */
public interface WriteParts {
  /** Bytes of a source. */
  void bytes(long fileOffset, int lengthBytes, int source, long sourceOffset);

  /** A hole that is written as zeros. */
  void zeros(long fileOffset, int lengthBytes);
}
