package io.forebay.namespace.tree;

import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import org.jspecify.annotations.Nullable;

/** Moves names. The order of its checks is that of Linux, so that the same errors come first. */
final class Renaming {
  private final Call call;
  private final NameChanges names;
  private final Names.Rename change;
  private final Place from;
  private final Place to;

  Renaming(TreeState tree, Call call, NameChanges names, Names.Rename change) throws Refused {
    this.call = call;
    this.names = names;
    this.change = change;
    if (change.exchange() && change.noReplace()) {
      throw new Refused(ErrorCode.INVALID, "to exchange is to replace");
    }
    PathWalk walk = new PathWalk(tree, call.who());
    from = walk.place(change.directory(), change.path());
    to = walk.place(change.newDirectory(), change.newPath());
  }

  Message rename() throws Refused {
    if (!from.isName()) throw new Refused(ErrorCode.INVALID, "no name: '" + change.path() + "'");
    if (!to.isName()) {
      ErrorCode code = change.noReplace() ? ErrorCode.EXISTS : ErrorCode.INVALID;
      throw new Refused(code, "no name: '" + change.newPath() + "'");
    }
    Node node = from.node();
    if (node == null) throw new Refused(ErrorCode.NOT_FOUND, "no '" + change.path() + "'");
    Node replaced = to.node();
    checkTarget(node, replaced);
    if (replaced == node) return new Replies.Done();
    checkPermissions(node, replaced);
    if (change.exchange() && replaced != null) exchange(node, replaced);
    else move(node, replaced);
    return new Replies.Done();
  }

  private void checkTarget(Node node, @Nullable Node replaced) throws Refused {
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

  private void checkPermissions(Node node, @Nullable Node replaced) throws Refused {
    Permissions.requireRemoval(from.parent(), node, call.who());
    if (replaced == null) {
      Permissions.require(to.parent(), call.who(), Permissions.WRITE | Permissions.SEARCH);
    } else {
      Permissions.requireRemoval(to.parent(), replaced, call.who());
      if (!change.exchange()) checkReplacement(node, replaced);
    }
    if (from.parent() != to.parent()) {
      // A directory that gets another parent changes too: its own '..' does.
      requireWritableDirectory(node);
      if (change.exchange() && replaced != null) requireWritableDirectory(replaced);
    }
    if (replaced instanceof DirectoryNode directory && !change.exchange()) {
      NameChanges.requireEmpty(directory, to.name());
    }
  }

  private void checkReplacement(Node node, Node replaced) throws Refused {
    boolean directory = node instanceof DirectoryNode;
    if (directory && !(replaced instanceof DirectoryNode)) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, "'" + change.newPath() + "'");
    }
    if (!directory && replaced instanceof DirectoryNode) {
      throw new Refused(ErrorCode.IS_A_DIRECTORY, "'" + change.newPath() + "'");
    }
  }

  private void requireWritableDirectory(Node node) throws Refused {
    if (node instanceof DirectoryNode) Permissions.require(node, call.who(), Permissions.WRITE);
  }

  private void exchange(Node node, Node other) {
    from.parent().remove(from.name());
    to.parent().remove(to.name());
    to.parent().put(to.name(), node);
    from.parent().put(from.name(), other);
    other.changeNanos = call.timeNanos();
    moved(node);
  }

  private void move(Node node, @Nullable Node replaced) {
    if (replaced != null) to.parent().remove(to.name());
    from.parent().remove(from.name());
    to.parent().put(to.name(), node);
    moved(node);
    if (replaced != null) names.lostName(replaced);
  }

  private void moved(Node node) {
    node.changeNanos = call.timeNanos();
    from.parent().modified(call.timeNanos());
    to.parent().modified(call.timeNanos());
  }
}
