// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.SymlinkNode;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;

/** Changes mode, owner, size and times: checks all of them before changing any. */
public final class AttributeChanges {
  private final TreeState tree;
  private final Call call;
  private final Identity who;
  private final Effects effects;

  public AttributeChanges(TreeState tree, Call call, Effects effects) {
    this.tree = tree;
    this.call = call;
    this.who = call.who();
    this.effects = effects;
  }

  public Message set(Names.SetAttributes change) throws Refused {
    Node node = new PathWalk(tree, who).node(change.directory(), change.path(), change.follow());
    if (node instanceof FileNode file && file.pair) throw FileChanges.isPair(file);
    checkOwner(change, node);
    checkMode(change, node);
    checkSize(change, node);
    checkTimes(change, node);
    setOwner(change, node);
    if (change.sizeBytes() != Names.UNCHANGED && node instanceof FileNode file) {
      FileChanges.truncate(tree, file, change.sizeBytes(), call, effects);
    }
    setMode(change, node);
    setTimes(change, node);
    return new Names.NodeIs(node.attributes());
  }

  /** Only root changes the owner; the owner may change the group to one of the owner's groups. */
  private void checkOwner(Names.SetAttributes change, Node node) throws Refused {
    if (!changesOwner(change) || Permissions.isRoot(who)) return;
    boolean sameUser = change.user() == Names.UNCHANGED || change.user() == node.user;
    boolean ownGroup =
        change.group() == Names.UNCHANGED
            || change.group() == node.group
            || Permissions.inGroup(change.group(), who);
    if (who.user() != node.user || !sameUser || !ownGroup) {
      throw Permissions.notPermitted(node, who);
    }
  }

  private static boolean changesOwner(Names.SetAttributes change) {
    return change.user() != Names.UNCHANGED || change.group() != Names.UNCHANGED;
  }

  private void checkMode(Names.SetAttributes change, Node node) throws Refused {
    if (change.mode() == Names.UNCHANGED) return;
    if (node instanceof SymlinkNode) throw new Refused(ErrorCode.INVALID, "symlinks have no mode");
    Permissions.requireOwner(node, who);
  }

  private void checkSize(Names.SetAttributes change, Node node) throws Refused {
    if (change.sizeBytes() == Names.UNCHANGED) return;
    if (change.sizeBytes() < 0) {
      throw new Refused(ErrorCode.INVALID, "a size of " + change.sizeBytes());
    }
    if (change.sizeBytes() > FileChanges.FILE_BYTES_MAX) {
      throw new Refused(ErrorCode.TOO_LARGE, "a size of " + change.sizeBytes());
    }
    FileNode file = tree.requireFile(node.number());
    tree.limits.requireSize(change.sizeBytes(), file.sizeBytes());
    // A truncation by number counts as a write: the home knows which sessions have the file open
    // (P28).
    if (!change.path().isEmpty()) Permissions.require(file, who, Permissions.WRITE);
  }

  /**
   * Every user with write permission may set both times to now; only the owner sets other times.
   */
  private void checkTimes(Names.SetAttributes change, Node node) throws Refused {
    long access = change.accessNanos();
    long modify = change.modifyNanos();
    if (access == Names.UNCHANGED && modify == Names.UNCHANGED) return;
    if (Permissions.isOwner(node, who)) return;
    if (access != Names.NOW || modify != Names.NOW) throw Permissions.notPermitted(node, who);
    Permissions.require(node, who, Permissions.WRITE);
  }

  private void setOwner(Names.SetAttributes change, Node node) {
    if (!changesOwner(change)) return;
    Permissions.dropLentRights(node, call.who());
    if (change.user() != Names.UNCHANGED) node.user = change.user();
    if (change.group() != Names.UNCHANGED) node.group = change.group();
    node.changeNanos = call.timeNanos();
  }

  private void setMode(Names.SetAttributes change, Node node) {
    if (change.mode() == Names.UNCHANGED) return;
    boolean lends = Permissions.isRoot(who) || Permissions.inGroup(node.group, who);
    node.mode = change.mode() & Permissions.ALL_BITS & (lends ? ~0 : ~Permissions.SET_GROUP);
    node.changeNanos = call.timeNanos();
  }

  private void setTimes(Names.SetAttributes change, Node node) {
    if (change.accessNanos() != Names.UNCHANGED) {
      node.accessNanos = timeOf(change.accessNanos());
      node.changeNanos = call.timeNanos();
    }
    if (change.modifyNanos() != Names.UNCHANGED) {
      node.modifyNanos = timeOf(change.modifyNanos());
      node.changeNanos = call.timeNanos();
    }
  }

  private long timeOf(long nanos) {
    return nanos == Names.NOW ? call.timeNanos() : nanos;
  }
}
