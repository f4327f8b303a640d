// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.store.index.Extent;
import java.util.function.Predicate;

/** A file that is only in the backing store. */
public final class ReleasedContent extends FileContent {
  private final long sizeBytes;

  public ReleasedContent(long sizeBytes) {
    this.sizeBytes = sizeBytes;
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  long usedBytes() {
    return 0;
  }

  @Override
  public int[] groups() {
    return new int[0];
  }

  @Override
  public void visit(long offset, Predicate<Extent> goesOn) {}
}
