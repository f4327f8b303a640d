// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.SpecialNode;
import io.forebay.namespace.tree.node.SymlinkNode;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.Session;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Opens files: determines the changes that an open needs, so that most opens need no journal entry.
 */
public final class Opening {
  /** The plan of an open. */
  private sealed interface Plan {
    record Existing(Node node) implements Plan {}

    record Make(PathEnd place) implements Plan {}

    record Empty(FileNode file) implements Plan {}
  }

  private final TreeState tree;
  private final Identity who;
  private final Names.Open open;

  public Opening(TreeState tree, Identity who, Names.Open open) {
    this.tree = tree;
    this.who = who;
    this.open = open;
  }

  /** The answer if nothing changes by it, or null. */
  public @Nullable Message withoutChange() throws Refused {
    return plan() instanceof Plan.Existing(Node node) ? new Names.NodeIs(node.attributes()) : null;
  }

  public Message change(Call call, NameChanges names, Session session, Effects effects)
      throws Refused {
    Node opened =
        switch (plan()) {
          case Plan.Existing(Node node) -> node;
          case Plan.Make(PathEnd place) -> {
            FileNode made = names.makeFile(place, open.mode());
            tree.unfinished.begun(made.number(), session);
            yield made;
          }
          case Plan.Empty(FileNode file) -> {
            FileChanges.truncate(tree, file, 0, call, effects);
            tree.unfinished.begun(file.number(), session);
            yield file;
          }
        };
    return new Names.NodeIs(opened.attributes());
  }

  private Plan plan() throws Refused {
    PathWalk walk = new PathWalk(tree, who);
    if (!open.create()) return planFor(walk.node(open.directory(), open.path(), true));
    PathEnd place = walk.placeOfFile(open.directory(), open.path(), !open.exclusive());
    Node node = place.node();
    if (node == null) {
      NameChanges.requireNew(place, false, who);
      return new Plan.Make(place);
    }
    if (open.exclusive()) {
      throw new Refused(ErrorCode.EXISTS, "'" + open.path() + "' is there");
    }
    return planFor(node);
  }

  private static String text(SpecialNode special) {
    return special.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private Plan planFor(Node node) throws Refused {
    boolean changes = open.write() || open.truncate();
    if (node instanceof DirectoryNode && (changes || open.create())) {
      throw new Refused(ErrorCode.IS_A_DIRECTORY, "'" + open.path() + "'");
    }
    if (node instanceof SymlinkNode) {
      // Only by its own number: a path would have led on.
      throw new Refused(ErrorCode.TOO_MANY_SYMLINKS, node.number() + " is a symlink");
    }
    if (node instanceof SpecialNode special) {
      throw new Refused(
          ErrorCode.INVALID,
          "'%s' is a %s, which only a mount can open".formatted(open.path(), text(special)));
    }
    int access = (open.read() ? Permissions.READ : 0) | (changes ? Permissions.WRITE : 0);
    Permissions.require(node, who, access);
    if (node instanceof FileNode file) {
      if (file.pair && changes) throw FileChanges.isPair(file);
      if (open.truncate()) return new Plan.Empty(file);
    }
    return new Plan.Existing(node);
  }
}
