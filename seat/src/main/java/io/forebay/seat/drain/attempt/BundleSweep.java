// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.AttemptId;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingStore;
import io.forebay.backing.StorePath;
import io.forebay.backing.bundle.BundleCatalogue;
import io.forebay.backing.bundle.BundleFolder;
import io.forebay.backing.bundle.BundleNote;
import io.forebay.backing.bundle.BundledStore;
import io.forebay.base.BundlePlace;
import io.forebay.base.Timers;
import io.forebay.namespace.tree.StoreView;
import io.forebay.seat.drain.naming.StoreFence;
import io.forebay.seat.drain.naming.Underneath;
import io.forebay.seat.part.TreeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Gives back what is dead in a tree's bundles: a bundle of which nothing counts any more is
 * deleted, one that is mostly dead has its files stored anew, and many notes become few. It looks a
 * while after something died, and now and then. Nothing of it does harm if it is carried out late:
 * bundles and notes have names that are used once.
 */
final class BundleSweep {
  /** So long after something died; more may die meanwhile. */
  private static final long SOON_NANOS = 10_000_000_000L;

  private static final long EVERY_NANOS = 3_600_000_000_000L;

  /** More files of notes become one. */
  private static final int NOTE_FILES_MAX = 16;

  private final TreeContext tree;
  private final Bundling bundling;
  private final Timers timers;
  private long dueNanos;
  private boolean underWay;
  private boolean wanted;

  /** What notes are being put together under, or null. */
  private @Nullable AttemptId noting;

  BundleSweep(Timers timers, TreeContext tree, Bundling bundling) {
    this.tree = tree;
    this.bundling = bundling;
    this.timers = timers;
    this.dueNanos = timers.nanos() + StoreFence.LATE_NANOS_MAX;
  }

  /** Something in a bundle is dead, or notes were made. */
  void soon() {
    wanted = true;
    long soonNanos = timers.nanos() + SOON_NANOS;
    if (dueNanos - soonNanos > 0) dueNanos = soonNanos;
  }

  @Nullable AttemptId noting() {
    return noting;
  }

  void tick() {
    StoreView view = tree.view();
    Backing backing = tree.backing();
    boolean due = !underWay && timers.nanos() - dueNanos >= 0 && tree.active();
    if (!due || view == null || backing == null || backing.room() == 0) return;
    // What is about to be noted is not known there yet.
    boolean used = bundling.isOn() || wanted;
    if (!used || view.nextChange() != null || !view.bundles().isEmpty()) return;
    underWay = true;
    wanted = false;
    dueNanos = timers.nanos() + EVERY_NANOS;
    AttemptId id = bundling.noteId(0);
    noting = id;
    backing.submit(
        store -> sweep(store, id),
        answer -> {
          underWay = false;
          noting = null;
          if (answer instanceof Backing.Answer.Done<List<BundleCatalogue.Use>> done) {
            rewrite(done.value());
          } else {
            tree.leftovers().suspect(BundleFolder.PATH);
            soon();
          }
        });
  }

  /** Removes what is dead; tells of bundles that are mostly so. */
  private static List<BundleCatalogue.Use> sweep(BackingStore store, AttemptId id)
      throws BackingException {
    List<BundleCatalogue.Use> mostlyDead = new ArrayList<>();
    if (!(store instanceof BundledStore bundled)) return mostlyDead;
    BundleCatalogue catalogue = bundled.catalogue();
    List<String> dead = new ArrayList<>();
    for (BundleCatalogue.Use use : catalogue.uses()) {
      if (use.liveEntries() == 0) dead.add(use.bundle());
      else if (use.isMostlyDead()) mostlyDead.add(use);
    }
    for (String name : dead) remove(store, name);
    fold(store, id, catalogue, dead);
    return mostlyDead;
  }

  /** Puts all notes that still say something into one file. */
  private static void fold(
      BackingStore store, AttemptId id, BundleCatalogue catalogue, List<String> dead)
      throws BackingException {
    List<BundleNote> superseded = catalogue.superseded();
    List<BundleNote> kept = new ArrayList<>(catalogue.notes());
    kept.addAll(superseded);
    Set<String> gone = new TreeSet<>(dead);
    for (BundleNote note : kept) {
      // It may have come while the others were read.
      boolean missed = !catalogue.has(note.bundle()) && !gone.contains(note.bundle());
      if (missed && !Underneath.exists(store, BundleFolder.PATH.resolve(note.bundle()))) {
        gone.add(note.bundle());
      }
    }
    kept.removeIf(note -> gone.contains(note.bundle()));
    boolean fold = kept.isEmpty() || catalogue.noteNames().size() > NOTE_FILES_MAX;
    if (!fold) {
      if (!superseded.isEmpty()) BundleFolder.note(store, id, 0, superseded);
      return;
    }
    if (!kept.isEmpty()) BundleFolder.note(store, id, 0, kept);
    for (String name : catalogue.noteNames()) remove(store, name);
  }

  private static void remove(BackingStore store, String name) throws BackingException {
    StorePath path = BundleFolder.PATH.resolve(name);
    try {
      store.delete(path, BackingStore.ANY_VERSION);
    } catch (BackingException e) {
      if (!(e.failure() instanceof BackingFailure.NotFound)) throw e;
    }
  }

  /** Stores anew what lives in bundles that are mostly dead, if this tree knows all of it. */
  private void rewrite(List<BundleCatalogue.Use> mostlyDead) {
    StoreView view = tree.view();
    if (view == null || mostlyDead.isEmpty()) return;
    Map<String, List<Long>> files = new TreeMap<>();
    for (BundleCatalogue.Use use : mostlyDead) files.put(use.bundle(), new ArrayList<>());
    view.stored(
        (file, contentTag) -> {
          @Nullable BundlePlace place = BundlePlace.parse(contentTag);
          List<Long> in = place == null ? null : files.get(place.bundle());
          if (in != null) in.add(file);
        });
    for (BundleCatalogue.Use use : mostlyDead) {
      List<Long> live = files.getOrDefault(use.bundle(), List.of());
      if (live.size() == use.liveEntries()) bundling.rewrite(live);
    }
  }
}
