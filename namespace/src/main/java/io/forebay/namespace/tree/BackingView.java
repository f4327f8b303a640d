// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree;

import io.forebay.base.series.Folder;
import io.forebay.namespace.tree.backed.BackedFile;
import io.forebay.namespace.tree.backed.BackingCall;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.BackingTable;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.namespace.tree.drain.DrainChanges;
import io.forebay.namespace.tree.drain.Ledger;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.SpecialNode;
import io.forebay.namespace.tree.node.SymlinkNode;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.store.index.Extent;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A home's view of a tree and its backing store. Valid only until the next change. */
public final class BackingView {
  /**
   * A file as the store has it.
   *
   * @param name its name in the store
   * @param contentTag the store's tag of its content
   * @param backedBytes how many of its bytes the buffer may evict
   */
  public record Stored(String name, String contentTag, long backedBytes) {}

  /** A file that is being drained, which may be deleted from the tree by now. */
  public record UnderWay(long file, DrainAttempt attempt) {}

  private final TreeState tree;

  BackingView(TreeState tree) {
    this.tree = tree;
  }

  /** The next change to be made in the store, or null. */
  public @Nullable BackingChange nextChange() {
    return tree.backing.changes.peek();
  }

  /** The calls of the next change that may be on their way; null if none was sent. */
  public @Nullable BackingCall calls() {
    BackingCall call = tree.backing.call;
    BackingChange next = nextChange();
    return call != null && next != null && call.change() == next.number() ? call : null;
  }

  /** The next changes to be made in the store, at most this many. */
  public List<BackingChange> nextChanges(int countMax) {
    return tree.backing.changes.stream().limit(countMax).toList();
  }

  /** Files that are being written together, or wait for their names. */
  public List<OpenPack> packs() {
    return List.copyOf(tree.backing.packs.values());
  }

  public @Nullable OpenPack pack(long order) {
    return tree.backing.packs.get(order);
  }

  /** Whether the content of a file is to come from a pack. */
  public boolean isIn(long file, long pack) {
    return tree.backing.isIn(file, pack);
  }

  /** Visits the files that have a name in the store, with their content tags. */
  public void stored(BiConsumer<Long, String> files) {
    tree.backing.files.forEach(
        (file, backed) -> {
          if (!backed.name.isEmpty()) files.accept(file, backed.contentTag);
        });
  }

  /** The attempts of single files that are not about to get their names. */
  public List<UnderWay> underWay() {
    List<UnderWay> attempts = new ArrayList<>();
    for (long file : tree.backing.attempted) {
      BackedFile backed = tree.backing.files.get(file);
      DrainAttempt attempt = backed == null ? null : backed.attempt;
      boolean alone = attempt != null && !attempt.naming() && attempt.pack() == 0;
      if (attempt != null && alone) attempts.add(new UnderWay(file, attempt));
    }
    return attempts;
  }

  public @Nullable DrainAttempt attempt(long file) {
    BackedFile backed = tree.backing.files.get(file);
    return backed == null ? null : backed.attempt;
  }

  /** The store's copy of a file, or null. */
  public @Nullable Stored stored(long file) {
    BackedFile backed = tree.backing.files.get(file);
    if (backed == null || backed.name.isEmpty()) return null;
    return new Stored(backed.name, backed.contentTag, backed.backedBytes);
  }

  /**
   * The content expected under a name in the store before a file of the tree gets that name.
   *
   * @param contentTag the store's tag; empty if nothing is expected
   */
  public record Expected(String contentTag) {}

  /** Null if any content may be there. */
  public @Nullable Expected expected(long file, String name) {
    BackedFile backed = tree.backing.files.get(file);
    if (backed != null && backed.name.equals(name)) return new Expected(backed.contentTag);
    String left = tree.backing.remains.get(name);
    if (left != null) return new Expected(left);
    return tree.backing.sight.over ? new Expected("") : null;
  }

  /** Whether a file has bytes that the buffer does not have. */
  public boolean needsBacking(long file) {
    return tree.nodes.get(file) instanceof FileNode node && tree.backing.needsBacking(node);
  }

  /**
   * The extent of a file at an offset, or the first behind; null for none.
   *
   * @param offset not negative
   */
  public @Nullable Extent extentFrom(long file, long offset) {
    Extent[] found = new Extent[1];
    if (tree.nodes.get(file) instanceof FileNode node && node.content != null) {
      node.content.visit(
          offset,
          extent -> {
            found[0] = extent;
            return false;
          });
    }
    return found[0];
  }

  /** Whether the buffer may give the file up: the store has all of it, under its name. */
  public boolean hasAll(long file) {
    BackedFile backed = tree.backing.files.get(file);
    return backed != null
        && tree.nodes.get(file) instanceof FileNode node
        && tree.backing.hasAll(backed, node);
  }

  /** Whether the store had bytes of a file that the buffer does not have, and has them no more. */
  public boolean isLost(long file) {
    BackedFile backed = tree.backing.files.get(file);
    return backed != null
        && backed.name.isEmpty()
        && !tree.backing.isChanging(file)
        && needsBacking(file);
  }

  /** The path in the store of a directory that has to be listed, or null if it has been. */
  public @Nullable String unseenPath(long directory) {
    boolean unseen = tree.backing.sight.unseen.containsKey(directory);
    return unseen && tree.nodes.get(directory) instanceof DirectoryNode node ? node.path() : null;
  }

  /** Whether it has been looked into before. */
  public boolean isSeenBefore(long directory) {
    return tree.backing.sight.unseen.getOrDefault(directory, false);
  }

  /**
   * Identifies the state after all changes of the store were made; negative while some are pending.
   */
  public long settledMark() {
    return tree.backing.settledMark();
  }

  /** The names in a directory of files that the store has as they are. */
  public List<String> storedNames(long directory) {
    List<String> names = new ArrayList<>();
    if (!(tree.nodes.get(directory) instanceof DirectoryNode node)) return names;
    node.entries()
        .forEach(
            (name, each) -> {
              BackedFile backed = each instanceof FileNode file ? tree.backing.get(file) : null;
              boolean here = backed != null && backed.name.equals(BackingTable.pathOf(node, name));
              if (here) names.add(name);
            });
    return names;
  }

  /** Whether the store is about to call the file otherwise, or to have another one in its place. */
  public boolean isChanging(long file) {
    return tree.backing.isChanging(file);
  }

  /** The file's next name in the store, or null if the name stays. */
  public @Nullable String renamedTo(long file) {
    for (BackingChange change : tree.backing.changes) {
      if (change instanceof BackingChange.Rename rename && rename.file() == file) {
        return rename.name();
      }
    }
    return null;
  }

  /**
   * The directory behind a path in the order of the tree, or null behind the last. The root is the
   * empty path and comes first; the path itself need not be there any more.
   */
  public @Nullable String directoryBehind(String path) {
    List<String> names = path.isEmpty() ? List.of() : List.of(path.substring(1).split("/", -1));
    List<DirectoryNode> above = new ArrayList<>(List.of(tree.root()));
    for (String name : names) {
      if (!(above.getLast().get(name) instanceof DirectoryNode below)) break;
      above.add(below);
    }
    boolean there = above.size() == names.size() + 1;
    String behind = there ? firstBelow(above.getLast(), "") : null;
    for (int depth = Math.min(above.size(), names.size()); behind == null && depth > 0; depth--) {
      behind = firstBelow(above.get(depth - 1), names.get(depth - 1));
    }
    return behind;
  }

  /** The first directory in a directory behind a name, or null. */
  private static @Nullable String firstBelow(DirectoryNode directory, String name) {
    for (Map.Entry<String, Node> entry : directory.entries().tailMap(name, false).entrySet()) {
      if (!(entry.getValue() instanceof DirectoryNode)) continue;
      String path = BackingTable.pathOf(directory, entry.getKey());
      if (!DirectoryNode.isTooLong(path)) return path;
    }
    return null;
  }

  /** The attributes of a file that has a name, or null. */
  public Names.@Nullable Attributes attributes(long file) {
    return tree.nodes.get(file) instanceof FileNode node && node.links > 0 && !node.pair
        ? node.attributes()
        : null;
  }

  public Names.LedgerEntry entry(long file) {
    if (tree.nodes.get(file) instanceof FileNode node) return Ledger.entry(tree, node);
    throw new IllegalArgumentException("no file " + file);
  }

  public boolean isDurable(long file) {
    return tree.nodes.get(file) instanceof FileNode node && Ledger.isDurable(tree, node);
  }

  /** Whether a client requested a drain of bytes that the store does not have. */
  public boolean isWanted(long file) {
    BackedFile backed = tree.backing.files.get(file);
    return backed != null && backed.wantedVersion > backed.durableVersion;
  }

  /** When the store last got the file, in wall time; 0 if it never did. */
  public long durableNanos(long file) {
    BackedFile backed = tree.backing.files.get(file);
    return backed == null ? 0 : backed.durableNanos;
  }

  /** Shows the numbers of all files that the store does not have as they are. */
  public void dirty(LongConsumer files) {
    Ledger.dirtyBelow(tree, tree.root(), file -> files.accept(file.number()));
  }

  /** The same below a node. */
  public void dirtyBelow(long node, LongConsumer files) {
    Node found = tree.nodes.get(node);
    if (found != null) Ledger.dirtyBelow(tree, found, file -> files.accept(file.number()));
  }

  /** Shows a file's extents in order. */
  public void extents(long file, Predicate<Extent> goesOn) {
    if (tree.nodes.get(file) instanceof FileNode node && node.content != null) {
      node.content.visit(0, goesOn);
    }
  }

  /** The tree as a folder, to search for checkpoints. */
  public Folder root() {
    return folder(tree.root());
  }

  private Folder folder(DirectoryNode directory) {
    return visitor ->
        directory
            .entries()
            .forEach(
                (name, node) -> {
                  switch (node) {
                    case FileNode file ->
                        visitor.file(
                            name, file.number(), file.modifyNanos, Ledger.isDurable(tree, file));
                    case DirectoryNode below -> visitor.folder(name, folder(below));
                    case SymlinkNode symlink -> {}
                    case SpecialNode special -> {}
                  }
                });
  }

  /**
   * Files with bytes that the buffer may evict; those that have been durable longest come first.
   */
  public List<Long> releasable() {
    DrainChanges changes = new DrainChanges(tree, Effects.NOT_EXPECTED);
    List<BackedFile> found = new ArrayList<>();
    for (BackedFile backed : tree.backing.files.values()) {
      boolean fits =
          tree.nodes.get(backed.file) instanceof FileNode file
              && changes.mayBeReleased(backed, file);
      if (fits) found.add(backed);
    }
    found.sort(Comparator.comparingLong(backed -> backed.durableNanos));
    return found.stream().map(backed -> backed.file).toList();
  }
}
