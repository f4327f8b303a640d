// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree;

import io.forebay.namespace.tree.backed.DirectoryNotListed;
import io.forebay.namespace.tree.change.Opening;
import io.forebay.namespace.tree.change.PathEnd;
import io.forebay.namespace.tree.change.PathWalk;
import io.forebay.namespace.tree.change.Permissions;
import io.forebay.namespace.tree.change.WholeFile;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;

/**
 * Finds the directories that a request needs to be listed in the backing store, and marks those to
 * be listed again.
 */
final class PendingLooks {
  private final TreeState tree;
  private final Identity who;

  PendingLooks(TreeState tree, Identity who) {
    this.tree = tree;
    this.who = who;
  }

  /** The number of the first directory that must be looked into for a request; 0 for none. */
  long unseen(Names.Op op) {
    if (tree.backing.sight.unseen.isEmpty()) return 0;
    try {
      follow(op);
      return 0;
    } catch (DirectoryNotListed waits) {
      return waits.directory();
    } catch (Refused answer) {
      // Its defects are found without the store.
      return 0;
    }
  }

  /** Goes where the request would go. */
  private void follow(Names.Op op) throws Refused {
    PathWalk walk = new PathWalk(tree, who);
    switch (op) {
      case Names.Lookup o -> walk.node(o.directory(), o.path(), o.follow());
      case Names.CheckAccess o -> walk.node(o.directory(), o.path(), o.follow());
      case Names.ListDirectory o -> {
        if (walk.node(o.directory(), o.path(), true) instanceof DirectoryNode directory) {
          tree.backing.sight.require(directory);
        }
      }
      case Names.ReadLink o -> walk.node(o.directory(), o.path(), false);
      case Names.GetExtra o -> walk.node(o.directory(), o.path(), o.follow());
      case Names.ListExtras o -> walk.node(o.directory(), o.path(), o.follow());
      case Names.Drain o -> walk.node(o.directory(), o.path(), true);
      case Names.Open o -> new Opening(tree, who, o).withoutChange();
      case Names.MakeDirectory o -> walk.place(o.directory(), o.path());
      case Names.MakeSymlink o -> walk.place(o.directory(), o.path());
      case Names.MakeNode o -> walk.place(o.directory(), o.path());
      case Names.PutFile o -> walk.place(o.directory(), o.path());
      case Names.PutFiles o -> WholeFile.requireListed(walk, o.files());
      case Names.MakeLink o -> {
        walk.node(o.directory(), o.path(), false);
        walk.place(o.newDirectory(), o.newPath());
      }
      case Names.Unlink o -> walk.place(o.directory(), o.path());
      case Names.RemoveDirectory o -> {
        if (walk.place(o.directory(), o.path()).node() instanceof DirectoryNode directory) {
          tree.backing.sight.require(directory);
        }
      }
      case Names.Rename o -> {
        Node moved = walk.place(o.directory(), o.path()).node();
        Node replaced = walk.place(o.newDirectory(), o.newPath()).node();
        if (moved != null) tree.backing.sight.requireBelow(moved);
        if (replaced != null) tree.backing.sight.requireBelow(replaced);
      }
      case Names.SetAttributes o -> walk.node(o.directory(), o.path(), o.follow());
      case Names.SetExtra o -> walk.node(o.directory(), o.path(), o.follow());
      case Names.RemoveExtra o -> walk.node(o.directory(), o.path(), o.follow());
      case Names.Refresh o -> walk.place(o.directory(), o.path());
      case Names.KeepAlive o -> {}
      case Names.FindRuns o -> {}
      case Names.GetPair o -> {}
      case Names.ListPairs o -> {}
      case Names.GetUsage o -> {}
      case Names.GetLedger o -> {}
      case Names.GetStandings o -> {}
      case Names.BeginSession o -> {}
      case Names.EndSession o -> {}
      case Names.Release o -> {}
      case Names.Publish o -> {}
      case Names.Punch o -> {}
      case Names.Allocate o -> {}
      case Names.TakeNumbers o -> {}
      case Names.PutPair o -> {}
      case Names.DeletePair o -> {}
      case Names.TakeRoom o -> {}
      case Names.SetLock o -> {}
      case Names.Unlock o -> {}
      case Names.CancelLock o -> {}
      case Names.AskLock o -> {}
      case Names.FindLock o -> {}
    }
  }

  /** Marks parts of the store that other programs may have changed, to be listed again. */
  Message refresh(Names.Refresh change) throws Refused {
    PathEnd place = new PathWalk(tree, who).place(change.directory(), change.path());
    if (place.node() instanceof DirectoryNode directory) {
      Permissions.require(directory, who, Permissions.READ);
      tree.backing.sight.lookAgain(directory);
    } else {
      Permissions.require(place.parent(), who, Permissions.READ);
      if (!DirectoryNode.isTooLong(place.parent().path())) {
        tree.backing.sight.unseen.putIfAbsent(place.parent().number(), true);
      }
    }
    return new Replies.Done();
  }
}
