// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.store.index.Extent;
import java.util.function.Predicate;

/** What a file consists of, and which groups hold records of it. */
public abstract sealed class FileContent permits SingleRecord, Extents, ReleasedContent {
  public abstract long sizeBytes();

  /** The bytes of all extents; holes count for nothing. */
  abstract long usedBytes();

  /** Every group that ever held a record of this file, ascending. */
  public abstract int[] groups();

  /** Shows the extents in order, from the one that holds the offset, until the visitor is done. */
  public abstract void visit(long offset, Predicate<Extent> goesOn);
}
