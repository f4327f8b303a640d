// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import io.forebay.base.RecordId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file: which record supplies each of its bytes, and its size. Where published
 * extents overlap, each byte belongs to the newest by {@link Extent#isNewerThan}, regardless of
 * their order of arrival, so extents may come late or twice. Truncations must come in the order of
 * their publish numbers. The result is that of all operations applied in publish order.
 *
 * <p>All pieces of a record must lie in the file as in the record: an extent's offset less its
 * record offset is the same for all of them. So the other pieces of a record are found without an
 * index: in the range of the file that the record once covered.
 *
 * <p>Belongs to one thread. Holds at most 2^31 - 1 extents.
 */
public final class ExtentDirectory {
  private static final int FIELD_BYTES = Long.BYTES + 3 * HeapBytes.REFERENCE;

  /**
   * The number of sources that are always kept, used or not: a search for unused ones would free
   * too little.
   */
  private static final int SOURCES_SPARED = 8;

  private final ExtentTree tree = new ExtentTree();
  private final SourceTable sources = new SourceTable();
  private @Nullable Truncations truncations;
  private long sizeBytes;

  /**
   * Places an extent, except where newer extents or later truncations forbid.
   *
   * @return how many bytes the record supplies now that it did not supply before
   */
  public int publish(Extent extent, Superseded out) {
    long limit =
        truncations == null ? Truncations.UNLIMITED : truncations.limitBytes(extent.publish());
    if (extent.offset() >= limit) {
      if (!hasPiece(extent)) out.orphaned(extent.record(), extent.group());
      return 0;
    }
    Extent placed = extent.endOffset() > limit ? extent.cut(extent.offset(), limit) : extent;
    sizeBytes = Math.max(sizeBytes, placed.endOffset());
    if (placed.offset() >= tree.endOffset()) {
      tree.append(placed, sourceOf(placed));
      return placed.lengthBytes();
    }
    return overlay(placed, out);
  }

  /** Places an extent among others, from its start to its end. */
  private int overlay(Extent extent, Superseded out) {
    ExtentCursor cursor = cursor();
    long end = extent.endOffset();
    long position = extent.offset();
    long runStart = position;
    int gainedBytes = 0;
    while (position < end && cursor.seek(position) && cursor.offset() < end) {
      Extent old = cursor.extent();
      long from = Math.max(position, old.offset());
      long to = Math.min(end, old.endOffset());
      int overlapBytes = (int) (to - from);
      position = to;
      if (!extent.isNewerThan(old)) {
        gainedBytes += place(extent, runStart, from);
        runStart = to;
        continue;
      }
      if (overlapBytes == old.lengthBytes() && overlapBytes == extent.lengthBytes()) {
        // The usual overwrite, of the very same range, leaves the tree as it is.
        cursor.set(extent, sourceOf(extent));
        gainedBytes += overlapBytes;
        runStart = to;
      } else {
        takeOut(cursor, old, from, to);
      }
      if (old.record().equals(extent.record())) gainedBytes -= overlapBytes;
      else reportLoss(old, from, overlapBytes, out);
    }
    gainedBytes += place(extent, runStart, end);
    if (gainedBytes == 0 && !hasPiece(extent)) out.orphaned(extent.record(), extent.group());
    return gainedBytes;
  }

  private int place(Extent extent, long from, long to) {
    if (from == to) return 0;
    Extent piece = extent.cut(from, to);
    tree.insert(piece, sourceOf(piece));
    return piece.lengthBytes();
  }

  /** Removes the range from the extent under the cursor. */
  private void takeOut(ExtentCursor cursor, Extent old, long from, long to) {
    int source = cursor.source();
    if (from > old.offset()) {
      cursor.set(old.cut(old.offset(), from), source);
      if (to < old.endOffset()) tree.insert(old.cut(to, old.endOffset()), source);
    } else if (to < old.endOffset() && cursor.mayAdvance()) {
      cursor.set(old.cut(to, old.endOffset()), source);
    } else {
      tree.remove(old.offset());
      if (to < old.endOffset()) tree.insert(old.cut(to, old.endOffset()), source);
    }
  }

  private void reportLoss(Extent old, long offset, int lostBytes, Superseded out) {
    out.superseded(old.record(), offset, lostBytes);
    if (lostBytes == old.recordBytes() || !hasPiece(old)) out.orphaned(old.record(), old.group());
  }

  /** Whether any piece of the extent's record is in the file, be it this extent or another. */
  private boolean hasPiece(Extent extent) {
    // Bounded by the extents that fit into the record's range; only asked for records in pieces.
    // Files are mostly overwritten from front to back, so the next piece is likely to the right.
    RecordId record = extent.record();
    return hasPiece(record, extent.offset(), extent.recordStart() + extent.recordBytes())
        || hasPiece(record, extent.recordStart(), extent.offset());
  }

  private boolean hasPiece(RecordId record, long from, long to) {
    ExtentCursor cursor = cursor();
    boolean found = cursor.seek(from);
    while (found && cursor.offset() < to) {
      if (cursor.holds(record)) return true;
      found = cursor.next();
    }
    return false;
  }

  private int sourceOf(Extent extent) {
    long session = extent.record().session();
    int source = sources.find(session, extent.group());
    if (source != SourceTable.ABSENT) return source;
    // At least half of them are unused then, which pays for the walk that finds them.
    if (sources.isFull() && sources.count() / 2 >= Math.max(SOURCES_SPARED, tree.extents())) {
      dropUnusedSources();
    }
    return sources.add(session, extent.group());
  }

  private void dropUnusedSources() {
    SourceTable used = new SourceTable();
    ExtentCursor cursor = cursor();
    for (boolean found = cursor.seek(0); found; found = cursor.next()) {
      long session = cursor.session();
      int group = cursor.group();
      int source = used.find(session, group);
      cursor.setSource(source == SourceTable.ABSENT ? used.add(session, group) : source);
    }
    sources.replaceBy(used);
  }

  /**
   * Sets the size: drops what lies beyond it and was published up to this number, or extends the
   * file by a hole. A truncation not later than the last one was applied before and does nothing.
   */
  public void truncate(long publish, long sizeBytes, Superseded out) {
    if (sizeBytes < 0) throw new IllegalArgumentException("negative size " + sizeBytes);
    if (truncations == null) truncations = new Truncations();
    if (truncations.covers(publish)) return;
    truncations.add(publish, sizeBytes);
    drop(publish, sizeBytes, out);
    this.sizeBytes = Math.max(sizeBytes, tree.endOffset());
  }

  /**
   * Makes a hole between two offsets; the size stays. It is not remembered: an extent that arrives
   * later is placed completely, even if it is older.
   */
  public void punch(long from, long to, Superseded out) {
    ExtentCursor cursor = cursor();
    long position = from;
    while (position < to && cursor.seek(position) && cursor.offset() < to) {
      Extent old = cursor.extent();
      long start = Math.max(position, old.offset());
      long end = Math.min(to, old.endOffset());
      takeOut(cursor, old, start, end);
      position = end;
      reportLoss(old, start, (int) (end - start), out);
    }
  }

  /** Removes everything, as for a deleted file: each record is reported as orphaned. */
  public void clear(Superseded out) {
    drop(Long.MAX_VALUE, 0, out);
    sources.replaceBy(new SourceTable());
    truncations = null;
    sizeBytes = 0;
  }

  /** Drops extents that were published up to the number and lie at or behind the offset. */
  private void drop(long publish, long offset, Superseded out) {
    ExtentCursor cursor = cursor();
    boolean found = cursor.seek(offset);
    if (found && cursor.offset() < offset) {
      if (cursor.publish() <= publish) dropEnd(cursor, offset, out);
      found = cursor.next();
    }
    if (!found) return;
    // The tail is removed as a whole, for truncated files are large. Only fragments need a check of
    // the rest, and only a late truncation finds extents to keep.
    Map<RecordId, Extent> fragments = new LinkedHashMap<>();
    List<Extent> kept = new ArrayList<>();
    for (; found; found = cursor.next()) {
      Extent old = cursor.extent();
      if (old.publish() > publish) {
        kept.add(old);
      } else {
        out.superseded(old.record(), old.offset(), old.lengthBytes());
        if (old.isWholeRecord()) out.orphaned(old.record(), old.group());
        else fragments.putIfAbsent(old.record(), old);
      }
    }
    tree.removeFrom(offset, cursor);
    for (Extent extent : kept) place(extent, extent.offset(), extent.endOffset());
    for (Extent fragment : fragments.values()) {
      if (!hasPiece(fragment)) out.orphaned(fragment.record(), fragment.group());
    }
  }

  private void dropEnd(ExtentCursor cursor, long offset, Superseded out) {
    Extent old = cursor.extent();
    takeOut(cursor, old, offset, old.endOffset());
    out.superseded(old.record(), offset, (int) (old.endOffset() - offset));
  }

  /**
   * Shows a range of the file, as far as the file reaches. The visitor must not change the
   * directory.
   */
  public void read(long offset, long lengthBytes, RangeVisitor visitor) {
    if (offset < 0 || lengthBytes < 0) {
      throw new IllegalArgumentException("no range of a file: " + offset + "+" + lengthBytes);
    }
    long end = lengthBytes < sizeBytes - offset ? offset + lengthBytes : sizeBytes;
    long position = offset;
    ExtentCursor cursor = cursor();
    boolean found = position < end && cursor.seek(position);
    while (found && cursor.offset() < end) {
      cursor.cut(position, end);
      if (cursor.offset() > position) visitor.hole(position, cursor.offset() - position);
      position = cursor.endOffset();
      visitor.extent(cursor);
      found = cursor.next();
    }
    if (position < end) visitor.hole(position, end - position);
  }

  /** The extent that holds the offset, or null if there is a hole or the file ends before. */
  public @Nullable Extent at(long offset) {
    ExtentCursor cursor = cursor();
    return cursor.find(offset) ? cursor.extent() : null;
  }

  /** A cursor over all extents, for walks and lookups that should not allocate. */
  public ExtentCursor cursor() {
    return new ExtentCursor(tree, sources);
  }

  /** The file's size: at least the end of the last extent, and more if truncation extended it. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** How many extents the file consists of. */
  public int extents() {
    return tree.extents();
  }

  /** The heap size of this directory, including spare capacity; walks all nodes. */
  public long memoryBytes() {
    return HeapBytes.object(FIELD_BYTES)
        + tree.memoryBytes()
        + sources.memoryBytes()
        + (truncations == null ? 0 : truncations.memoryBytes());
  }

  ExtentTree tree() {
    return tree;
  }
}
