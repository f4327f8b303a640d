// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.attempt;

import io.forebay.backing.AttemptId;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.pack.PackCatalogue;
import io.forebay.backing.pack.PackFolder;
import io.forebay.backing.pack.PackNote;
import io.forebay.backing.pack.PackedStore;
import io.forebay.base.PackPlace;
import io.forebay.base.Timers;
import io.forebay.namespace.tree.BackingView;
import io.forebay.seat.drain.naming.BackingFence;
import io.forebay.seat.drain.naming.ConflictCheck;
import io.forebay.seat.part.TreeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Frees dead space in a tree's packs: a pack without live files is deleted, the files of a mostly
 * dead pack are stored again, and many notes are merged into few. It runs a while after a file
 * died, and at intervals. Late execution does no harm: packs and notes have names that are used
 * once.
 */
final class PackSweep {
  /** The delay after a file died; more may die within it. */
  private static final long SOON_NANOS = 10_000_000_000L;

  private static final long EVERY_NANOS = 3_600_000_000_000L;

  /** More files of notes become one. */
  private static final int NOTE_FILES_MAX = 16;

  private final TreeContext tree;
  private final Packing packing;
  private final Timers timers;
  private long dueNanos;
  private boolean underWay;
  private boolean wanted;

  /** The attempt in which notes are being merged, or null. */
  private @Nullable AttemptId noting;

  PackSweep(Timers timers, TreeContext tree, Packing packing) {
    this.tree = tree;
    this.packing = packing;
    this.timers = timers;
    this.dueNanos = timers.nanos() + BackingFence.LATE_NANOS_MAX;
  }

  /** Something in a pack is dead, or notes were made. */
  void soon() {
    wanted = true;
    long soonNanos = timers.nanos() + SOON_NANOS;
    if (dueNanos - soonNanos > 0) dueNanos = soonNanos;
  }

  @Nullable AttemptId noting() {
    return noting;
  }

  void tick() {
    BackingView view = tree.view();
    Backing backing = tree.backing();
    boolean due = !underWay && timers.nanos() - dueNanos >= 0 && tree.active();
    if (!due || view == null || backing == null || backing.room() == 0) return;
    // Pending notes are not in the store yet.
    boolean used = packing.isOn() || wanted;
    if (!used || view.nextChange() != null || !view.packs().isEmpty()) return;
    underWay = true;
    wanted = false;
    dueNanos = timers.nanos() + EVERY_NANOS;
    AttemptId id = packing.noteId(0);
    noting = id;
    backing.submit(
        store -> sweep(store, id),
        answer -> {
          underWay = false;
          noting = null;
          if (answer instanceof Backing.Answer.Done<List<PackCatalogue.Use>> done) {
            rewrite(done.value());
          } else {
            tree.leftovers().suspect(PackFolder.PATH);
            soon();
          }
        });
  }

  /** Removes dead packs; returns the packs that are mostly dead. */
  private static List<PackCatalogue.Use> sweep(BackingStore store, AttemptId id)
      throws BackingException {
    List<PackCatalogue.Use> mostlyDead = new ArrayList<>();
    if (!(store instanceof PackedStore packed)) return mostlyDead;
    PackCatalogue catalogue = packed.catalogue();
    List<String> dead = new ArrayList<>();
    for (PackCatalogue.Use use : catalogue.uses()) {
      if (use.liveEntries() == 0) dead.add(use.pack());
      else if (use.isMostlyDead()) mostlyDead.add(use);
    }
    for (String name : dead) remove(store, name);
    fold(store, id, catalogue, dead);
    return mostlyDead;
  }

  /** Puts all notes that still say something into one file. */
  private static void fold(
      BackingStore store, AttemptId id, PackCatalogue catalogue, List<String> dead)
      throws BackingException {
    List<PackNote> superseded = catalogue.superseded();
    List<PackNote> kept = new ArrayList<>(catalogue.notes());
    kept.addAll(superseded);
    Set<String> gone = new TreeSet<>(dead);
    for (PackNote note : kept) {
      // It may have come while the others were read.
      boolean missed = !catalogue.has(note.pack()) && !gone.contains(note.pack());
      if (missed && !ConflictCheck.exists(store, PackFolder.PATH.resolve(note.pack()))) {
        gone.add(note.pack());
      }
    }
    kept.removeIf(note -> gone.contains(note.pack()));
    boolean fold = kept.isEmpty() || catalogue.noteNames().size() > NOTE_FILES_MAX;
    if (!fold) {
      if (!superseded.isEmpty()) PackFolder.note(store, id, 0, superseded);
      return;
    }
    if (!kept.isEmpty()) PackFolder.note(store, id, 0, kept);
    for (String name : catalogue.noteNames()) remove(store, name);
  }

  private static void remove(BackingStore store, String name) throws BackingException {
    BackingPath path = PackFolder.PATH.resolve(name);
    try {
      store.delete(path, BackingStore.ANY_VERSION);
    } catch (BackingException e) {
      if (!(e.failure() instanceof BackingFailure.NotFound)) throw e;
    }
  }

  /** Stores the live files of mostly dead packs again, if this tree knows all of them. */
  private void rewrite(List<PackCatalogue.Use> mostlyDead) {
    BackingView view = tree.view();
    if (view == null || mostlyDead.isEmpty()) return;
    Map<String, List<Long>> files = new TreeMap<>();
    for (PackCatalogue.Use use : mostlyDead) files.put(use.pack(), new ArrayList<>());
    view.stored(
        (file, contentTag) -> {
          @Nullable PackPlace place = PackPlace.parse(contentTag);
          List<Long> in = place == null ? null : files.get(place.pack());
          if (in != null) in.add(file);
        });
    for (PackCatalogue.Use use : mostlyDead) {
      List<Long> live = files.getOrDefault(use.pack(), List.of());
      if (live.size() == use.liveEntries()) packing.rewrite(live);
    }
  }
}
