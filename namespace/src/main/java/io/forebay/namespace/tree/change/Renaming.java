// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.backed.BackingTable;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import org.jspecify.annotations.Nullable;

/** Moves names. The checks have the same order as on Linux, so that the same errors come first. */
public final class Renaming {
  private final TreeState tree;
  private final Call call;
  private final NameChanges names;
  private final Names.Rename change;
  private final PathEnd from;
  private final Node node;
  private final PathEnd to;
  private final @Nullable Node replaced;

  public Renaming(TreeState tree, Call call, NameChanges names, Names.Rename change)
      throws Refused {
    this.tree = tree;
    this.call = call;
    this.names = names;
    this.change = change;
    if (change.exchange() && change.noReplace()) {
      throw new Refused(ErrorCode.INVALID, "to exchange is to replace");
    }
    PathWalk walk = new PathWalk(tree, call.who());
    PathEnd approachedFrom = walk.approach(change.directory(), change.path());
    PathEnd approachedTo = walk.approach(change.newDirectory(), change.newPath());
    if (!approachedFrom.isName()) {
      throw new Refused(ErrorCode.INVALID, "no name: '" + change.path() + "'");
    }
    if (!approachedTo.isName()) {
      ErrorCode code = change.noReplace() ? ErrorCode.EXISTS : ErrorCode.INVALID;
      throw new Refused(code, "no name: '" + change.newPath() + "'");
    }
    from = walk.look(approachedFrom);
    if (from.node() == null) throw new Refused(ErrorCode.NOT_FOUND, "no '" + change.path() + "'");
    node = from.node();
    to = walk.look(approachedTo);
    replaced = to.node();
    // Names in the store follow file by file, so all entries below must be known.
    tree.backing.sight.requireBelow(node);
    if (replaced != null) tree.backing.sight.requireBelow(replaced);
  }

  public Message rename() throws Refused {
    checkTarget();
    if (replaced == node) return new Replies.Done();
    checkPermissions();
    tree.backing.requireMovable(node, pathOf(from), pathOf(to));
    if (change.exchange() && replaced != null) {
      tree.backing.requireMovable(replaced, pathOf(to), pathOf(from));
    }
    if (change.exchange() && replaced != null) exchange(replaced);
    else move();
    return new Replies.Done();
  }

  private void checkTarget() throws Refused {
    if (change.noReplace() && replaced != null) {
      throw new Refused(ErrorCode.EXISTS, "'" + change.newPath() + "' is there");
    }
    if (change.exchange()) {
      if (replaced == null) {
        throw new Refused(ErrorCode.NOT_FOUND, "no '" + change.newPath() + "'");
      }
      requireDirectoryIf(to.slash(), replaced, change.newPath());
    }
    requireDirectoryIf(from.slash(), node, change.path());
    requireDirectoryIf(to.slash() && !change.exchange(), node, change.newPath());
    if (node instanceof DirectoryNode moved && moved.contains(to.parent())) {
      throw new Refused(ErrorCode.INVALID, "'" + change.path() + "' would lie within itself");
    }
    if (replaced instanceof DirectoryNode above && above.contains(from.parent())) {
      ErrorCode code = change.exchange() ? ErrorCode.INVALID : ErrorCode.NOT_EMPTY;
      throw new Refused(code, "'" + change.newPath() + "' contains what is to replace it");
    }
  }

  private static void requireDirectoryIf(boolean slash, Node node, String path) throws Refused {
    if (slash && !(node instanceof DirectoryNode)) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, "'" + path + "'");
    }
  }

  private void checkPermissions() throws Refused {
    Permissions.requireRemoval(from.parent(), node, call.who());
    if (replaced == null) {
      Permissions.require(to.parent(), call.who(), Permissions.WRITE | Permissions.SEARCH);
    } else {
      Permissions.requireRemoval(to.parent(), replaced, call.who());
      if (!change.exchange()) checkReplacement(replaced);
    }
    if (from.parent() != to.parent()) {
      // A directory that gets another parent changes too: its own '..' does.
      requireWritableDirectory(node);
      if (change.exchange() && replaced != null) requireWritableDirectory(replaced);
    }
    if (replaced instanceof DirectoryNode directory && !change.exchange()) {
      names.requireEmpty(directory, to.name());
    }
  }

  private void checkReplacement(Node target) throws Refused {
    boolean directory = node instanceof DirectoryNode;
    if (directory && !(target instanceof DirectoryNode)) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, "'" + change.newPath() + "'");
    }
    if (!directory && target instanceof DirectoryNode) {
      throw new Refused(ErrorCode.IS_A_DIRECTORY, "'" + change.newPath() + "'");
    }
  }

  private void requireWritableDirectory(Node node) throws Refused {
    if (node instanceof DirectoryNode) Permissions.require(node, call.who(), Permissions.WRITE);
  }

  private void exchange(Node other) {
    from.parent().remove(from.name());
    to.parent().remove(to.name());
    to.parent().put(to.name(), node);
    from.parent().put(from.name(), other);
    other.changeNanos = call.timeNanos();
    moved();
    tree.backing.exchanged(node, pathOf(from), other, pathOf(to));
  }

  private void move() {
    if (replaced != null) to.parent().remove(to.name());
    from.parent().remove(from.name());
    to.parent().put(to.name(), node);
    moved();
    if (replaced != null) names.lostName(replaced);
    if (replaced instanceof FileNode file) tree.backing.replaced(file, to.parent(), to.name());
    tree.backing.moved(node, pathOf(from), pathOf(to));
  }

  private static String pathOf(PathEnd place) {
    return BackingTable.pathOf(place.parent(), place.name());
  }

  private void moved() {
    node.changeNanos = call.timeNanos();
    from.parent().modified(call.timeNanos());
    to.parent().modified(call.timeNanos());
  }
}
