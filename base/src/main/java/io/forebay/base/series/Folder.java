// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.series;

/** A directory in which to look for checkpoints. */
public interface Folder {
  /** Visits its entries, in any order. */
  void visit(Visitor visitor);

  /** Gets the entries of a directory. */
  interface Visitor {
    /**
     * A file.
     *
     * @param clean whether the backing store has all of it
     */
    void file(String name, long number, long modifyNanos, boolean clean);

    void folder(String name, Folder folder);
  }
}
