// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.namespace.tree.backed.BackingCall;
import io.forebay.namespace.tree.drain.FoundInBacking;
import io.forebay.namespace.tree.drain.PackOutcome;
import io.forebay.namespace.tree.drain.ReadPiece;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.List;

/** What is journalled. Times are the home's wall clock when it was proposed. */
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
   * Begins a tree, unless it is there.
   *
   * @param owner to whom root and pairs belong, with the group
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
   * Gives a private tree room out of the instance's capacity, as much of what is wanted as there
   * is; goes to tree 0. Answered with RoomIs: all that the tree has got.
   *
   * @param wantedBytes all that the tree would have
   */
  record GrantTree(int instance, int tree, long wantedBytes) implements GroupCommand {}

  /** A private tree has got so much room in all. */
  record GrowTree(int instance, int tree, long capacityBytes) implements GroupCommand {}

  /** The home has not heard from a session for too long. */
  record ExpireSession(int instance, int tree, long session, long timeNanos)
      implements GroupCommand {}

  /** Orphans that nobody has open any more; others among the files are left alone. */
  record Forget(int instance, int tree, List<Long> files) implements GroupCommand {}

  /** Somebody asks that a file, or all below a directory, be drained as they are now. */
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
   * @param contentTag of a commit, what the store calls the content
   */
  record BackingChanged(
      int instance, int tree, long change, boolean done, String contentTag, long timeNanos)
      implements GroupCommand {}

  /**
   * Calls of the first change of the tree's backing store are about to be sent, which cannot be
   * made twice; or a home in another process has waited for those that may be on their way.
   */
  record CallBacking(int instance, int tree, BackingCall call) implements GroupCommand {}

  /** So many changes of the tree's backing store, from the first on, are made. */
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

  /** The buffer gives up what the backing store has of these files, those that changed excepted. */
  record Release(int instance, int tree, List<Long> files) implements GroupCommand {}

  /** What was read from the backing store is in the buffer again, if it still is what it was. */
  record EnterRead(int instance, int tree, ReadPiece read) implements GroupCommand {}

  /** Begins a tree, unless it is there, that shows what its backing store holds already. */
  record BeginOver(BeginTree tree) implements GroupCommand {}

  /**
   * Begins a tree, over a store if so, in a group that may have lost one of the same number:
   * numbers that its files may have had are left out.
   *
   * @param epoch of the group when it went on without what it lost
   */
  record BeginAfterLoss(BeginTree tree, boolean over, long epoch) implements GroupCommand {}

  /**
   * Gives a tree the key that proofs of its files follow from (P28), unless it has one.
   *
   * @param key of {@link io.forebay.base.proof.ContentKey#BYTES}
   */
  record KeyTree(int instance, int tree, Bytes key) implements GroupCommand {}

  /**
   * What was found in a directory of the backing store that had to be looked into, or a part of it.
   *
   * @param mark what {@link io.forebay.namespace.tree.BackingView#settledMark} was before it was
   *     looked
   * @param last whether that was all, so that the directory can be used
   * @param leftOut with the last part, how many names are not shown; less than 0 for as many as
   *     before
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
   * All who held the group lost their memory, and it goes on with what had been forced. Instances
   * that are not forced may lack what was acknowledged: their sessions end, and numbers that were
   * given to files may not be given again.
   */
  record Restored(List<Integer> instances) implements GroupCommand {}

  /** The instance is destroyed: all its trees in this group go, and none is begun again. */
  record DropInstance(int instance) implements GroupCommand {}
}
