// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.ReservedRanges;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.Session;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Changes the content of files. A session that has a file's number may publish to it: permissions
 * are checked at open, and the creator of a read-only file may write it.
 */
public final class FileChanges {
  /** The longest a file can be; sums of offsets and lengths do not overflow. */
  static final long FILE_BYTES_MAX = 1L << 62;

  private static final Comparator<Names.Piece> BY_SEQUENCE =
      (a, b) -> Long.compareUnsigned(a.sequence(), b.sequence());

  private final TreeState tree;
  private final Call call;
  private final Effects effects;

  public FileChanges(TreeState tree, Call call, Effects effects) {
    this.tree = tree;
    this.call = call;
    this.effects = effects;
  }

  static Refused isPair(FileNode file) {
    return new Refused(ErrorCode.INVALID, file.number() + " is the value of a pair");
  }

  static void truncate(TreeState tree, FileNode file, long sizeBytes, Call call, Effects effects) {
    ContentWriter writer = new ContentWriter(tree, file, effects);
    writer.truncate(call.index(), sizeBytes);
    writer.finish();
    if (sizeBytes == 0) tree.unfinished.emptied(file);
    written(file, call);
  }

  private static void written(FileNode file, Call call) {
    file.modified(call.timeNanos());
    if (!Permissions.isRoot(call.who())) Permissions.dropLentRights(file, call.who());
  }

  /**
   * Adds records to a file. A record that the session published before, to any file, is left out:
   * it may have been overwritten since, and its bytes may be gone.
   */
  public Message publish(Names.Publish change, Session session) throws Refused {
    FileNode file = tree.requireFile(change.file());
    if (file.pair) throw isPair(file);
    List<Names.Piece> pieces = inOrder(change.pieces());
    pieces.removeIf(piece -> session.published.contains(piece.sequence()));
    requireNotGivenUp(pieces, session);
    long startOffset = change.append() ? file.sizeBytes() : 0;
    for (Names.Piece piece : pieces) {
      if (piece.lengthBytes() > FILE_BYTES_MAX - startOffset - piece.offset()) {
        throw new Refused(ErrorCode.TOO_LARGE, "file " + file.number() + " would be too long");
      }
      // Homes refused pieces of other offsets before they took them; what they took is published.
      if (change.append()) {
        long endOffset = startOffset + piece.offset() + piece.lengthBytes();
        tree.limits.requireSize(endOffset, file.sizeBytes());
      }
    }
    if (!pieces.isEmpty()) {
      place(file, startOffset, pieces, session);
      written(file, call);
    }
    if (change.close()) tree.unfinished.closed(file.number(), session);
    else if (!pieces.isEmpty()) tree.unfinished.begun(file.number(), session);
    return new Names.Published(file.version, startOffset, file.sizeBytes());
  }

  /** Punches a hole, except where the backing store has bytes that would show through. */
  public Message punch(Names.Punch change) throws Refused {
    FileNode file = tree.requireFile(change.file());
    if (file.pair) throw isPair(file);
    if (change.offset() < 0 || change.lengthBytes() <= 0) {
      throw new Refused(
          ErrorCode.INVALID, "a hole of " + change.lengthBytes() + " at " + change.offset());
    }
    long backedBytes = tree.backing.backedBytes(file);
    long from = Math.max(change.offset(), backedBytes);
    long to = Math.min(endOf(change), file.sizeBytes());
    file.unreserve(change.offset(), endOf(change));
    if (from < to) {
      ContentWriter writer = new ContentWriter(tree, file, effects);
      writer.punch(call.index(), from, to);
      writer.finish();
      written(file, call);
    }
    return new Names.Punched(file.version, file.sizeBytes(), backedBytes);
  }

  private static long endOf(Names.Punch change) {
    boolean overflows = change.lengthBytes() > Long.MAX_VALUE - change.offset();
    return overflows ? Long.MAX_VALUE : change.offset() + change.lengthBytes();
  }

  /** Notes what of a range no extent holds; the file gets longer if it is to. */
  public Message allocate(Names.Allocate change) throws Refused {
    FileNode file = tree.requireFile(change.file());
    if (file.pair) throw isPair(file);
    if (change.offset() < 0 || change.lengthBytes() <= 0) {
      throw new Refused(
          ErrorCode.INVALID, "a range of " + change.lengthBytes() + " at " + change.offset());
    }
    if (change.lengthBytes() > FILE_BYTES_MAX - change.offset()) {
      throw new Refused(ErrorCode.TOO_LARGE, "file " + file.number() + " would be too long");
    }
    long end = change.offset() + change.lengthBytes();
    if (!change.keepSize()) tree.limits.requireSize(end, file.sizeBytes());
    if (!change.keepSize() && end > file.sizeBytes()) truncate(tree, file, end, call, effects);
    reserve(file, change.offset(), end);
    written(file, call);
    return new Names.NodeIs(file.attributes());
  }

  private static void reserve(FileNode file, long from, long to) {
    ReservedRanges reserved = file.reserved == null ? new ReservedRanges() : file.reserved;
    reserved.add(from, to);
    if (file.content != null) {
      file.content.visit(
          from,
          extent -> {
            if (extent.offset() >= to) return false;
            reserved.remove(extent.offset(), extent.endOffset());
            return true;
          });
    }
    file.reserved = reserved.bytes() == 0 ? null : reserved;
  }

  /** Pieces that the client gave up may have been deleted. */
  static void requireNotGivenUp(List<Names.Piece> pieces, Session session) throws Refused {
    for (Names.Piece piece : pieces) {
      if (!session.mayPublish(piece.sequence())) {
        throw new Refused(ErrorCode.INVALID, "piece " + piece.sequence() + " was given up");
      }
    }
  }

  /** The pieces in the order of their sequences, each checked on its own. */
  static List<Names.Piece> inOrder(List<Names.Piece> given) throws Refused {
    if (given.size() > Names.PIECES_MAX) {
      throw new Refused(ErrorCode.INVALID, given.size() + " pieces in one publish");
    }
    for (Names.Piece piece : given) {
      if (piece.lengthBytes() <= 0 || piece.offset() < 0) {
        throw new Refused(
            ErrorCode.INVALID, "a piece of " + piece.lengthBytes() + " at " + piece.offset());
      }
      if (piece.offset() > FILE_BYTES_MAX) {
        throw new Refused(ErrorCode.TOO_LARGE, "a piece at " + piece.offset());
      }
    }
    List<Names.Piece> pieces = new ArrayList<>(given);
    pieces.sort(BY_SEQUENCE);
    for (int i = 1; i < pieces.size(); i++) {
      if (pieces.get(i - 1).sequence() == pieces.get(i).sequence()) {
        throw new Refused(ErrorCode.INVALID, "two pieces of sequence " + pieces.get(i).sequence());
      }
    }
    return pieces;
  }

  /** Places pieces that have been checked, if there is room for them. */
  void place(FileNode file, long startOffset, List<Names.Piece> pieces, Session session)
      throws Refused {
    long bytes = 0;
    for (Names.Piece piece : pieces) bytes += piece.lengthBytes();
    tree.room.requireFor(session, bytes);
    tree.room.spend(session, bytes);
    ContentWriter writer = new ContentWriter(tree, file, effects);
    for (Names.Piece piece : pieces) {
      writer.place(call.index(), startOffset + piece.offset(), piece, session);
    }
    writer.finish();
  }
}
