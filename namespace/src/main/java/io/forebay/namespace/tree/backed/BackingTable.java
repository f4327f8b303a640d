// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.backed;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.PackPlace;
import io.forebay.base.RecordId;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.NameRules;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.NodeTable;
import io.forebay.namespace.tree.node.NodeWalk;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a tree has in the backing store, and the pending changes that make the names there match the
 * tree. Empty for a tree that is not drained.
 */
public final class BackingTable {
  private static final String ASIDE = ".aside-";

  /**
   * The low bits that count the changes of a tree; the bits above hold the second in which it was
   * begun.
   */
  private static final int CHANGES_BITS = 28;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final int instance;
  private final int treeNumber;
  private final NodeTable nodes;
  public final TreeMap<Long, BackedFile> files = new TreeMap<>();
  public final ArrayDeque<BackingChange> changes = new ArrayDeque<>();

  /**
   * Names in the store with an older file than here. The new one will replace it there, so that
   * there is always some checkpoint.
   */
  public final TreeSet<String> outdated = new TreeSet<>();

  /** The same after the changes made in the store so far, with content tags. */
  public final TreeMap<String, String> remains = new TreeMap<>();

  /** Files that are being written together, by the number of the pack. */
  public final TreeMap<Long, OpenPack> packs = new TreeMap<>();

  /** The files with an attempt. */
  public final TreeSet<Long> attempted = new TreeSet<>();

  public final ListedDirectories sight = new ListedDirectories();
  public long nextChange = 1;

  /** Calls that may be on their way, of the first change or of one that was made; null for none. */
  public @Nullable BackingCall call;

  /** How many changes were made, or could not be. */
  public long changesOver;

  public BackingTable(int instance, int treeNumber, NodeTable nodes) {
    this.instance = instance;
    this.treeNumber = treeNumber;
    this.nodes = nodes;
  }

  /**
   * Starts the count of changes above those of all trees begun earlier: entries that those left in
   * packs are older than the entries of this one.
   */
  public void begin(long timeNanos) {
    nextChange = 1 + ((Math.max(0, timeNanos) / NANOS_PER_SECOND) << CHANGES_BITS);
  }

  public FileId fileId(long file) {
    return new FileId(instance, file);
  }

  public @Nullable BackedFile get(FileNode file) {
    return files.isEmpty() ? null : files.get(file.number());
  }

  private boolean isEmpty() {
    return files.isEmpty() && outdated.isEmpty() && !sight.over;
  }

  /** Identifies the state after all changes were made; negative while some are pending. */
  public long settledMark() {
    return changes.isEmpty() ? changesOver : -1;
  }

  /** Whether the store has a file as it is, all of it, under the name that it is to have. */
  public boolean hasAll(BackedFile backed, FileNode file) {
    return backed.durableVersion == file.version
        && backed.attempt == null
        && !backed.name.isEmpty()
        && backed.name.equals(backed.nameToBe)
        && !isChanging(backed.file);
  }

  /** Whether a name in the store is that of a file which nothing here calls so. */
  public boolean isAside(String path) {
    return path.startsWith("/" + ASIDE)
        && files.values().stream().anyMatch(backed -> backed.name.equals(path));
  }

  public long backedBytes(FileNode file) {
    BackedFile backed = get(file);
    return backed == null ? 0 : backed.backedBytes;
  }

  /** Whether a file has bytes that the buffer does not have. */
  public boolean needsBacking(FileNode file) {
    long backedBytes = backedBytes(file);
    if (file.content == null || file.allocatedBytes() < backedBytes) return backedBytes > 0;
    long[] coveredBytes = {0};
    file.content.visit(
        0,
        extent -> {
          if (extent.offset() >= backedBytes) return false;
          coveredBytes[0] += Math.min(extent.endOffset(), backedBytes) - extent.offset();
          return true;
        });
    return coveredBytes[0] < backedBytes;
  }

  // Changes of contents.

  /** Effects for a file: dead records are not reported while an attempt may read them. */
  public Effects holding(FileNode file, Effects effects) {
    BackedFile backed = get(file);
    if (backed == null || backed.attempt == null) return effects;
    return new Effects() {
      @Override
      public void dead(GroupId group, Data.Dead dead) {
        backed.held.add(new BackedFile.Held(group, dead));
      }

      @Override
      public void orphaned(FileId orphan) {
        effects.orphaned(orphan);
      }

      @Override
      public void ended(long session) {
        effects.ended(session);
      }
    };
  }

  /** Whether a record that no file contains is needed by an attempt. */
  public boolean isHeld(RecordId record) {
    for (long file : attempted) {
      BackedFile backed = files.get(file);
      if (backed == null) continue;
      for (BackedFile.Held each : backed.held) {
        Data.Dead dead = each.dead();
        boolean within =
            dead.session() == record.session()
                && Long.compareUnsigned(dead.fromSequence(), record.sequence()) <= 0
                && Long.compareUnsigned(record.sequence(), dead.toSequence()) <= 0;
        if (within) return true;
      }
    }
    return false;
  }

  public void truncated(FileNode file, long sizeBytes) {
    BackedFile backed = get(file);
    if (backed != null) backed.backedBytes = Math.min(backed.backedBytes, sizeBytes);
  }

  /** An attempt has ended: reports the records that died during it. */
  public void attemptOver(BackedFile backed, Effects effects) {
    backed.attempt = null;
    attempted.remove(backed.file);
    for (BackedFile.Held each : backed.held) effects.dead(each.group(), each.dead());
    backed.held.clear();
    forgetIfGone(backed);
  }

  /** A file is gone from the tree. */
  public void forgotten(FileNode file) {
    BackedFile backed = get(file);
    if (backed == null) return;
    if (!backed.nameToBe.isEmpty()) delete(backed);
    forgetIfGone(backed);
  }

  private void forgetIfGone(BackedFile backed) {
    boolean gone = !(nodes.get(backed.file) instanceof FileNode);
    if (gone && backed.isSettled() && !isChanging(backed.file)) files.remove(backed.file);
  }

  public boolean isChanging(long file) {
    return changes.stream()
        .anyMatch(
            each ->
                switch (each) {
                  case BackingChange.Commit c -> c.file() == file;
                  case BackingChange.Rename c -> c.file() == file;
                  case BackingChange.Delete c -> c.file() == file;
                  case BackingChange.DeleteName c -> false;
                  case BackingChange.RemoveDirectory c -> false;
                  case BackingChange.CommitPack c -> isIn(file, c.pack());
                  case BackingChange.Forget c -> false;
                });
  }

  /** Whether the content of a file is to come from a pack. */
  public boolean isIn(long file, long pack) {
    BackedFile backed = files.get(file);
    return backed != null && backed.attempt != null && backed.attempt.pack() == pack;
  }

  /**
   * The stored content of a name is replaced; an entry in a pack stays until it is marked as
   * obsolete.
   */
  public void outlived(@Nullable String contentTag) {
    if (contentTag == null || !PackPlace.isOne(contentTag)) return;
    changes.add(new BackingChange.Forget(nextChange++, contentTag));
  }

  // Changes of names.

  /** A name has gone, and nothing has it now. */
  public void removed(FileNode file, DirectoryNode parent, String name) {
    if (isEmpty()) return;
    String path = pathOf(parent, name);
    BackedFile backed = get(file);
    if (backed != null && backed.nameToBe.equals(path)) lostStoredName(file, backed);
    else if (outdated.remove(path)) changes.add(new BackingChange.DeleteName(nextChange++, path));
  }

  /** Something else has a file's name now. */
  public void replaced(FileNode file, DirectoryNode parent, String name) {
    if (isEmpty()) return;
    String path = pathOf(parent, name);
    BackedFile backed = get(file);
    if (backed == null || !backed.nameToBe.equals(path)) return;
    if (file.links > 0 || backed.backedBytes > 0) {
      lostStoredName(file, backed);
      return;
    }
    outdated.add(path);
    backed.nameToBe = "";
    changeOver(backed);
  }

  /**
   * A change of a file is over. When no other is queued, a file that something else has replaced
   * has no say over its name in the store, and one that did not get there has no name there to
   * come.
   */
  public void changeOver(BackedFile backed) {
    if (!isChanging(backed.file)) {
      if (backed.nameToBe.isEmpty()) letGo(backed);
      else if (backed.name.isEmpty()) backed.nameToBe = "";
    }
    forgetIfGone(backed);
  }

  private void letGo(BackedFile backed) {
    if (!backed.name.isEmpty()) outlived(remains.put(backed.name, backed.contentTag));
    backed.name = "";
  }

  /** A file gets another name that it has, or none. */
  private void lostStoredName(FileNode file, BackedFile backed) {
    String other = file.links > 0 ? pathOf(file) : "";
    if (!other.isEmpty() && !DirectoryNode.isTooLong(other)) {
      rename(backed, other);
    } else if (backed.backedBytes > 0) {
      // A client may have it open, and only the store has its bytes.
      rename(backed, aside());
    } else {
      delete(backed);
    }
  }

  private void rename(BackedFile backed, String name) {
    backed.nameToBe = name;
    outdated.remove(name);
    changes.add(new BackingChange.Rename(nextChange++, backed.file, name));
  }

  private void delete(BackedFile backed) {
    backed.nameToBe = "";
    changes.add(new BackingChange.Delete(nextChange++, backed.file));
  }

  private String aside() {
    return "/" + ASIDE + nextChange;
  }

  public void directoryRemoved(DirectoryNode parent, String name) {
    if (isEmpty()) return;
    removeDirectory(pathOf(parent, name));
  }

  private void removeDirectory(String path) {
    // Nothing is drained to a path that the store could not be asked for.
    if (DirectoryNode.isTooLong(path)) return;
    changes.add(new BackingChange.RemoveDirectory(nextChange++, path));
  }

  /**
   * Refuses to move a node if a file that the store has would get a path there that is longer than
   * paths can be.
   */
  public void requireMovable(Node node, String from, String to) throws Refused {
    boolean longer = NameRules.utf8Bytes(to) > NameRules.utf8Bytes(from);
    if (isEmpty() || !(longer || DirectoryNode.isTooLong(to))) return;
    for (Move move : moves(node, from, to)) {
      if (!isStored(move) || !DirectoryNode.isTooLong(move.to)) continue;
      throw new Refused(
          ErrorCode.NAME_TOO_LONG, "the backing store would get a too long path: " + move.to);
    }
  }

  /** A node has another name now. */
  public void moved(Node node, String from, String to) {
    if (isEmpty()) return;
    for (Move move : moves(node, from, to)) apply(move);
    if (node instanceof DirectoryNode directory) leaveDirectory(directory, from);
    if (node instanceof FileNode file) dropOtherNames(file);
  }

  /** The store keeps one name of a file with several: the others are removed. */
  public void dropOtherNames(FileNode file) {
    BackedFile backed = get(file);
    if (file.links < 2 || backed == null || backed.nameToBe.isEmpty()) return;
    for (String name : List.copyOf(outdated)) {
      if (find(name) != file) continue;
      outdated.remove(name);
      changes.add(new BackingChange.DeleteName(nextChange++, name));
    }
  }

  /**
   * A name did not get its intended content. An earlier file's content under that name is no longer
   * about to be replaced, and must be removed if no file will replace it.
   */
  public void reconsider(String name) {
    boolean left = remains.containsKey(name) && !outdated.contains(name);
    if (!left || isAboutToChange(name)) return;
    if (find(name) instanceof FileNode file) {
      outdated.add(name);
      dropOtherNames(file);
    } else {
      changes.add(new BackingChange.DeleteName(nextChange++, name));
    }
  }

  private boolean isAboutToChange(String name) {
    return files.values().stream().anyMatch(backed -> backed.nameToBe.equals(name))
        || changes.stream()
            .anyMatch(each -> each instanceof BackingChange.DeleteName c && c.name().equals(name));
  }

  private DirectoryNode root() {
    return nodes.directory(Names.inTree(treeNumber, Names.ROOT));
  }

  private @Nullable Node find(String path) {
    @Nullable Node at = root();
    for (String name : path.substring(1).split("/", -1)) {
      at = at instanceof DirectoryNode directory ? directory.get(name) : null;
    }
    return at;
  }

  /** Two nodes have each other's names now. */
  public void exchanged(Node one, String oneFrom, Node other, String otherFrom) {
    if (isEmpty()) return;
    List<Move> first = moves(one, oneFrom, otherFrom);
    for (Move move : first) {
      if (!isStored(move)) continue;
      // Moved aside to make the name free.
      String aside = aside();
      changes.add(new BackingChange.Rename(nextChange++, move.file.number(), aside));
    }
    for (Move move : moves(other, otherFrom, oneFrom)) apply(move);
    for (Move move : first) apply(move);
  }

  private record Move(FileNode file, String from, String to) {}

  private static List<Move> moves(Node node, String from, String to) {
    List<Move> moves = new ArrayList<>();
    NodeWalk walk = new NodeWalk(node);
    while (walk.hasNext()) {
      if (!(walk.next() instanceof FileNode file)) continue;
      moves.add(new Move(file, walk.pathFrom(from), walk.pathFrom(to)));
    }
    return moves;
  }

  private boolean isStored(Move move) {
    BackedFile backed = get(move.file);
    return backed != null && backed.nameToBe.equals(move.from);
  }

  private void apply(Move move) {
    BackedFile backed = get(move.file);
    if (backed != null && isStored(move)) {
      rename(backed, move.to);
    } else if (outdated.remove(move.from)) {
      changes.add(new BackingChange.DeleteName(nextChange++, move.from));
    }
  }

  private void leaveDirectory(DirectoryNode directory, String path) {
    List<String> left = List.copyOf(outdated.subSet(path + "/", path + "0"));
    for (String name : left) {
      outdated.remove(name);
      changes.add(new BackingChange.DeleteName(nextChange++, name));
    }
    // Subdirectories first, since only empty directories can be removed.
    for (NodeWalk.Located each : NodeWalk.directories(directory, path).reversed()) {
      // Hidden names stay behind in the store.
      sight.leftOut.remove(each.directory().number());
      removeDirectory(each.path());
    }
  }

  /** The path of a name in a directory; {@link DirectoryNode#tooLong} if it is too long. */
  public static String pathOf(DirectoryNode parent, String name) {
    return DirectoryNode.join(parent.path(), name);
  }

  /**
   * A file's path from the root; of several the first. It depends on nothing but the tree, so that
   * all members find the same.
   */
  public String pathOf(FileNode file) {
    if (file.links == 0 || file.pair) return "";
    if (file.links == 1 && file.parent != null) return pathOf(file.parent, file.name);
    NodeWalk walk = new NodeWalk(root());
    while (walk.hasNext()) {
      if (walk.next() == file) return walk.pathFrom("");
    }
    throw new IllegalStateException("no name leads to " + file.number());
  }
}
