// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

/**
 * A pending change in the backing store. The changes of a tree are made one after the other, in the
 * order of the journal (P24).
 */
public sealed interface BackingChange {
  /** Counts the changes of a tree; never used again. */
  long number();

  /**
   * An attempt gets its final name.
   *
   * @param attempt the attempt's number
   */
  record Commit(long number, long file, int attempt, String name) implements BackingChange {}

  /** A file in the store gets another name, regardless of its current one. */
  record Rename(long number, long file, String name) implements BackingChange {}

  /** A file that is in the store goes. */
  record Delete(long number, long file) implements BackingChange {}

  /** Removes an earlier file's content under a name. */
  record DeleteName(long number, String name) implements BackingChange {}

  /** A directory goes, unless others have put something into it. */
  record RemoveDirectory(long number, String name) implements BackingChange {}

  /** An attempt at several files gets its final name, and with it all of them theirs. */
  record CommitPack(long number, long pack) implements BackingChange {}

  /** A file in a pack counts no longer: another has its name, or it never counted. */
  record Forget(long number, String contentTag) implements BackingChange {}
}
