// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import io.forebay.base.RecordId;

/**
 * Walks the extents of one {@link ExtentDirectory} in order without allocating. It stands on an
 * extent once {@link #seek} or {@link #next} answered true; any change of the directory invalidates
 * its position until the next {@code seek}.
 */
public final class ExtentCursor {
  private final ExtentTree tree;
  private final SourceTable sources;
  private Leaf leaf;
  private int slot = -1;
  private long offset;
  private int lengthBytes;

  ExtentCursor(ExtentTree tree, SourceTable sources) {
    this.tree = tree;
    this.sources = sources;
    this.leaf = tree.firstLeaf();
  }

  /** Goes to the extent that holds the offset, or else to the first behind it; false if none. */
  public boolean seek(long offset) {
    return find(offset) || next();
  }

  /** Goes to the extent that holds the offset; false if there is a hole, or the file's end. */
  public boolean find(long offset) {
    return tree.floor(offset, this) && endOffset() > offset;
  }

  /** Goes to the extent behind the present one; false, and no move, if that was the last. */
  public boolean next() {
    if (slot + 1 < leaf.count) return moveTo(leaf, slot + 1);
    Leaf following = leaf.next();
    return following != null && moveTo(following, 0);
  }

  /** The offset of the extent in the file. */
  public long offset() {
    return offset;
  }

  public int lengthBytes() {
    return lengthBytes;
  }

  public long endOffset() {
    return offset + lengthBytes;
  }

  public long session() {
    return sources.session(leaf.source(slot));
  }

  public long sequence() {
    return leaf.sequence(slot);
  }

  /** The offset of the extent in the record's payload. */
  public int recordOffset() {
    // The difference was cut off the front; it is less than the extent's length.
    return leaf.recordOffset(slot) + (int) (offset - leaf.offset(slot));
  }

  public int recordBytes() {
    return leaf.recordBytes(slot);
  }

  public long publish() {
    return leaf.publish(slot);
  }

  public int group() {
    return sources.group(leaf.source(slot));
  }

  /** Whether the extent is a piece of this record; cheaper than making its id. */
  public boolean holds(RecordId record) {
    return sequence() == record.sequence() && session() == record.session();
  }

  /** The extent as a value that outlives the cursor's next move. */
  public Extent extent() {
    RecordId record = new RecordId(session(), sequence());
    return new Extent(
        offset, lengthBytes, record, recordOffset(), recordBytes(), publish(), group());
  }

  boolean moveTo(Leaf leaf, int slot) {
    this.leaf = leaf;
    this.slot = slot;
    offset = leaf.offset(slot);
    lengthBytes = leaf.lengthBytes(slot);
    return true;
  }

  /** Stands before the first extent, so that {@link #next} goes to it. */
  void rewind() {
    leaf = tree.firstLeaf();
    slot = -1;
  }

  /** Shows only the part in the range, until the next move. */
  void cut(long fromOffset, long toOffset) {
    long start = Math.max(offset, fromOffset);
    lengthBytes = (int) (Math.min(endOffset(), toOffset) - start);
    offset = start;
  }

  /** Overwrites the extent in place; a later offset needs {@link #mayAdvance}. */
  void set(Extent extent, int source) {
    leaf.set(slot, extent, source);
  }

  /**
   * Whether the extent may start later, short of its end, and keep its slot. The last of a leaf may
   * not: it can reach over offsets for which the next leaf answers.
   */
  boolean mayAdvance() {
    return slot + 1 < leaf.count;
  }

  int source() {
    return leaf.source(slot);
  }

  void setSource(int source) {
    leaf.setSource(slot, source);
  }
}
