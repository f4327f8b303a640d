// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import io.forebay.store.index.Extent;
import java.util.function.Predicate;

/** The content of a file, and the groups that hold its records. */
public abstract sealed class FileContent permits SingleRecord, Extents, ReleasedContent {
  public abstract long sizeBytes();

  /** The bytes of all extents, without holes. */
  abstract long usedBytes();

  /** Every group that ever held a record of this file, ascending. */
  public abstract int[] groups();

  /** Visits the extents in order, from the one at the offset, until the visitor is done. */
  public abstract void visit(long offset, Predicate<Extent> goesOn);
}
