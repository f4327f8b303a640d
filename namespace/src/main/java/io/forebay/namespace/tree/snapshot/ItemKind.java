// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.snapshot;

import io.forebay.base.fields.MalformedFields;

/**
 * The items of a snapshot, in their order. Some kinds name the owner of the items after them:
 * {@link #TREE}, {@link #DIRECTORY_ENTRIES}, {@link #CONTENT}, {@link #SESSION}. Codes are never
 * reused.
 */
public enum ItemKind {
  /** The group and the last index applied. */
  GROUP(1),
  /** The first and the last of a range of instances that have ended. */
  DROPPED_INSTANCES(2),
  TREE(3),
  FILE(4),
  DIRECTORY(5),
  SYMLINK(6),
  /** An attribute of the node that came last. */
  EXTRA(7),
  DIRECTORY_ENTRIES(8),
  ENTRY(9),
  PAIR(10),
  CONTENT(11),
  EXTENT(12),
  /** The size of a file that ends with a hole. */
  CONTENT_SIZE(13),
  /** A group that held a record of the file and holds none that an extent shows. */
  CONTENT_GROUP(14),
  SESSION(15),
  REPLY(16),
  PUBLISHED(17),
  TAKEN(18),
  ENDED_SESSION(19),
  NAMED_TREE(20),
  /** Nothing follows. */
  END(21),
  /** A private tree's part of the capacity. */
  TREE_GRANT(22),
  /** The state of a file in the backing store. */
  BACKED(23),
  /** The attempt of the file that came last. */
  BACKED_ATTEMPT(24),
  /** Records that died, which the attempt may still read. */
  HELD(25),
  STORE_CHANGE(26),
  OUTDATED(27),
  NEXT_CHANGE(28),
  /** The entry that began the session that came last. */
  SESSION_BEGUN(35),
  /** A file that the session that came last has not closed. */
  UNFINISHED(36),
  /** A file whose writer ended without closing it. */
  LEFT(37),
  /** Content in the store under a name that no file here controls. */
  REMAINS(50),
  /** The tree shows the contents of the store. */
  OVER(51),
  /** A directory that has to be listed. */
  UNSEEN(52),
  /** The number of hidden names of a directory. */
  LEFT_OUT(53),
  /** Files that are written together. */
  PACK(54),
  /** A file of the pack that came last. */
  PACK_FILE(55),
  /** Calls of the next change that may be on their way. */
  STORE_CALL(56),
  /** An advisory lock and its session. */
  LOCK(60),
  /** A request that waits for a lock, in the order of their coming. */
  LOCK_WAITING(61),
  /** A FIFO, a socket or a device. */
  SPECIAL(70),
  /** A range that was allocated to a file and has not been written. */
  RESERVED(71),
  /** The key of the proofs of the tree's files. */
  KEY(80),
  /** What write protection allows in the tree, and what counts against it. */
  LIMITS(81),
  /** How much of an instance's data has gone through the group. */
  USE(82),
  /** A part of the write window of the instance that came last. */
  USE_BUCKET(83);

  private final int code;

  ItemKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  public static ItemKind of(int code) throws MalformedFields {
    for (ItemKind kind : values()) {
      if (kind.code == code) return kind;
    }
    throw new MalformedFields("no item of a snapshot has number " + code);
  }
}
