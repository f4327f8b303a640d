// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.base.Bytes;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.NameLimits;
import io.forebay.namespace.tree.node.NameRules;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Extra attributes of nodes. Names that start with {@code trusted.}, {@code security.} or {@code
 * system.} are root's to set, {@code trusted.} ones also to see; for all others the permissions of
 * file or directory hold, and other nodes have none, as on Linux.
 */
public final class Extras {
  static final int NAME_BYTES_MAX = NameLimits.EXTRA_NAME_BYTES_MAX;
  static final int VALUE_BYTES_MAX = NameLimits.EXTRA_VALUE_BYTES_MAX;

  /** Names and values of one node together. */
  static final int NODE_BYTES_MAX = 256 * 1024;

  private static final String TRUSTED = "trusted.";
  private static final List<String> ROOTS_OWN = List.of(TRUSTED, "security.", "system.");

  private final TreeState tree;
  private final Identity who;
  private final PathWalk walk;

  public Extras(TreeState tree, Identity who) {
    this.tree = tree;
    this.who = who;
    this.walk = new PathWalk(tree, who);
  }

  public Message set(Names.SetExtra change, long timeNanos) throws Refused {
    checkName(change.name());
    if (change.value().length() > VALUE_BYTES_MAX) {
      throw new Refused(
          ErrorCode.TOO_LARGE, "an attribute of " + change.value().length() + " bytes");
    }
    Node node = walk.node(change.directory(), change.path(), change.follow());
    requireWrite(node, change.name());
    Bytes present = valueOf(node, change.name());
    if (present != null && change.create()) {
      throw new Refused(ErrorCode.EXISTS, "attribute '" + change.name() + "' is there");
    }
    if (present == null && change.replace()) throw none(change.name());
    requireRoom(node, change, present);
    if (node.extras == null) node.extras = new TreeMap<>();
    node.extras.put(change.name(), change.value());
    node.changeNanos = timeNanos;
    return new Replies.Done();
  }

  private static void requireRoom(Node node, Names.SetExtra change, @Nullable Bytes present)
      throws Refused {
    int bytes = NameRules.utf8Bytes(change.name()) + change.value().length();
    if (present != null) bytes -= NameRules.utf8Bytes(change.name()) + present.length();
    if (node.extras != null) {
      for (var extra : node.extras.entrySet()) {
        bytes += NameRules.utf8Bytes(extra.getKey()) + extra.getValue().length();
      }
    }
    if (bytes > NODE_BYTES_MAX) {
      throw new Refused(ErrorCode.NO_SPACE, bytes + " bytes of attributes of one node");
    }
  }

  public Message remove(Names.RemoveExtra change, long timeNanos) throws Refused {
    checkName(change.name());
    Node node = walk.node(change.directory(), change.path(), change.follow());
    requireWrite(node, change.name());
    if (node.extras == null || node.extras.remove(change.name()) == null) {
      throw none(change.name());
    }
    if (node.extras.isEmpty()) node.extras = null;
    node.changeNanos = timeNanos;
    return new Replies.Done();
  }

  public Message get(Names.GetExtra question) throws Refused {
    checkName(question.name());
    Node node = walk.node(question.directory(), question.path(), question.follow());
    if (!isVisible(question.name())) throw none(question.name());
    if (!isRootsOwn(question.name()) && hasUsersOwn(node)) {
      Permissions.require(node, who, Permissions.READ);
    }
    Bytes value = valueOf(node, question.name());
    if (value == null) throw none(question.name());
    return new Names.ExtraIs(value);
  }

  public Message list(Names.ListExtras question) throws Refused {
    Node node = walk.node(question.directory(), question.path(), question.follow());
    if (node.extras == null) return new Names.ExtrasAre(List.of());
    return new Names.ExtrasAre(node.extras.keySet().stream().filter(this::isVisible).toList());
  }

  private static boolean hasUsersOwn(Node node) {
    return node instanceof FileNode || node instanceof DirectoryNode;
  }

  private static @Nullable Bytes valueOf(Node node, String name) {
    return node.extras == null ? null : node.extras.get(name);
  }

  private static void checkName(String name) throws Refused {
    if (name.isEmpty()) throw new Refused(ErrorCode.INVALID, "an attribute without a name");
    if (NameRules.utf8Bytes(name) > NAME_BYTES_MAX) {
      throw new Refused(ErrorCode.NAME_TOO_LONG, "the name of an attribute");
    }
    NameRules.checkText(name, "attribute's name");
  }

  private static boolean isRootsOwn(String name) {
    return ROOTS_OWN.stream().anyMatch(name::startsWith);
  }

  private boolean isVisible(String name) {
    return Permissions.isRoot(who) || !name.startsWith(TRUSTED);
  }

  private void requireWrite(Node node, String name) throws Refused {
    if (tree.isPairsDirectory(node) || (node instanceof FileNode file && file.pair)) {
      throw new Refused(ErrorCode.INVALID, "pairs have no attributes");
    }
    if (isRootsOwn(name)) {
      if (!Permissions.isRoot(who)) {
        throw new Refused(ErrorCode.NOT_PERMITTED, "attribute '" + name + "' is root's");
      }
      return;
    }
    if (!hasUsersOwn(node)) {
      throw new Refused(
          ErrorCode.NOT_PERMITTED, "only files and directories have attributes of users");
    }
    if (node instanceof DirectoryNode && (node.mode & Permissions.STICKY) != 0) {
      Permissions.requireOwner(node, who);
    }
    Permissions.require(node, who, Permissions.WRITE);
  }

  private static Refused none(String name) {
    return new Refused(ErrorCode.NO_ATTRIBUTE, "no attribute '" + name + "'");
  }
}
