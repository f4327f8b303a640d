// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.change;

import io.forebay.namespace.tree.backed.DirectoryNotListed;
import io.forebay.namespace.tree.node.FileNode;
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

/** Makes a file with all its bytes in one step, where no name is. */
public final class WholeFile {
  private final TreeState tree;
  private final Call call;
  private final Effects effects;

  public WholeFile(TreeState tree, Call call, Effects effects) {
    this.tree = tree;
    this.call = call;
    this.effects = effects;
  }

  public Names.Published put(Names.PutFile change, Session session) throws Refused {
    PathEnd place =
        new PathWalk(tree, call.who()).placeOfFile(change.directory(), change.path(), false);
    NameChanges.requireNew(place, false, call.who());
    List<Names.Piece> pieces = checked(change.file(), change.sizeBytes(), change.pieces(), session);
    tree.requireNumbers(0);
    tree.limits.requireSize(change.sizeBytes(), 0);
    tree.room.requireFor(session, change.sizeBytes());
    tree.limits.create();
    FileNode file = new FileNode(change.file(), false);
    if (!pieces.isEmpty()) new FileChanges(tree, call, effects).place(file, 0, pieces, session);
    file.links = 1;
    file.version = call.index();
    new NameChanges(tree, call, effects).enter(place, file, change.mode());
    if (change.modifyNanos() != Names.NOW) file.modifyNanos = change.modifyNanos();
    session.taken.remove(change.file());
    return new Names.Published(file.version, 0, file.sizeBytes());
  }

  /**
   * Makes several files. All names are looked for first: a change that waits for the listing of a
   * directory is applied again from its beginning, so it must not have made any file before.
   */
  public Message putAll(Names.PutFiles change, Session session) throws DirectoryNotListed {
    if (!tree.backing.sight.unseen.isEmpty()) {
      requireListed(new PathWalk(tree, call.who()), change.files());
    }
    List<Long> versions = new ArrayList<>(change.files().size());
    for (Names.PutFile file : change.files()) versions.add(versionOf(file, session));
    return new Names.FilesPut(versions);
  }

  private long versionOf(Names.PutFile file, Session session) {
    try {
      return put(file, session).version();
    } catch (Refused refused) {
      return 0;
    }
  }

  /** Refuses files whose directories the backing store has not listed yet. */
  public static void requireListed(PathWalk walk, List<Names.PutFile> files)
      throws DirectoryNotListed {
    for (Names.PutFile file : files) {
      try {
        walk.place(file.directory(), file.path());
      } catch (Refused refused) {
        // Any other refusal is found again when the file is put.
        if (refused instanceof DirectoryNotListed waits) throw waits;
      }
    }
  }

  /**
   * The pieces of new content in the order of their sequences. They must cover it from its first
   * byte to its last, each once, and none may have been published or given up before.
   */
  static List<Names.Piece> checked(
      long number, long sizeBytes, List<Names.Piece> given, Session session) throws Refused {
    if (!session.taken.contains(number)) {
      throw new Refused(
          ErrorCode.INVALID, "number " + number + " was not taken by the session, or used");
    }
    List<Names.Piece> pieces = FileChanges.inOrder(given);
    requireWhole(sizeBytes, pieces);
    for (Names.Piece piece : pieces) {
      if (session.published.contains(piece.sequence())) {
        throw new Refused(ErrorCode.INVALID, "piece " + piece.sequence() + " is published");
      }
    }
    FileChanges.requireNotGivenUp(pieces, session);
    return pieces;
  }

  private static void requireWhole(long sizeBytes, List<Names.Piece> pieces) throws Refused {
    List<Names.Piece> byOffset = new ArrayList<>(pieces);
    byOffset.sort(Comparator.comparingLong(Names.Piece::offset));
    long end = 0;
    for (Names.Piece piece : byOffset) {
      if (piece.offset() != end) throw notWhole(sizeBytes, end);
      end += piece.lengthBytes();
    }
    if (end != sizeBytes) throw notWhole(sizeBytes, end);
  }

  private static Refused notWhole(long sizeBytes, long end) {
    return new Refused(
        ErrorCode.INVALID, "the pieces are not all of " + sizeBytes + " bytes: see offset " + end);
  }
}
