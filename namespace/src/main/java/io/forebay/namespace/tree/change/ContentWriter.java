// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.namespace.tree.node.Extents;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.ReleasedContent;
import io.forebay.namespace.tree.node.SingleRecord;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.state.Session;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.store.index.Extent;
import io.forebay.store.index.Superseded;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Names;
import org.jspecify.annotations.Nullable;

/** One change of one file's content: accounts for room and live records, and reports dead ones. */
public final class ContentWriter implements Superseded {
  private final TreeState tree;
  private final FileNode file;

  /** Null if the file dies as a whole, so that its records need not be reported one by one. */
  private final @Nullable DeadRanges dead;

  public ContentWriter(TreeState tree, FileNode file, Effects effects) {
    this(tree, file, new DeadRanges(tree.fileId(file), tree.backing.holding(file, effects)));
  }

  private ContentWriter(TreeState tree, FileNode file, @Nullable DeadRanges dead) {
    this.tree = tree;
    this.file = file;
    this.dead = dead;
  }

  /** Removes a file that is no longer needed. */
  public static void giveUp(TreeState tree, FileNode file, Effects effects) {
    if (file.content != null) {
      int[] groups = file.content.groups();
      ContentWriter writer = new ContentWriter(tree, file, (DeadRanges) null);
      writer.extents().clear(writer);
      for (int group : groups) {
        effects.dead(new GroupId(group), Data.Dead.file(tree.fileId(file)));
      }
    }
    tree.nodes.remove(file);
    tree.backing.forgotten(file);
    tree.unfinished.gone(file);
    tree.locks.gone(file.number());
  }

  /** Places a whole record. */
  void place(long index, long offset, Names.Piece piece, Session session) {
    RecordId record = new RecordId(session.id(), piece.sequence());
    int length = piece.lengthBytes();
    session.published.add(piece.sequence());
    place(new Extent(offset, length, record, 0, length, index, piece.group().number()));
    file.version = index;
  }

  /** Places a record with the same bytes as the file has there: the version stays. */
  public void enter(Names.Piece piece, Session session) {
    RecordId record = new RecordId(session.id(), piece.sequence());
    int length = piece.lengthBytes();
    session.published.add(piece.sequence());
    int group = piece.group().number();
    place(new Extent(piece.offset(), length, record, 0, length, file.version, group));
  }

  /** Places an extent, which may be the remainder of a record. */
  public void place(Extent extent) {
    tree.live.add(extent.record().session(), extent.record().sequence());
    file.unreserve(extent.offset(), extent.endOffset());
    if (file.content == null && SingleRecord.suits(extent)) {
      file.content = SingleRecord.of(extent);
      tree.room.addUsed(extent.lengthBytes());
    } else {
      tree.room.addUsed(extents().publish(extent, this));
    }
  }

  public void truncate(long index, long sizeBytes) {
    if (file.content != null || sizeBytes > 0) extents().truncate(index, sizeBytes, this);
    file.version = index;
    file.unreserve(sizeBytes, Long.MAX_VALUE);
    tree.backing.truncated(file, sizeBytes);
  }

  /** Drops extents in a range; the file keeps its size. */
  void punch(long index, long from, long to) {
    if (file.content != null) extents().punch(from, to, this);
    file.version = index;
  }

  /** Drops all records; the file keeps its size. */
  public void release() {
    long sizeBytes = file.sizeBytes();
    extents().clear(this);
    file.content = new ReleasedContent(sizeBytes);
  }

  /** Brings back that a group once held a record of the file. */
  public void restoreGroup(int group) {
    extents().noteGroup(group);
  }

  /** Tells of the records that died. */
  public void finish() {
    if (dead != null) dead.finish();
    tree.room.noteMost();
  }

  private Extents extents() {
    Extents extents =
        switch (file.content) {
          case null -> new Extents();
          case SingleRecord single -> Extents.of(single, this);
          case Extents many -> many;
          case ReleasedContent released -> Extents.ofSize(file.version, released.sizeBytes(), this);
        };
    file.content = extents;
    return extents;
  }

  @Override
  public void superseded(RecordId record, long offset, int lengthBytes) {
    extents().lost(lengthBytes);
    tree.room.addUsed(-lengthBytes);
  }

  @Override
  public void orphaned(RecordId record, int group) {
    tree.live.remove(record.session(), record.sequence());
    if (dead != null) dead.add(group, record.session(), record.sequence());
  }
}
