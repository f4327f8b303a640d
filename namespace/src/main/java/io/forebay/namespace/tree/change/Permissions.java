// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;

/** Access rights, as on a local file system of Linux. User 0 may do everything. */
public final class Permissions {
  public static final int READ = 4;
  public static final int WRITE = 2;

  /** To run a file, or to look up names in a directory. */
  public static final int SEARCH = 1;

  static final int SET_USER = 04000;
  static final int SET_GROUP = 02000;
  static final int STICKY = 01000;
  static final int ALL_BITS = 07777;

  /** The mode bits of a new directory: setuid and setgid mean other things there. */
  static final int DIRECTORY_BITS = 01777;

  private static final int GROUP_SEARCH = 0010;
  private static final int ANYBODY_RUNS = 0111;
  private static final int OWNER_SHIFT = 6;
  private static final int GROUP_SHIFT = 3;

  private Permissions() {}

  static boolean isRoot(Identity who) {
    return who.user() == Identity.ROOT;
  }

  public static boolean isOwner(Node node, Identity who) {
    return isRoot(who) || who.user() == node.user;
  }

  static boolean inGroup(int group, Identity who) {
    return who.groups().contains(group);
  }

  /** Whether all of the access is allowed. For the owner, only the owner's bits count. */
  public static boolean allows(Node node, Identity who, int access) {
    if (isRoot(who)) return true;
    int bits = node.mode;
    if (who.user() == node.user) bits >>= OWNER_SHIFT;
    else if (inGroup(node.group, who)) bits >>= GROUP_SHIFT;
    return (bits & access) == access;
  }

  public static void require(Node node, Identity who, int access) throws Refused {
    if (!allows(node, who, access)) {
      throw new Refused(
          ErrorCode.ACCESS_DENIED, "user " + who.user() + " may not use node " + node.number());
    }
  }

  /** The same for access(2): root may not run a file without any execute bit either. */
  public static void requireAccess(Node node, Identity who, int access) throws Refused {
    boolean runs = (access & SEARCH) != 0 && !(node instanceof DirectoryNode);
    if (runs && (node.mode & ANYBODY_RUNS) == 0) {
      throw new Refused(ErrorCode.ACCESS_DENIED, "no user may run node " + node.number());
    }
    require(node, who, access);
  }

  static void requireOwner(Node node, Identity who) throws Refused {
    if (!isOwner(node, who)) throw notPermitted(node, who);
  }

  /** In a sticky directory only the owner of it, or of the node, takes a name away. */
  static void requireRemoval(DirectoryNode parent, Node node, Identity who) throws Refused {
    require(parent, who, WRITE | SEARCH);
    boolean sticky = (parent.mode & STICKY) != 0;
    if (sticky && !isOwner(node, who) && !isOwner(parent, who)) throw notPermitted(node, who);
  }

  static Refused notPermitted(Node node, Identity who) {
    return new Refused(
        ErrorCode.NOT_PERMITTED, "user " + who.user() + " does not own node " + node.number());
  }

  /** Owner, group and mode of a node that is made in a directory. */
  static void found(Node made, DirectoryNode parent, Identity who, int mode) {
    boolean inherits = (parent.mode & SET_GROUP) != 0;
    made.user = who.user();
    made.group = inherits ? parent.group : who.primaryGroup();
    if (made instanceof DirectoryNode) {
      made.mode = (mode & DIRECTORY_BITS) | (inherits ? SET_GROUP : 0);
    } else {
      boolean foreign = inherits && !isRoot(who) && !inGroup(made.group, who);
      boolean runsAsGroup = (mode & GROUP_SEARCH) != 0;
      made.mode = mode & ALL_BITS & (foreign && runsAsGroup ? ~SET_GROUP : ~0);
    }
  }

  /**
   * Drops the set-user-id bit of a file that is written or given away, and its set-group-id bit
   * unless the group cannot execute it and the caller is in the group.
   */
  static void dropLentRights(Node node, Identity who) {
    if (node instanceof DirectoryNode) return;
    boolean ofGroup = isRoot(who) || inGroup(node.group, who);
    boolean runsAsGroup = (node.mode & GROUP_SEARCH) != 0;
    node.mode &= ~(runsAsGroup || !ofGroup ? SET_USER | SET_GROUP : SET_USER);
  }
}
