// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import io.forebay.seat.part.TreeContext;
import org.jspecify.annotations.Nullable;

/** A tree whose files are read through. */
public interface ReadTree extends TreeContext {
  ReadCache cache();

  /** The store's copy of a file could be read. */
  void sound(long file);

  /** The trees of a home. */
  interface All {
    /** Looked for if need be; null if there is none that is drained. */
    @Nullable ReadTree tree(int instance, int tree);

    /** The same if it has been looked at before. */
    @Nullable ReadTree known(int instance, int tree);
  }
}
