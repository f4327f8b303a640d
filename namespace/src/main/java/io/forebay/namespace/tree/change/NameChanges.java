// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.NameRules;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.SpecialNode;
import io.forebay.namespace.tree.node.SymlinkNode;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;

/** Creates and removes names. Each method checks everything before it changes anything. */
public final class NameChanges {
  /** How many names a file may have, as on ext4. */
  static final int LINKS_MAX = 65_000;

  private final TreeState tree;
  private final Call call;
  private final Effects effects;
  private final PathWalk walk;

  public NameChanges(TreeState tree, Call call, Effects effects) {
    this.tree = tree;
    this.call = call;
    this.effects = effects;
    this.walk = new PathWalk(tree, call.who());
  }

  public Message makeDirectory(Names.MakeDirectory change) throws Refused {
    PathEnd place = walk.place(change.directory(), change.path());
    requireNew(place, true);
    DirectoryNode made = new DirectoryNode(takeNumber());
    return enter(place, made, change.mode());
  }

  public Message makeSymlink(Names.MakeSymlink change) throws Refused {
    if (change.target().isEmpty()) throw new Refused(ErrorCode.NOT_FOUND, "an empty target");
    NameRules.checkPath(change.target());
    PathEnd place = walk.place(change.directory(), change.path());
    requireNew(place, false);
    SymlinkNode made = new SymlinkNode(takeNumber(), change.target());
    made.links = 1;
    return enter(place, made, SymlinkNode.MODE);
  }

  public Message makeNode(Names.MakeNode change) throws Refused {
    Names.Kind kind = change.kind();
    if (!kind.isSpecial()) throw new Refused(ErrorCode.INVALID, kind + " is no special file");
    if (change.device() < 0 || change.device() > Names.DEVICE_MAX) {
      throw new Refused(ErrorCode.INVALID, "device " + change.device());
    }
    PathEnd place = walk.place(change.directory(), change.path());
    requireNew(place, false);
    if (kind.isDevice() && !Permissions.isRoot(call.who())) {
      throw new Refused(
          ErrorCode.NOT_PERMITTED,
          "user " + call.who().user() + " may not make devices; only root may");
    }
    SpecialNode made = new SpecialNode(takeNumber(), kind, kind.isDevice() ? change.device() : 0);
    made.links = 1;
    return enter(place, made, change.mode());
  }

  /** Makes a file at a place that has been checked. */
  FileNode makeFile(PathEnd place, int mode) throws Refused {
    tree.requireNumbers(1);
    tree.limits.create();
    FileNode made = new FileNode(takeNumber(), false);
    made.links = 1;
    enter(place, made, mode);
    return made;
  }

  private long takeNumber() throws Refused {
    tree.requireNumbers(1);
    return tree.takeNumbers(1);
  }

  Message enter(PathEnd place, Node made, int mode) {
    Permissions.found(made, place.parent(), call.who(), mode);
    made.accessNanos = call.timeNanos();
    made.modified(call.timeNanos());
    tree.nodes.add(made);
    place.parent().put(place.name(), made);
    place.parent().modified(call.timeNanos());
    return new Names.NodeIs(made.attributes());
  }

  private void requireNew(PathEnd place, boolean directory) throws Refused {
    requireNew(place, directory, call.who());
  }

  /** Refuses a name that is taken, or that the user may not make. */
  static void requireNew(PathEnd place, boolean directory, Identity who) throws Refused {
    if (!place.isName() || place.node() != null) {
      throw new Refused(ErrorCode.EXISTS, "'" + place.name() + "' is there");
    }
    if (place.slash() && !directory) {
      throw new Refused(ErrorCode.NOT_FOUND, "no directory '" + place.name() + "'");
    }
    Permissions.require(place.parent(), who, Permissions.WRITE | Permissions.SEARCH);
  }

  /** Gives any node but a directory another name. A symlink is not followed, as on Linux. */
  public Message makeLink(Names.MakeLink change) throws Refused {
    Node node = walk.node(change.directory(), change.path(), false);
    PathEnd place = walk.place(change.newDirectory(), change.newPath());
    requireNew(place, false);
    switch (node) {
      case DirectoryNode directory ->
          throw new Refused(ErrorCode.NOT_PERMITTED, directory.number() + " is a directory");
      case FileNode file -> {
        requireLinkable(file, file.links);
        if (file.pair) throw new Refused(ErrorCode.NOT_PERMITTED, "a pair has a key, no names");
        file.links++;
      }
      case SymlinkNode symlink -> {
        requireLinkable(symlink, symlink.links);
        symlink.links++;
      }
      case SpecialNode special -> {
        requireLinkable(special, special.links);
        special.links++;
      }
    }
    place.parent().put(place.name(), node);
    place.parent().modified(call.timeNanos());
    node.changeNanos = call.timeNanos();
    return new Names.NodeIs(node.attributes());
  }

  private static void requireLinkable(Node node, int links) throws Refused {
    if (links == 0) throw new Refused(ErrorCode.NOT_FOUND, node.number() + " has no name left");
    if (links >= LINKS_MAX) {
      throw new Refused(ErrorCode.TOO_MANY_LINKS, node.number() + " has " + links + " names");
    }
  }

  public Message unlink(Names.Unlink change) throws Refused {
    PathEnd place = walk.place(change.directory(), change.path());
    Node node = place.node();
    if (!place.isName()) {
      ErrorCode code = node instanceof DirectoryNode ? ErrorCode.IS_A_DIRECTORY : ErrorCode.INVALID;
      throw new Refused(code, "'" + change.path() + "' is no name to remove");
    }
    if (node == null) throw new Refused(ErrorCode.NOT_FOUND, "no '" + place.name() + "'");
    boolean directory = node instanceof DirectoryNode;
    if (place.slash() && !directory) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, "'" + place.name() + "'");
    }
    if (!place.slash()) Permissions.requireRemoval(place.parent(), node, call.who());
    if (directory) throw new Refused(ErrorCode.IS_A_DIRECTORY, "'" + place.name() + "'");
    place.parent().remove(place.name());
    place.parent().modified(call.timeNanos());
    lostName(node);
    if (node instanceof FileNode file) tree.backing.removed(file, place.parent(), place.name());
    return new Replies.Done();
  }

  public Message removeDirectory(Names.RemoveDirectory change) throws Refused {
    PathEnd place = walk.place(change.directory(), change.path());
    Node node = place.node();
    switch (place.last()) {
      case NAME -> {}
      case DOT_DOT -> throw new Refused(ErrorCode.NOT_EMPTY, "'..' contains the directory");
      case DOT, ROOT, SELF ->
          throw new Refused(ErrorCode.INVALID, "'" + change.path() + "' is no name to remove");
    }
    if (node == null) throw new Refused(ErrorCode.NOT_FOUND, "no '" + place.name() + "'");
    Permissions.requireRemoval(place.parent(), node, call.who());
    if (!(node instanceof DirectoryNode directory)) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, "'" + place.name() + "'");
    }
    tree.backing.sight.require(directory);
    requireEmpty(directory, place.name());
    place.parent().remove(place.name());
    place.parent().modified(call.timeNanos());
    lostName(directory);
    tree.backing.directoryRemoved(place.parent(), place.name());
    return new Replies.Done();
  }

  void requireEmpty(DirectoryNode directory, String name) throws Refused {
    if (!directory.isEmpty()) {
      throw new Refused(
          ErrorCode.NOT_EMPTY, "'" + name + "' has " + directory.sizeBytes() + " names in it");
    }
    Integer leftOut = tree.backing.sight.leftOut.get(directory.number());
    if (leftOut != null) {
      throw new Refused(
          ErrorCode.NOT_EMPTY,
          "'%s' has %d symbolic links or special files in the backing store; remove them there"
              .formatted(name, leftOut));
    }
  }

  /** A node loses a name. A file without names lives on while clients have it open. */
  void lostName(Node node) {
    node.changeNanos = call.timeNanos();
    switch (node) {
      case DirectoryNode directory -> {
        tree.nodes.remove(directory);
        tree.backing.sight.removed(directory);
      }
      case SymlinkNode symlink -> {
        if (--symlink.links == 0) tree.nodes.remove(symlink);
      }
      case SpecialNode special -> {
        if (--special.links == 0) tree.nodes.remove(special);
      }
      case FileNode file -> {
        if (--file.links > 0) return;
        tree.orphans.add(file.number());
        effects.orphaned(tree.fileId(file));
      }
    }
  }
}
