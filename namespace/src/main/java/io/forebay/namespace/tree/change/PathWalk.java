// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.NameRules;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.SymlinkNode;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resolves paths for one user and one request. A path with a leading slash starts at the tree's
 * root, and no path leads out of the tree.
 */
public final class PathWalk {
  /** The maximum number of symlinks that one path may follow, as on Linux. */
  static final int SYMLINKS_MAX = 40;

  private final TreeState tree;
  private final Identity who;
  private int symlinks;

  public PathWalk(TreeState tree, Identity who) {
    this.tree = tree;
    this.who = who;
  }

  /** The node a path leads to. A symlink at its end is followed if asked for, or if slashes do. */
  public Node node(long start, String path, boolean follow) throws Refused {
    return nodeAt(place(start, path), path, follow);
  }

  /** The place a path leads to, with nothing followed at its end. */
  public PathEnd place(long start, String path) throws Refused {
    return look(approach(start, path));
  }

  /** The same, with nothing looked up at its end: where two paths matter, both come first. */
  PathEnd approach(long start, String path) throws Refused {
    symlinks = 0;
    if (!path.isEmpty() && tree.nodes.get(start) == null) {
      // On Linux, a process whose working directory was removed gets the same error.
      throw new Refused(ErrorCode.NOT_FOUND, "directory " + start + " is gone: '" + path + "'");
    }
    return approach(tree.require(start), path);
  }

  /** Looks up the name at a place that has been approached. */
  PathEnd look(PathEnd place) throws Refused {
    if (!place.isName()) return place;
    NameRules.checkName(place.name());
    tree.backing.sight.require(place.parent());
    Node node = place.parent().get(place.name());
    return new PathEnd(place.parent(), place.name(), node, place.last(), place.slash());
  }

  /** The end of a path for a new file: a name with slashes behind it cannot be a file's. */
  PathEnd placeOfFile(long start, String path, boolean follow) throws Refused {
    PathEnd place = lookForFile(approach(start, path), path);
    while (follow && place.isName() && place.node() instanceof SymlinkNode symlink) {
      countSymlink(path);
      place = lookForFile(approach(place.parent(), symlink.target()), path);
    }
    return place;
  }

  private PathEnd lookForFile(PathEnd place, String path) throws Refused {
    if (place.isName() && place.slash()) throw new Refused(ErrorCode.IS_A_DIRECTORY, path);
    return look(place);
  }

  private PathEnd approach(Node start, String path) throws Refused {
    NameRules.checkPath(path);
    DirectoryNode root = tree.root();
    if (path.isEmpty()) return new PathEnd(root, "", start, PathEnd.Last.SELF, false);
    List<String> names = split(path);
    if (names.isEmpty()) return new PathEnd(root, "", root, PathEnd.Last.ROOT, true);
    Node at = path.charAt(0) == '/' ? root : start;
    for (String name : names.subList(0, names.size() - 1)) at = step(at, name, path);
    DirectoryNode parent = searchable(at, path);
    String name = names.get(names.size() - 1);
    boolean slash = path.charAt(path.length() - 1) == '/';
    return switch (name) {
      case "." -> new PathEnd(parent, name, parent, PathEnd.Last.DOT, slash);
      case ".." -> new PathEnd(parent, name, parent.parent(), PathEnd.Last.DOT_DOT, slash);
      default -> new PathEnd(parent, name, null, PathEnd.Last.NAME, slash);
    };
  }

  private static List<String> split(String path) {
    List<String> names = new ArrayList<>();
    int from = 0;
    while (from < path.length()) {
      int slash = path.indexOf('/', from);
      int to = slash < 0 ? path.length() : slash;
      if (to > from) names.add(path.substring(from, to));
      from = to + 1;
    }
    return names;
  }

  private Node step(Node at, String name, String path) throws Refused {
    DirectoryNode directory = searchable(at, path);
    if (name.equals(".")) return directory;
    if (name.equals("..")) return directory.parent();
    NameRules.checkName(name);
    tree.backing.sight.require(directory);
    Node child = present(directory.get(name), path);
    return child instanceof SymlinkNode symlink ? follow(directory, symlink, path) : child;
  }

  private DirectoryNode searchable(Node node, String path) throws Refused {
    if (!(node instanceof DirectoryNode directory)) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, "on the way of '" + path + "'");
    }
    if (tree.isPairsDirectory(directory)) {
      throw new Refused(ErrorCode.NOT_PERMITTED, "pairs have keys, not paths: '" + path + "'");
    }
    Permissions.require(directory, who, Permissions.SEARCH);
    return directory;
  }

  private Node follow(DirectoryNode directory, SymlinkNode symlink, String path) throws Refused {
    countSymlink(path);
    return nodeAt(look(approach(directory, symlink.target())), path, true);
  }

  private void countSymlink(String path) throws Refused {
    if (++symlinks > SYMLINKS_MAX) throw new Refused(ErrorCode.TOO_MANY_SYMLINKS, path);
  }

  private Node nodeAt(PathEnd place, String path, boolean follow) throws Refused {
    Node node = present(place.node(), path);
    if (node instanceof SymlinkNode symlink && place.isName() && (follow || place.slash())) {
      node = follow(place.parent(), symlink, path);
    }
    if (place.slash() && !(node instanceof DirectoryNode)) {
      throw new Refused(ErrorCode.NOT_A_DIRECTORY, path);
    }
    return node;
  }

  private static Node present(@Nullable Node node, String path) throws Refused {
    if (node == null) throw new Refused(ErrorCode.NOT_FOUND, "no '" + path + "'");
    return node;
  }
}
