package io.forebay.namespace.tree;

import io.forebay.base.series.Folder;
import io.forebay.store.index.Extent;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a home sees of a tree and its backing store. Holds only until the next change. */
public final class StoreView {
  /**
   * What the store has of a file.
   *
   * @param name what it is called there
   * @param contentTag what the store calls its content
   * @param backedBytes how many of its bytes the buffer need not have
   */
  public record Stored(String name, String contentTag, long backedBytes) {}

  /** A file under way to the store, which may be gone from the tree by now. */
  public record UnderWay(long file, DrainAttempt attempt) {}

  private final TreeState tree;

  StoreView(TreeState tree) {
    this.tree = tree;
  }

  /** What is to be done next in the store, or null. */
  public @Nullable StoreChange nextChange() {
    return tree.store.changes.peek();
  }

  /** The attempts of files that are not about to get their names. */
  public List<UnderWay> underWay() {
    List<UnderWay> attempts = new ArrayList<>();
    for (BackedFile backed : tree.store.files.values()) {
      DrainAttempt attempt = backed.attempt;
      if (attempt != null && !attempt.naming()) attempts.add(new UnderWay(backed.file, attempt));
    }
    return attempts;
  }

  public @Nullable DrainAttempt attempt(long file) {
    BackedFile backed = tree.store.files.get(file);
    return backed == null ? null : backed.attempt;
  }

  /** What the store has of a file, or null. */
  public @Nullable Stored stored(long file) {
    BackedFile backed = tree.store.files.get(file);
    if (backed == null || backed.name.isEmpty()) return null;
    return new Stored(backed.name, backed.contentTag, backed.backedBytes);
  }

  /** Whether the store is about to call the file otherwise, or to have another one in its place. */
  public boolean isChanging(long file) {
    return tree.store.isChanging(file);
  }

  /** What is known of a file that has a name, or null. */
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

  /** When the store last got the file, in wall time; 0 if it never did. */
  public long durableNanos(long file) {
    BackedFile backed = tree.store.files.get(file);
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

  /** The tree as somebody sees it who looks for checkpoints. */
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
                  }
                });
  }

  /** Files whose bytes the buffer need not have, those first that have long been durable. */
  public List<Long> releasable() {
    DrainChanges changes = new DrainChanges(tree, TreeReader.NO_EFFECTS);
    List<BackedFile> found = new ArrayList<>();
    for (BackedFile backed : tree.store.files.values()) {
      boolean fits =
          tree.nodes.get(backed.file) instanceof FileNode file
              && changes.mayBeReleased(backed, file);
      if (fits) found.add(backed);
    }
    found.sort(Comparator.comparingLong(backed -> backed.durableNanos));
    return found.stream().map(backed -> backed.file).toList();
  }
}
