// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.namespace.tree.backed.BackingCall;
import io.forebay.namespace.tree.drain.FoundInBacking;
import io.forebay.namespace.tree.drain.PackOutcome;
import io.forebay.namespace.tree.drain.ReadPiece;
import io.forebay.namespace.use.Counted;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.List;

/** The entries of the journal. Times are the home's wall clock when the entry was proposed. */
public sealed interface GroupCommand {
  /** A client's change. */
  record ClientChange(
      int instance,
      int tree,
      long session,
      long op,
      long doneBelow,
      long settledBelow,
      Identity who,
      long timeNanos,
      Names.Change change)
      implements GroupCommand {}

  /**
   * Begins a tree, unless it exists.
   *
   * @param owner the owner of root and pairs, together with the group
   * @param capacityBytes user bytes the tree may hold; 0 for no limit
   * @param privateTrees whether this is tree 0 of an instance of private access, which only lists
   *     the trees of client nodes
   */
  record BeginTree(
      int instance,
      int tree,
      int owner,
      int group,
      long capacityBytes,
      boolean privateTrees,
      long timeNanos)
      implements GroupCommand {}

  /**
   * Gives a client node a tree of its own, unless it has one; goes to tree 0. Answered with
   * SessionIs. The group is the one that the instance spreads the node to.
   */
  record NameTree(int instance, String node, GroupId group) implements GroupCommand {}

  /**
   * Gives a private tree room out of the instance's capacity, at most the wanted amount; goes to
   * tree 0. Answered with RoomIs: the tree's total room.
   *
   * @param wantedBytes the total that the tree would have
   */
  record GrantTree(int instance, int tree, long wantedBytes) implements GroupCommand {}

  /** A private tree has this much room in total. */
  record GrowTree(int instance, int tree, long capacityBytes) implements GroupCommand {}

  /**
   * The tree may hold this much from now on, unless it holds or has promised more. Answered with
   * Done, also if there is no such tree yet, or with Failed.
   */
  record ResizeTree(int instance, int tree, long capacityBytes) implements GroupCommand {}

  /** The home has not heard from a session for too long. */
  record ExpireSession(int instance, int tree, long session, long timeNanos)
      implements GroupCommand {}

  /**
   * Deletes orphaned files that no client has open any more; other files in the list are left
   * alone.
   */
  record Forget(int instance, int tree, List<Long> files) implements GroupCommand {}

  /** A client requests that a file, or all below a directory, be drained in its current version. */
  record WantDrain(int instance, int tree, long node) implements GroupCommand {}

  /** An attempt to drain a file begins (P21), if the file still is of that version. */
  record BeginDrain(int instance, int tree, long file, long version, long timeNanos)
      implements GroupCommand {}

  /** The attempt has begun in the backing store, which calls it so. */
  record NoteHandle(int instance, int tree, long file, int attempt, String handle)
      implements GroupCommand {}

  /** All is written and forced: the file is to get its name in the backing store. */
  record CommitDrain(int instance, int tree, long file, int attempt) implements GroupCommand {}

  /** Nothing of the attempt is left in the backing store. */
  record EndDrain(int instance, int tree, long file, int attempt) implements GroupCommand {}

  /**
   * The first change of the tree's backing store is made, or cannot be.
   *
   * @param contentTag after a commit, the store's tag of the content
   */
  record BackingChanged(
      int instance, int tree, long change, boolean done, String contentTag, long timeNanos)
      implements GroupCommand {}

  /**
   * Non-idempotent calls for the first change of the tree's backing store are about to be sent; or
   * a home in another process has waited for calls that may be in flight.
   */
  record CallBacking(int instance, int tree, BackingCall call) implements GroupCommand {}

  /** This many changes of the tree's backing store, from the first on, are done. */
  record BackingNoted(int instance, int tree, long firstChange, int count, long timeNanos)
      implements GroupCommand {}

  /** One attempt to drain several files begins, those excepted that are of other versions. */
  record BeginPack(int instance, int tree, List<Long> files, List<Long> versions, long timeNanos)
      implements GroupCommand {}

  /** The attempt has begun in the backing store, which calls it so. */
  record NotePack(int instance, int tree, long pack, String handle) implements GroupCommand {}

  /** All files of it are written and forced: they are to get their names. */
  record CommitPack(int instance, int tree, long pack) implements GroupCommand {}

  /** Nothing of the pack is left in the backing store. */
  record EndPack(int instance, int tree, long pack) implements GroupCommand {}

  /** The first change, the naming of a pack, is made, or cannot be. */
  record PackCommitted(int instance, int tree, PackOutcome outcome, long timeNanos)
      implements GroupCommand {}

  /** The buffer evicts drained bytes of these files, except of files that have changed. */
  record Release(int instance, int tree, List<Long> files) implements GroupCommand {}

  /**
   * Bytes that were read from the backing store are in the buffer again, if the file is unchanged.
   */
  record EnterRead(int instance, int tree, ReadPiece read) implements GroupCommand {}

  /** Begins a tree, unless it exists, that shows the existing contents of its backing store. */
  record BeginOver(BeginTree tree) implements GroupCommand {}

  /**
   * Begins a tree, optionally over a store, in a group that may have lost a tree of the same
   * number: numbers that the lost files may have had are skipped.
   *
   * @param epoch the group's epoch when it continued without the lost data
   */
  record BeginAfterLoss(BeginTree tree, boolean over, long epoch) implements GroupCommand {}

  /**
   * Gives a tree the key that proofs of its files follow from (P28), unless it has one.
   *
   * @param key of {@link io.forebay.base.proof.ContentKey#BYTES}
   */
  record KeyTree(int instance, int tree, Bytes key) implements GroupCommand {}

  /**
   * The entries of a directory of the backing store that had to be listed, or a part of them.
   *
   * @param mark the value of {@link io.forebay.namespace.tree.BackingView#settledMark} before the
   *     listing
   * @param last whether this is the last part, so that the directory can be used
   * @param leftOut with the last part, how many names are not shown; negative if unchanged
   */
  record Adopt(
      int instance,
      int tree,
      long directory,
      long mark,
      List<FoundInBacking> found,
      boolean last,
      int leftOut,
      long timeNanos)
      implements GroupCommand {}

  /**
   * What the instance's write protection allows in a tree.
   *
   * @param fileBytesMax the largest size of a file
   * @param filesMax how many files may be created
   * @param usedUp whether all trees of the instance together have that many
   */
  record LimitTree(int instance, int tree, long fileBytesMax, long filesMax, boolean usedUp)
      implements GroupCommand {}

  /** Bytes of an instance went through this group since the last such entry. */
  record CountUse(int instance, Counted counted) implements GroupCommand {}

  /**
   * All members of the group lost their memory, and it continues with forced data. Instances that
   * are not forced may lack acknowledged data: their sessions end, and file numbers that may have
   * been used are skipped.
   */
  record Restored(List<Integer> instances) implements GroupCommand {}

  /** Instances have ended: all their trees in this group go, and none is begun again (P37). */
  record DropEnded(EndedInstances ended) implements GroupCommand {}
}
