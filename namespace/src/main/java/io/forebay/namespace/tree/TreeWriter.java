package io.forebay.namespace.tree;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldWriter;
import io.forebay.store.index.ExtentCursor;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.MessageCodec;
import io.forebay.wire.message.Names;
import java.util.Map;

/** Writes a tree down, in an order that depends on nothing but what it holds. */
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
    // Counted anew when it is read; written so that replicas that differ in it are found out.
    item.putLong(tree.room.usedBytes());
    out.end();
    Node[] nodes = tree.nodes.sorted();
    for (Node node : nodes) writeNode(node);
    for (Node node : nodes) {
      if (node instanceof DirectoryNode directory) writeEntries(directory);
    }
    for (Map.Entry<String, FileNode> pair : tree.pairs.entrySet()) {
      writeNamed(ItemKind.PAIR, pair.getKey(), pair.getValue());
    }
    for (Node node : nodes) {
      if (node instanceof FileNode file && file.content != null) writeContent(file, file.content);
    }
    for (Session session : tree.sessions.live()) writeSession(session);
    for (long ended : tree.sessions.ended()) {
      out.item(ItemKind.ENDED_SESSION).putLong(ended);
      out.end();
    }
    tree.trees.forEach(this::writeNamedTree);
  }

  private void writeNode(Node node) {
    FieldWriter item =
        out.item(
            switch (node) {
              case FileNode file -> ItemKind.FILE;
              case DirectoryNode directory -> ItemKind.DIRECTORY;
              case SymlinkNode symlink -> ItemKind.SYMLINK;
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
    out.item(ItemKind.CONTENT).putLong(file.number());
    out.end();
    for (int group : content.groups()) {
      out.item(ItemKind.CONTENT_GROUP).putInt(group);
      out.end();
    }
    long end = 0;
    ExtentCursor cursor = content.cursor();
    for (boolean found = cursor.seek(0); found; found = cursor.next()) {
      writeExtent(cursor);
      end = cursor.endOffset();
    }
    if (content.sizeBytes() > end) {
      out.item(ItemKind.CONTENT_SIZE).putLong(content.sizeBytes());
      out.end();
    }
  }

  private void writeExtent(ExtentCursor cursor) {
    FieldWriter item = out.item(ItemKind.EXTENT);
    item.putLong(cursor.offset());
    item.putInt(cursor.lengthBytes());
    item.putLong(cursor.session());
    item.putLong(cursor.sequence());
    item.putInt(cursor.recordOffset());
    item.putInt(cursor.recordBytes());
    item.putLong(cursor.publish());
    item.putInt(cursor.group());
    out.end();
  }

  private void writeSession(Session session) {
    FieldWriter item = out.item(ItemKind.SESSION);
    item.putLong(session.id());
    item.putText(session.node());
    item.putLong(session.expiryNanos());
    item.putLong(session.promisedBytes);
    item.putLong(session.doneBelow());
    out.end();
    for (Map.Entry<Long, Message> reply : session.replies().entrySet()) {
      FieldWriter replyItem = out.item(ItemKind.REPLY);
      replyItem.putLong(reply.getKey());
      MessageCodec.FIELDS.writeNumbered(reply.getValue(), replyItem);
      out.end();
    }
    session.published.forEachRange((first, last) -> writeRange(ItemKind.PUBLISHED, first, last));
    session.taken.forEach((first, last) -> writeRange(ItemKind.TAKEN, first, last));
  }

  private void writeRange(ItemKind kind, long first, long last) {
    FieldWriter item = out.item(kind);
    item.putLong(first);
    item.putLong(last);
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
