// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.series;

/** A directory as somebody sees it who looks for checkpoints. */
public interface Folder {
  /** Shows what is in it, in any order. */
  void visit(Visitor visitor);

  /** Is shown what is in a directory. */
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
