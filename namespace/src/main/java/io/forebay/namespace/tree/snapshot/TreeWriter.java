// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.snapshot;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldWriter;
import io.forebay.namespace.tree.Tree;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileContent;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.ReservedRanges;
import io.forebay.namespace.tree.node.SpecialNode;
import io.forebay.namespace.tree.node.SymlinkNode;
import io.forebay.namespace.tree.state.LockTable;
import io.forebay.namespace.tree.state.Session;
import io.forebay.namespace.tree.state.TreeLimits;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.store.index.Extent;
import io.forebay.wire.codec.MessageCodec;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Writes a tree to a snapshot, in an order that depends only on its contents. */
public final class TreeWriter {
  private final TreeState tree;
  private final Chunks out;

  public TreeWriter(Tree tree, Chunks out) {
    this.tree = tree.state();
    this.out = out;
  }

  public void write() {
    FieldWriter item = out.item(ItemKind.TREE);
    item.putInt(tree.instance);
    item.putInt(tree.number);
    item.putByte(tree.listsTrees ? 1 : 0);
    item.putLong(tree.room.capacityBytes());
    item.putLong(tree.nextNumber);
    // Recounted when it is read; written so that replicas that differ in it are noticed.
    item.putLong(tree.room.takenBytes());
    out.end();
    if (tree.key != null) {
      out.item(ItemKind.KEY).putBytes(tree.key.bytes().asBuffer());
      out.end();
    }
    writeLimits();
    Node[] nodes = tree.nodes.sorted();
    for (Node node : nodes) writeNode(node);
    for (Node node : nodes) {
      if (node instanceof DirectoryNode directory) writeEntries(directory);
    }
    for (Map.Entry<String, FileNode> pair : tree.pairs.entrySet()) {
      writeNamed(ItemKind.PAIR, pair.getKey(), pair.getValue());
    }
    for (Node node : nodes) {
      if (!(node instanceof FileNode file)) continue;
      if (file.content != null) writeContent(file, file.content);
      if (file.reserved != null) writeReserved(file.number(), file.reserved);
    }
    for (Session session : tree.sessions.live()) writeSession(session);
    for (long ended : tree.sessions.ended()) {
      out.item(ItemKind.ENDED_SESSION).putLong(ended);
      out.end();
    }
    tree.trees.forEach(this::writeNamedTree);
    tree.grants.forEach(
        (granted, bytes) -> {
          FieldWriter grant = out.item(ItemKind.TREE_GRANT);
          grant.putInt(granted);
          grant.putLong(bytes);
          out.end();
        });
    BackingWriter.write(tree.backing, out);
    tree.unfinished.left.forEach((file, index) -> writeRange(ItemKind.LEFT, file, index));
    for (List<LockTable.Held> locks : tree.locks.allHeld()) {
      for (LockTable.Held lock : locks) writeLock(ItemKind.LOCK, lock, 0);
    }
    for (List<LockTable.Waiting> requests : tree.locks.allWaiting()) {
      for (LockTable.Waiting each : requests) {
        writeLock(ItemKind.LOCK_WAITING, each.wanted(), each.ticket());
      }
    }
  }

  private void writeLimits() {
    TreeLimits.Limits limits = tree.limits.limits();
    FieldWriter item = out.item(ItemKind.LIMITS);
    item.putLong(limits.fileBytesMax());
    item.putLong(limits.filesMax());
    item.putByte(limits.usedUp() ? 1 : 0);
    item.putLong(tree.limits.filesCreated());
    item.putLong(tree.room.usedBytesMax());
    out.end();
  }

  private void writeNode(Node node) {
    FieldWriter item =
        out.item(
            switch (node) {
              case FileNode file -> ItemKind.FILE;
              case DirectoryNode directory -> ItemKind.DIRECTORY;
              case SymlinkNode symlink -> ItemKind.SYMLINK;
              case SpecialNode special -> ItemKind.SPECIAL;
            });
    item.putLong(node.number());
    switch (node) {
      case FileNode file -> {
        item.putByte(file.pair ? 1 : 0);
        item.putInt(file.links);
        item.putLong(file.version);
      }
      case DirectoryNode directory -> {}
      case SymlinkNode symlink -> {
        item.putText(symlink.target());
        item.putInt(symlink.links);
      }
      case SpecialNode special -> {
        item.putByte(special.kindCode());
        item.putLong(special.device());
        item.putInt(special.links);
      }
    }
    item.putInt(node.mode);
    item.putInt(node.user);
    item.putInt(node.group);
    item.putLong(node.accessNanos);
    item.putLong(node.modifyNanos);
    item.putLong(node.changeNanos);
    out.end();
    if (node.extras != null) node.extras.forEach(this::writeExtra);
  }

  private void writeExtra(String name, Bytes value) {
    FieldWriter item = out.item(ItemKind.EXTRA);
    item.putText(name);
    item.putBytes(value.asBuffer());
    out.end();
  }

  private void writeEntries(DirectoryNode directory) {
    if (directory.isEmpty()) return;
    out.item(ItemKind.DIRECTORY_ENTRIES).putLong(directory.number());
    out.end();
    for (Map.Entry<String, Node> entry : directory.entries().entrySet()) {
      writeNamed(ItemKind.ENTRY, entry.getKey(), entry.getValue());
    }
  }

  private void writeNamed(ItemKind kind, String name, Node node) {
    FieldWriter item = out.item(kind);
    item.putText(name);
    item.putLong(node.number());
    out.end();
  }

  private void writeContent(FileNode file, FileContent content) {
    if (content.sizeBytes() == 0 && content.groups().length == 0) return;
    out.item(ItemKind.CONTENT).putLong(file.number());
    out.end();
    long[] end = {0};
    TreeSet<Integer> shown = new TreeSet<>();
    content.visit(
        0,
        extent -> {
          writeExtent(extent);
          end[0] = extent.endOffset();
          shown.add(extent.group());
          return true;
        });
    if (content.sizeBytes() > end[0]) {
      out.item(ItemKind.CONTENT_SIZE).putLong(content.sizeBytes());
      out.end();
    }
    for (int group : content.groups()) {
      if (shown.contains(group)) continue;
      out.item(ItemKind.CONTENT_GROUP).putInt(group);
      out.end();
    }
  }

  private void writeReserved(long file, ReservedRanges reserved) {
    reserved.forEach(
        (from, to) -> {
          FieldWriter item = out.item(ItemKind.RESERVED);
          item.putLong(file);
          item.putLong(from);
          item.putLong(to);
          out.end();
        });
  }

  private void writeExtent(Extent extent) {
    FieldWriter item = out.item(ItemKind.EXTENT);
    item.putLong(extent.offset());
    item.putInt(extent.lengthBytes());
    item.putLong(extent.record().session());
    item.putLong(extent.record().sequence());
    item.putInt(extent.recordOffset());
    item.putInt(extent.recordBytes());
    item.putLong(extent.publish());
    item.putInt(extent.group());
    out.end();
  }

  private void writeSession(Session session) {
    FieldWriter item = out.item(ItemKind.SESSION);
    item.putLong(session.id());
    item.putText(session.node());
    item.putLong(session.expiryNanos());
    item.putLong(session.promisedBytes);
    item.putLong(session.doneBelow());
    item.putLong(session.settledBelow());
    out.end();
    for (Map.Entry<Long, Message> reply : session.replies().entrySet()) {
      FieldWriter replyItem = out.item(ItemKind.REPLY);
      replyItem.putLong(reply.getKey());
      MessageCodec.FIELDS.writeNumbered(reply.getValue(), replyItem);
      out.end();
    }
    session.published.forEachRange((first, last) -> writeRange(ItemKind.PUBLISHED, first, last));
    session.taken.forEach((first, last) -> writeRange(ItemKind.TAKEN, first, last));
    out.item(ItemKind.SESSION_BEGUN).putLong(session.begunIndex);
    out.end();
    for (long file : session.unfinished) {
      out.item(ItemKind.UNFINISHED).putLong(file);
      out.end();
    }
  }

  private void writeRange(ItemKind kind, long first, long last) {
    FieldWriter item = out.item(kind);
    item.putLong(first);
    item.putLong(last);
    out.end();
  }

  private void writeLock(ItemKind kind, LockTable.Held held, long ticket) {
    Names.Lock lock = held.lock();
    FieldWriter item = out.item(kind);
    item.putLong(held.session());
    item.putLong(ticket);
    item.putLong(lock.file());
    item.putByte(lock.kind() == Names.LockKind.WHOLE ? 1 : 0);
    item.putLong(lock.owner());
    item.putInt(lock.process());
    item.putByte(lock.exclusive() ? 1 : 0);
    item.putLong(lock.first());
    item.putLong(lock.last());
    out.end();
  }

  private void writeNamedTree(String node, Names.SessionIs named) {
    FieldWriter item = out.item(ItemKind.NAMED_TREE);
    item.putText(node);
    item.putInt(named.tree());
    item.putInt(named.group().number());
    out.end();
  }
}
