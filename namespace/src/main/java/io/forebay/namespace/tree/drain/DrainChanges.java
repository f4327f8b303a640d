// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import io.forebay.namespace.tree.backed.BackedFile;
import io.forebay.namespace.tree.backed.BackingCall;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.BackingTable;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.change.ContentWriter;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.Session;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import java.util.List;

/** The journal entries of a home that drains a tree. Each is refused if it comes too late. */
public final class DrainChanges {
  private final TreeState tree;
  private final BackingTable store;
  private final Effects effects;

  public DrainChanges(TreeState tree, Effects effects) {
    this.tree = tree;
    this.store = tree.backing;
    this.effects = effects;
  }

  /** A client requests a drain of a file, or of all below a directory, in its current version. */
  public void want(long number) {
    Node node = tree.nodes.get(number);
    if (node == null) return;
    Ledger.dirtyBelow(
        tree,
        node,
        file -> {
          BackedFile backed = store.files.computeIfAbsent(file.number(), BackedFile::new);
          backed.wantedVersion = file.version;
        });
  }

  /** Begins an attempt for the current version of a file. */
  public void begin(long number, long version, long timeNanos) throws Refused {
    begin(number, version, timeNanos, 0);
  }

  /** The same, as part of a pack. */
  DrainAttempt begin(long number, long version, long timeNanos, long pack) throws Refused {
    FileNode file = tree.requireFile(number);
    String target = store.pathOf(file);
    if (target.isEmpty()) throw new Refused(ErrorCode.NOT_FOUND, "file " + number + " has no name");
    if (DirectoryNode.isTooLong(target)) {
      throw new Refused(ErrorCode.NAME_TOO_LONG, "the path of file " + number);
    }
    if (file.version != version) {
      throw new Refused(ErrorCode.STALE_HANDLE, "file " + number + " is newer by now");
    }
    BackedFile backed = store.files.computeIfAbsent(number, BackedFile::new);
    if (backed.attempt != null) {
      throw new Refused(ErrorCode.BUSY, "file " + number + " is being drained");
    }
    if (!backed.nameToBe.isEmpty()) target = backed.nameToBe;
    backed.attempts++;
    store.attempted.add(number);
    DrainAttempt begun =
        new DrainAttempt(
            backed.attempts, version, file.sizeBytes(), target, "", false, timeNanos, pack);
    backed.attempt = begun;
    return begun;
  }

  public void noteHandle(long number, int attempt, String handle) throws Refused {
    BackedFile backed = require(number, attempt);
    backed.attempt = require(backed).withHandle(handle);
  }

  /** All is written and forced: the file gets its name in the store when its turn comes. */
  public void commit(long number, int attempt) throws Refused {
    BackedFile backed = require(number, attempt);
    DrainAttempt under = require(backed);
    if (under.naming()) return;
    FileNode file = tree.requireFile(number);
    String name = backed.nameToBe.isEmpty() ? store.pathOf(file) : backed.nameToBe;
    if (name.isEmpty()) throw new Refused(ErrorCode.NOT_FOUND, "file " + number + " has no name");
    backed.attempt = under.asNaming();
    backed.nameToBe = name;
    store.outdated.remove(name);
    store.changes.add(new BackingChange.Commit(store.nextChange++, number, attempt, name));
    store.dropOtherNames(file);
  }

  /** Nothing of the attempt is left in the store. */
  public void end(long number, int attempt) throws Refused {
    BackedFile backed = require(number, attempt);
    if (require(backed).naming()) {
      throw new Refused(ErrorCode.BUSY, "file " + number + " is about to get its name");
    }
    store.attemptOver(backed, effects);
  }

  /**
   * The first change has been made in the store, or cannot be.
   *
   * @param contentTag after a commit, the store's tag of the content
   */
  public void changed(long number, boolean done, String contentTag, long timeNanos) throws Refused {
    BackingChange change = requireNext(number);
    if (change instanceof BackingChange.CommitPack) {
      throw new Refused(ErrorCode.INVALID, "change " + number + " is that of a pack");
    }
    store.changes.remove();
    store.changesOver++;
    switch (change) {
      case BackingChange.Commit c -> committed(c.file(), c.name(), done, contentTag, timeNanos);
      case BackingChange.Rename c -> {
        BackedFile backed = store.files.get(c.file());
        boolean stored = backed != null && !backed.name.isEmpty();
        if (backed != null && stored) {
          if (done) renamed(backed, c.name(), contentTag);
          else lost(backed);
        }
        if (backed != null) store.changeOver(backed);
        if (!done || !stored) store.reconsider(c.name());
      }
      case BackingChange.Delete c -> {
        BackedFile backed = store.files.get(c.file());
        if (backed == null) return;
        backed.name = "";
        store.changeOver(backed);
      }
      case BackingChange.DeleteName c -> store.remains.remove(c.name());
      case BackingChange.RemoveDirectory c -> {}
      case BackingChange.Forget c -> {}
      case BackingChange.CommitPack c -> {}
    }
  }

  /** Calls of the first change may be on their way. */
  public void called(BackingCall call) throws Refused {
    requireNext(call.change());
    store.call = call;
  }

  public BackingChange requireNext(long number) throws Refused {
    BackingChange change = store.changes.peek();
    if (change != null && change.number() == number) return change;
    throw new Refused(ErrorCode.INVALID, "change " + number + " is not the next");
  }

  /** The first change has been made; the contents are called as before. */
  public void changedNext(long timeNanos) throws Refused {
    BackingChange change = store.changes.peek();
    if (change != null) changed(change.number(), true, "", timeNanos);
  }

  private void renamed(BackedFile backed, String name, String contentTag) {
    backed.name = name;
    if (!contentTag.isEmpty()) backed.contentTag = contentTag;
    store.outlived(store.remains.remove(name));
  }

  /** A file has got its name in the store, or did not. */
  void committed(long file, String name, boolean done, String contentTag, long timeNanos) {
    BackedFile backed = store.files.get(file);
    if (backed == null || backed.attempt == null) return;
    if (done) {
      if (!backed.name.isEmpty()) store.outlived(backed.contentTag);
      backed.name = name;
      backed.contentTag = contentTag;
      backed.durableVersion = backed.attempt.version();
      backed.durableNanos = timeNanos;
      store.outlived(store.remains.remove(name));
    }
    store.attemptOver(backed, effects);
    store.changeOver(backed);
    if (!done) store.reconsider(name);
  }

  /** The store does not have it any more, though it had. */
  private static void lost(BackedFile backed) {
    backed.name = "";
    backed.durableVersion = 0;
  }

  /** Evicts the buffer's copy of stored files. */
  public void release(List<Long> numbers) {
    for (long number : numbers) {
      BackedFile backed = store.files.get(number);
      if (backed == null || !(tree.nodes.get(number) instanceof FileNode file)) continue;
      if (mayBeReleased(backed, file)) release(backed, file);
    }
  }

  /** Only files that the store has completely, under their names. */
  public boolean mayBeReleased(BackedFile backed, FileNode file) {
    return file.allocatedBytes() > 0 && store.hasAll(backed, file);
  }

  private void release(BackedFile backed, FileNode file) {
    long sizeBytes = file.sizeBytes();
    ContentWriter writer = new ContentWriter(tree, file, effects);
    writer.release();
    writer.finish();
    backed.backedBytes = sizeBytes;
  }

  /**
   * Adds bytes that were read from the store to their file, as a clean copy: the file's version
   * stays, and {@link #release} evicts them again. If the file or its copy in the store has
   * changed, or a client has written there, the record is dropped.
   */
  public void enterRead(ReadPiece read) throws Refused {
    Session session = tree.sessions.require(read.session());
    session.settleBelow(read.settledBelow());
    Names.Piece piece = read.piece();
    if (!session.mayPublish(piece.sequence())) {
      // Its bytes may be gone.
      throw new Refused(ErrorCode.INVALID, "piece " + piece.sequence() + " was entered before");
    }
    try {
      FileNode file = requireAsRead(read);
      tree.room.requireFor(session, piece.lengthBytes());
      ContentWriter writer = new ContentWriter(tree, file, effects);
      writer.enter(piece, session);
      writer.finish();
    } catch (Refused refused) {
      session.published.add(piece.sequence());
      effects.dead(
          piece.group(),
          Data.Dead.records(
              store.fileId(read.file()), session.id(), piece.sequence(), piece.sequence()));
      throw refused;
    }
  }

  /** The file, if the store has all of it as it did then, and the buffer nothing of the piece. */
  private FileNode requireAsRead(ReadPiece read) throws Refused {
    FileNode file = tree.requireFile(read.file());
    BackedFile backed = store.files.get(read.file());
    boolean same =
        backed != null
            && store.hasAll(backed, file)
            && file.version == read.version()
            && backed.contentTag.equals(read.contentTag());
    Names.Piece piece = read.piece();
    boolean within =
        backed != null
            && piece.offset() >= 0
            && piece.lengthBytes() > 0
            && piece.lengthBytes() <= backed.backedBytes - piece.offset();
    if (!same || !within || !isGap(file, piece)) {
      throw new Refused(ErrorCode.STALE_HANDLE, "file " + read.file() + " was changed meanwhile");
    }
    return file;
  }

  private static boolean isGap(FileNode file, Names.Piece piece) {
    boolean[] gap = {true};
    if (file.content != null) {
      file.content.visit(
          piece.offset(),
          extent -> {
            gap[0] = extent.offset() >= piece.offset() + piece.lengthBytes();
            return false;
          });
    }
    return gap[0];
  }

  private BackedFile require(long number, int attempt) throws Refused {
    BackedFile backed = store.files.get(number);
    if (backed == null || backed.attempt == null || backed.attempt.number() != attempt) {
      throw new Refused(ErrorCode.INVALID, "attempt " + attempt + " at " + number + " is over");
    }
    return backed;
  }

  private static DrainAttempt require(BackedFile backed) throws Refused {
    if (backed.attempt == null) throw new Refused(ErrorCode.INVALID, "there is no attempt");
    return backed.attempt;
  }
}
