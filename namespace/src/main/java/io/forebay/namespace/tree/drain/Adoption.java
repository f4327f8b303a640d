// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import io.forebay.base.PackPlace;
import io.forebay.namespace.tree.backed.BackedFile;
import io.forebay.namespace.tree.backed.BackingTable;
import io.forebay.namespace.tree.change.ContentWriter;
import io.forebay.namespace.tree.node.DirectoryNode;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.node.NameRules;
import io.forebay.namespace.tree.node.Node;
import io.forebay.namespace.tree.node.ReleasedContent;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds the listing of a directory of the backing store to the tree. A file is added as one of which
 * only the store has the bytes, a directory as one that has not been listed. An existing node is
 * replaced only if the buffer has nothing of it that is newer than the store.
 */
public final class Adoption {
  private static final int FILE_MODE = 0644;
  private static final int DIRECTORY_MODE = 0755;

  /**
   * A listing of a directory.
   *
   * @param index the index of the journal entry
   * @param mark the settled mark of the store's changes before
   * @param last whether it is the last part
   * @param leftOut names that are not shown; negative if unchanged
   */
  public record Look(
      long index, long timeNanos, long directory, long mark, boolean last, int leftOut) {}

  private final TreeState tree;
  private final BackingTable store;
  private final Look look;
  private final Effects effects;

  public Adoption(TreeState tree, Look look, Effects effects) {
    this.tree = tree;
    this.store = tree.backing;
    this.look = look;
    this.effects = effects;
  }

  public void enter(List<FoundInBacking> found) throws Refused {
    Boolean again = store.sight.unseen.get(look.directory());
    if (again == null || !(tree.require(look.directory()) instanceof DirectoryNode in)) {
      throw new Refused(ErrorCode.INVALID, "directory " + look.directory() + " has been seen");
    }
    // A directory that was never listed cannot have been changed from here.
    if (again && look.mark() != store.settledMark()) {
      throw new Refused(ErrorCode.BUSY, "the store has been changed since it was looked");
    }
    tree.requireNumbers(found.size());
    for (FoundInBacking each : found) {
      if (NameRules.isName(each.name())) enter(in, each, in.get(each.name()));
    }
    if (look.last()) store.sight.seen(look.directory(), look.leftOut());
  }

  private void enter(DirectoryNode in, FoundInBacking found, @Nullable Node known) {
    String path = BackingTable.pathOf(in, found.name());
    // No request could name it, and the store could not be asked for it.
    if (DirectoryNode.isTooLong(path)) return;
    switch (found.kind()) {
      case NOTHING -> {
        if (known instanceof FileNode file) gone(in, found.name(), file, path);
      }
      case DIRECTORY -> {
        if (known == null && store.sight.over) addDirectory(in, found);
      }
      case FILE -> {
        if (known instanceof FileNode file) compare(file, found, path);
        else if (known == null && store.sight.over && !store.isAside(path))
          addFile(in, found, path);
      }
    }
  }

  private void addDirectory(DirectoryNode in, FoundInBacking found) {
    DirectoryNode made = new DirectoryNode(tree.takeNumbers(1));
    set(made, found, DIRECTORY_MODE);
    tree.nodes.add(made);
    in.put(found.name(), made);
    store.sight.unseen.put(made.number(), false);
  }

  private void addFile(DirectoryNode in, FoundInBacking found, String path) {
    FileNode made = new FileNode(tree.takeNumbers(1), false);
    made.links = 1;
    tree.nodes.add(made);
    in.put(found.name(), made);
    BackedFile backed = new BackedFile(made.number());
    backed.name = path;
    backed.nameToBe = path;
    store.files.put(backed.file, backed);
    take(made, backed, found);
  }

  private void take(FileNode file, BackedFile backed, FoundInBacking found) {
    if (file.allocatedBytes() > 0) {
      ContentWriter writer = new ContentWriter(tree, file, effects);
      writer.release();
      writer.finish();
    }
    file.content = found.sizeBytes() > 0 ? new ReleasedContent(found.sizeBytes()) : null;
    file.version = look.index();
    set(file, found, FILE_MODE);
    if (!PackPlace.sameContent(backed.contentTag, found.contentTag())) {
      store.outlived(backed.contentTag);
    }
    backed.contentTag = found.contentTag();
    PackPlace place = PackPlace.parse(backed.contentTag);
    // Later changes get higher numbers than the pack entry.
    if (place != null) store.nextChange = Math.max(store.nextChange, place.order() + 1);
    backed.durableVersion = file.version;
    backed.durableNanos = file.modifyNanos;
    backed.backedBytes = found.sizeBytes();
  }

  private void set(Node node, FoundInBacking found, int usualMode) {
    DirectoryNode root = tree.root();
    node.mode = found.mode() < 0 ? usualMode : found.mode();
    node.user = found.user() < 0 ? root.user : found.user();
    node.group = found.group() < 0 ? root.group : found.group();
    long nanos = found.modifyNanos() < 0 ? look.timeNanos() : found.modifyNanos();
    node.accessNanos = nanos;
    node.modifyNanos = nanos;
    node.changeNanos = look.timeNanos();
  }

  /** A change by another program in the store counts, if the tree has nothing newer. */
  private void compare(FileNode file, FoundInBacking found, String path) {
    BackedFile backed = store.get(file);
    if (backed == null || PackPlace.sameContent(backed.contentTag, found.contentTag())) return;
    if (backed.name.equals(path) && store.hasAll(backed, file)) take(file, backed, found);
  }

  /**
   * A file that another program removed from the store is removed here too, if the tree has nothing
   * newer.
   */
  private void gone(DirectoryNode in, String name, FileNode file, String path) {
    BackedFile backed = store.get(file);
    if (backed == null || !backed.name.equals(path) || !store.hasAll(backed, file)) return;
    backed.name = "";
    backed.nameToBe = "";
    backed.durableVersion = 0;
    // The buffer has all of it: it is drained again.
    if (backed.backedBytes == 0 && file.sizeBytes() > 0) return;
    in.remove(name);
    in.modified(look.timeNanos());
    file.links--;
    if (file.links > 0) return;
    tree.orphans.add(file.number());
    effects.orphaned(tree.fileId(file));
  }
}
