// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.drain;

import io.forebay.namespace.tree.backed.BackedFile;
import io.forebay.namespace.tree.backed.BackingChange;
import io.forebay.namespace.tree.backed.BackingTable;
import io.forebay.namespace.tree.backed.DrainAttempt;
import io.forebay.namespace.tree.backed.OpenPack;
import io.forebay.namespace.tree.node.FileNode;
import io.forebay.namespace.tree.outcome.Effects;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.namespace.tree.state.TreeState;
import io.forebay.wire.message.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal entries of a home that drains small files together. Each is refused if it comes too
 * late. The files have attempts as if they were drained one by one.
 */
public final class PackChanges {
  private final TreeState tree;
  private final BackingTable store;
  private final Effects effects;
  private final DrainChanges changes;

  public PackChanges(TreeState tree, Effects effects) {
    this.tree = tree;
    this.store = tree.backing;
    this.effects = effects;
    this.changes = new DrainChanges(tree, effects);
  }

  /** Begins one attempt for several files; files that cannot be begun are left out. */
  public void begin(List<Long> numbers, List<Long> versions, long timeNanos) throws Refused {
    long order = store.nextChange++;
    List<Long> files = new ArrayList<>();
    List<String> targets = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    for (int i = 0; i < Math.min(numbers.size(), versions.size()); i++) {
      DrainAttempt begun = beginIfSame(numbers.get(i), versions.get(i), timeNanos, order);
      if (begun == null) continue;
      files.add(numbers.get(i));
      targets.add(begun.target());
      sizes.add(begun.sizeBytes());
    }
    if (files.isEmpty()) throw new Refused(ErrorCode.BUSY, "none of the files is as it was");
    store.packs.put(order, new OpenPack(order, "", false, files, targets, sizes));
  }

  /** Null for one that has changed: it is drained as it is now another time. */
  private @Nullable DrainAttempt beginIfSame(
      long number, long version, long timeNanos, long order) {
    try {
      return changes.begin(number, version, timeNanos, order);
    } catch (Refused changed) {
      return null;
    }
  }

  public void noteHandle(long order, String handle) throws Refused {
    store.packs.put(order, require(order).withHandle(handle));
  }

  /**
   * All its files are written and forced. Files that were renamed in the meantime are drained
   * again.
   */
  public void commit(long order) throws Refused {
    OpenPack pack = require(order);
    if (pack.naming()) return;
    boolean any = false;
    for (int i = 0; i < pack.files().size(); i++) {
      any |= nameAsBegun(pack.files().get(i), pack.targets().get(i), order);
    }
    if (!any) throw new Refused(ErrorCode.NOT_FOUND, "no file of the pack has its name still");
    store.packs.put(order, pack.asNaming());
    store.changes.add(new BackingChange.CommitPack(store.nextChange++, order));
    for (long number : pack.files()) {
      if (store.isIn(number, order)) store.dropOtherNames(tree.requireFile(number));
    }
  }

  private boolean nameAsBegun(long number, String target, long order) {
    BackedFile backed = store.files.get(number);
    if (backed == null || backed.attempt == null || !store.isIn(number, order)) return false;
    String name = backed.nameToBe;
    if (tree.nodes.get(number) instanceof FileNode file && file.links > 0) {
      if (name.isEmpty()) name = store.pathOf(file);
    } else {
      name = "";
    }
    if (!name.equals(target)) {
      store.attemptOver(backed, effects);
      return false;
    }
    backed.attempt = backed.attempt.asNaming();
    backed.nameToBe = name;
    store.outdated.remove(name);
    return true;
  }

  /** Nothing of the pack is left in the store. */
  public void end(long order) throws Refused {
    OpenPack pack = require(order);
    if (pack.naming()) {
      throw new Refused(ErrorCode.BUSY, "pack " + order + " is about to get its name");
    }
    store.packs.remove(order);
    for (long number : pack.files()) {
      BackedFile backed = store.files.get(number);
      if (backed != null && store.isIn(number, order)) store.attemptOver(backed, effects);
    }
  }

  /** The first change, the naming of a pack, has been made, or cannot be. */
  public void committed(PackOutcome outcome, long timeNanos) throws Refused {
    long number = outcome.change();
    boolean next =
        store.changes.peek() instanceof BackingChange.CommitPack c && c.number() == number;
    if (!next) throw new Refused(ErrorCode.INVALID, "change " + number + " is not the next");
    BackingChange.CommitPack change = (BackingChange.CommitPack) store.changes.remove();
    store.changesOver++;
    OpenPack pack = require(change.pack());
    for (int i = 0; i < pack.files().size(); i++) {
      long file = pack.files().get(i);
      boolean counts = store.isIn(file, pack.order());
      String tag = i < outcome.contentTags().size() ? outcome.contentTags().get(i) : "";
      boolean stored = outcome.done() && counts && !outcome.refused().contains(i);
      if (outcome.done() && !stored) store.outlived(tag);
      if (counts) changes.committed(file, pack.targets().get(i), stored, tag, timeNanos);
    }
    store.packs.remove(pack.order());
  }

  private OpenPack require(long order) throws Refused {
    OpenPack pack = store.packs.get(order);
    if (pack == null) throw new Refused(ErrorCode.INVALID, "pack " + order + " is over");
    return pack;
  }
}
