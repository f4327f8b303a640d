// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.proof.ContentKey;
import io.forebay.namespace.tree.backed.BackingTable;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.NodeTable;
import io.forebay.namespace.tree.node.SpecialNode;
import io.forebay.namespace.tree.node.SymlinkNode;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The complete state of a tree, for the classes that change it, answer from it, and write
 * snapshots.
 */
public final class TreeState {
  /** The group whose journal has this tree. */
  public final GroupId home;

  public final int instance;
  public final int number;

  /** Whether this is tree 0 of an instance of private access: it lists the others, and no more. */
  public final boolean listsTrees;

  public final TreeCapacity room;
  public final TreeLimits limits = new TreeLimits();
  public final NodeTable nodes = new NodeTable();
  public final TreeMap<String, FileNode> pairs = new TreeMap<>();

  /** Files without a name, by number. */
  public final TreeSet<Long> orphans = new TreeSet<>();

  public final Sessions sessions = new Sessions();
  public final LiveRecords live = new LiveRecords();
  public final BackingTable backing;
  public final Unfinished unfinished = new Unfinished();
  public final LockTable locks = new LockTable();

  /** In tree 0, the private trees by node. */
  public final TreeMap<String, Names.SessionIs> trees = new TreeMap<>();

  /** The parts of the capacity that private trees have got, by tree. */
  public final TreeMap<Integer, Long> grants = new TreeMap<>();

  /** The key of the proofs of the tree's files (P28). */
  public @Nullable ContentKey key;

  /** The next unused number, without the tree's high bits. */
  public long nextNumber = Names.PAIRS + 1;

  public TreeState(GroupId home, int instance, int number, boolean listsTrees, long capacityBytes) {
    this.home = home;
    this.instance = instance;
    this.number = number;
    this.listsTrees = listsTrees;
    this.room = new TreeCapacity(capacityBytes);
    this.backing = new BackingTable(instance, number, nodes);
  }

  public DirectoryNode root() {
    return nodes.directory(Names.inTree(number, Names.ROOT));
  }

  /** The directory whose owner and mode decide which users may use pairs. It has no names. */
  public DirectoryNode pairsDirectory() {
    return nodes.directory(Names.inTree(number, Names.PAIRS));
  }

  public boolean isPairsDirectory(Node node) {
    return node.number() == Names.inTree(number, Names.PAIRS);
  }

  public FileId fileId(FileNode file) {
    return new FileId(instance, file.number());
  }

  public Node require(long number) throws Refused {
    Node node = nodes.get(number);
    if (node == null) throw new Refused(ErrorCode.STALE_HANDLE, "no node " + number);
    return node;
  }

  public FileNode requireFile(long number) throws Refused {
    return switch (require(number)) {
      case FileNode file -> file;
      case DirectoryNode directory ->
          throw new Refused(ErrorCode.IS_A_DIRECTORY, "node " + directory.number());
      case SymlinkNode symlink ->
          throw new Refused(ErrorCode.INVALID, "node " + symlink.number() + " is a symlink");
      case SpecialNode special ->
          throw new Refused(ErrorCode.INVALID, "node " + special.number() + " is a special file");
    };
  }

  /** Refuses to make a node that the tree could not hold. */
  public void requireNumbers(long count) throws Refused {
    if (nextNumber > (1L << Names.TREE_SHIFT) - count || nodes.size() >= NodeTable.NODES_MAX) {
      throw new Refused(ErrorCode.NO_SPACE, "tree " + number + " has no numbers left");
    }
  }

  /** Reserves consecutive unused numbers; returns the first. */
  public long takeNumbers(long count) {
    long first = Names.inTree(number, nextNumber);
    nextNumber += count;
    return first;
  }
}
