// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.snapshot;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.proof.ContentKey;
import io.forebay.namespace.tree.Tree;
import io.forebay.namespace.tree.change.ContentWriter;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.ReservedRanges;
import io.forebay.namespace.tree.node.SpecialNode;
import io.forebay.namespace.tree.node.SymlinkNode;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.state.LockTable;
import io.forebay.namespace.tree.state.Session;
import io.forebay.namespace.tree.state.TreeLimits;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.store.index.Extent;
import io.forebay.wire.codec.MessageCodec;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds a tree from the items that {@link TreeWriter} wrote. One reader for one tree. */
public final class TreeReader {
  private final TreeState tree;
  private final BackingReader store;
  private @Nullable Node lastNode;
  private @Nullable DirectoryNode directory;
  private @Nullable FileNode file;
  private @Nullable ContentWriter content;
  private @Nullable Session session;

  private TreeReader(TreeState tree) {
    this.tree = tree;
    this.store = new BackingReader(tree.backing);
  }

  /** Starts from an item of kind {@link ItemKind#TREE}. */
  public static TreeReader begin(GroupId home, FieldReader in) throws MalformedFields {
    int instance = in.getInt();
    int number = in.getInt();
    boolean listsTrees = in.getByte() != 0;
    TreeState tree = new TreeState(home, instance, number, listsTrees, in.getLong());
    tree.nextNumber = in.getLong();
    in.getLong();
    return new TreeReader(tree);
  }

  public int instance() {
    return tree.instance;
  }

  public int number() {
    return tree.number;
  }

  /** The tree, once its items have come. */
  public Tree tree() throws MalformedFields {
    node(DirectoryNode.class, Names.inTree(tree.number, Names.ROOT));
    node(DirectoryNode.class, Names.inTree(tree.number, Names.PAIRS));
    return new Tree(tree);
  }

  /** Takes the fields of one item. */
  public void item(ItemKind kind, FieldReader in) throws MalformedFields {
    switch (kind) {
      case FILE, DIRECTORY, SYMLINK, SPECIAL -> readNode(kind, in);
      case EXTRA -> readExtra(in);
      case DIRECTORY_ENTRIES -> directory = node(DirectoryNode.class, in.getLong());
      case ENTRY -> readEntry(in);
      case PAIR -> tree.pairs.put(in.getText(), node(FileNode.class, in.getLong()));
      case CONTENT, CONTENT_GROUP, EXTENT, CONTENT_SIZE -> readContent(kind, in);
      case RESERVED -> readReserved(in);
      case SESSION, REPLY, PUBLISHED, TAKEN, SESSION_BEGUN, UNFINISHED -> readSession(kind, in);
      case ENDED_SESSION -> tree.sessions.restoreEnded(in.getLong());
      case NAMED_TREE -> {
        String node = in.getText();
        int named = in.getInt();
        tree.trees.put(node, new Names.SessionIs(named, new GroupId(in.getInt()), named));
      }
      case TREE_GRANT -> {
        int granted = in.getInt();
        long bytes = in.getLong();
        if (tree.grants.put(granted, bytes) != null) {
          throw new MalformedFields("two grants of tree " + granted);
        }
        tree.room.addGranted(bytes);
      }
      case BACKED,
          BACKED_ATTEMPT,
          HELD,
          STORE_CHANGE,
          OUTDATED,
          PACK,
          PACK_FILE,
          NEXT_CHANGE,
          REMAINS,
          OVER,
          UNSEEN,
          LEFT_OUT,
          STORE_CALL ->
          store.item(kind, in);
      case LEFT -> {
        long file = in.getLong();
        tree.unfinished.left.put(file, in.getLong());
      }
      case KEY -> tree.key = ContentKey.of(Bytes.copyOf(in.getBytes()));
      case LIMITS -> readLimits(in);
      case LOCK, LOCK_WAITING -> readLock(kind, in);
      case GROUP, DROPPED_INSTANCES, TREE, USE, USE_BUCKET, END ->
          throw new MalformedFields(kind + " is no part of a tree");
    }
  }

  private void readLimits(FieldReader in) throws MalformedFields {
    TreeLimits.Limits limits = new TreeLimits.Limits(in.getLong(), in.getLong(), in.getByte() != 0);
    tree.limits.restore(limits, in.getLong());
    tree.room.restoreMost(in.getLong());
  }

  private void readNode(ItemKind kind, FieldReader in) throws MalformedFields {
    long number = in.getLong();
    Node node;
    if (kind == ItemKind.FILE) {
      FileNode file = new FileNode(number, in.getByte() != 0);
      file.links = in.getInt();
      file.version = in.getLong();
      if (file.links == 0) tree.orphans.add(number);
      node = file;
    } else if (kind == ItemKind.SYMLINK) {
      SymlinkNode symlink = new SymlinkNode(number, in.getText());
      symlink.links = in.getInt();
      node = symlink;
    } else if (kind == ItemKind.SPECIAL) {
      SpecialNode special = new SpecialNode(number, SpecialNode.kindOf(in.getByte()), in.getLong());
      special.links = in.getInt();
      node = special;
    } else {
      node = new DirectoryNode(number);
    }
    node.mode = in.getInt();
    node.user = in.getInt();
    node.group = in.getInt();
    node.accessNanos = in.getLong();
    node.modifyNanos = in.getLong();
    node.changeNanos = in.getLong();
    if (tree.nodes.get(number) != null) throw new MalformedFields("two nodes " + number);
    tree.nodes.add(node);
    lastNode = node;
  }

  private void readReserved(FieldReader in) throws MalformedFields {
    FileNode owner = node(FileNode.class, in.getLong());
    if (owner.reserved == null) owner.reserved = new ReservedRanges();
    long from = in.getLong();
    owner.reserved.add(from, in.getLong());
  }

  private void readExtra(FieldReader in) throws MalformedFields {
    Node node = present(lastNode, "an attribute before any node");
    if (node.extras == null) node.extras = new TreeMap<>();
    String name = in.getText();
    node.extras.put(name, Bytes.copyOf(in.getBytes()));
  }

  private void readEntry(FieldReader in) throws MalformedFields {
    DirectoryNode parent = present(directory, "an entry before any directory");
    String name = in.getText();
    if (parent.get(name) != null) throw new MalformedFields("two entries '" + name + "'");
    parent.put(name, node(Node.class, in.getLong()));
  }

  private void readContent(ItemKind kind, FieldReader in) throws MalformedFields {
    if (kind == ItemKind.CONTENT) {
      file = node(FileNode.class, in.getLong());
      content = new ContentWriter(tree, file, Effects.NOT_EXPECTED);
      return;
    }
    FileNode owner = present(file, "content before any file");
    ContentWriter writer = present(content, "content before any file");
    if (kind == ItemKind.CONTENT_GROUP) {
      writer.restoreGroup(in.getInt());
    } else if (kind == ItemKind.CONTENT_SIZE) {
      long sizeBytes = in.getLong();
      if (sizeBytes < owner.sizeBytes()) throw new MalformedFields("a size below the content");
      writer.truncate(owner.version, sizeBytes);
    } else {
      Extent extent = readExtent(in);
      if (extent.offset() < owner.sizeBytes()) throw new MalformedFields("extents out of order");
      writer.place(extent);
    }
  }

  private static Extent readExtent(FieldReader in) throws MalformedFields {
    long offset = in.getLong();
    int lengthBytes = in.getInt();
    RecordId record = new RecordId(in.getLong(), in.getLong());
    int recordOffset = in.getInt();
    int recordBytes = in.getInt();
    long publish = in.getLong();
    int group = in.getInt();
    return new Extent(offset, lengthBytes, record, recordOffset, recordBytes, publish, group);
  }

  private void readSession(ItemKind kind, FieldReader in) throws MalformedFields {
    if (kind == ItemKind.SESSION) {
      long id = in.getLong();
      String node = in.getText();
      if (tree.sessions.get(id) != null) throw new MalformedFields("two sessions " + id);
      Session begun = tree.sessions.restore(id, node, in.getLong());
      tree.room.restorePromise(begun, in.getLong());
      begun.forgetBelow(in.getLong());
      begun.settleBelow(in.getLong());
      session = begun;
      return;
    }
    Session owner = present(session, "an item of a session before any");
    if (kind == ItemKind.REPLY) {
      long op = in.getLong();
      owner.remember(op, MessageCodec.FIELDS.readNumbered(Message.class, in));
      return;
    }
    long first = in.getLong();
    if (kind == ItemKind.SESSION_BEGUN) {
      owner.begunIndex = first;
      return;
    }
    if (kind == ItemKind.UNFINISHED) {
      tree.unfinished.begun(first, owner);
      return;
    }
    long last = in.getLong();
    if (kind == ItemKind.PUBLISHED) owner.published.addRange(first, last);
    else owner.taken.add(first, last);
  }

  private void readLock(ItemKind kind, FieldReader in) throws MalformedFields {
    long session = in.getLong();
    long ticket = in.getLong();
    long file = in.getLong();
    Names.LockKind locked = in.getByte() != 0 ? Names.LockKind.WHOLE : Names.LockKind.RANGE;
    long owner = in.getLong();
    int process = in.getInt();
    boolean exclusive = in.getByte() != 0;
    Names.Lock lock =
        new Names.Lock(file, locked, owner, process, exclusive, in.getLong(), in.getLong());
    LockTable.Held held = new LockTable.Held(session, lock);
    if (kind == ItemKind.LOCK) tree.locks.restore(held);
    else tree.locks.restore(new LockTable.Waiting(held, ticket));
  }

  private <T extends Node> T node(Class<T> type, long number) throws MalformedFields {
    Node node = tree.nodes.get(number);
    if (!type.isInstance(node)) throw new MalformedFields("no such node: " + number);
    return type.cast(node);
  }

  private static <T> T present(@Nullable T value, String otherwise) throws MalformedFields {
    if (value == null) throw new MalformedFields(otherwise);
    return value;
  }
}
