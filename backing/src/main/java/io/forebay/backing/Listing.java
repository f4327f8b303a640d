// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import java.util.List;

/**
 * The names in one directory, piece by piece, unordered. Names that are added or removed during the
 * listing may be seen or not. One thread at a time.
 */
public interface Listing extends AutoCloseable {
  record Entry(String name, BackingFile file) {}

  /** At most this many more entries; none at the end. */
  List<Entry> next(int entriesMax) throws BackingException;

  @Override
  void close();
}
