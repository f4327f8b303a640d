// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import java.util.List;

/**
 * The names in one directory, piece by piece, in no order. Names that come or go meanwhile may be
 * seen or not. One thread at a time.
 */
public interface Listing extends AutoCloseable {
  record Entry(String name, BackingFile file) {}

  /** At most so many more entries; none when all have been seen. */
  List<Entry> next(int entriesMax) throws BackingException;

  @Override
  void close();
}
