// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Drops the system's cache of files, where this process may do that. */
final class PageCache {
  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");
  private static final String ALL_CLEAN = "3";

  private final boolean droppable = Files.isWritable(DROP);

  boolean droppable() {
    return droppable;
  }

  /** Drops all clean pages; does nothing where that is not allowed. */
  void drop() throws IOException {
    if (droppable) Files.writeString(DROP, ALL_CLEAN);
  }
}
