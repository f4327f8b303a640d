// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import io.forebay.backing.AttemptId;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingPath;
import io.forebay.backing.pack.PackFolder;
import io.forebay.backing.pack.PackNote;
import io.forebay.base.PackPlace;
import io.forebay.namespace.tree.BackingView;
import io.forebay.namespace.tree.backed.BackingChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Renames and deletions of files in packs: they are noted in the store, many at a time, and nothing
 * is copied. A note repeats the journal, with the change's number, and may be written twice or
 * late.
 */
final class BackingNotes {
  /** The maximum number of changes in one file of notes. */
  private static final int CHANGES_MAX = 256;

  private final List<BackingChange> changes = new ArrayList<>();
  private final List<PackNote> notes = new ArrayList<>();

  /** Names that files in packs get. */
  private final Map<BackingPath, PackNaming.MayReplace> names = new TreeMap<>();

  /** As many of the next changes as can be noted. */
  BackingNotes(BackingView view) {
    for (BackingChange change : view.nextChanges(CHANGES_MAX)) {
      PackNote note = note(change, view);
      if (note == null) return;
      changes.add(change);
      notes.add(note);
      if (change instanceof BackingChange.Rename rename) {
        names.put(
            BackingPath.of(rename.name()),
            PackNaming.MayReplace.of(view.expected(rename.file(), rename.name())));
      }
    }
  }

  private static @Nullable PackNote note(BackingChange change, BackingView view) {
    return switch (change) {
      case BackingChange.Forget c -> gone(change, c.contentTag());
      case BackingChange.Delete c -> gone(change, tag(view.stored(c.file())));
      case BackingChange.DeleteName c -> {
        BackingView.Expected expected = view.expected(0, c.name());
        yield gone(change, expected == null ? "" : expected.contentTag());
      }
      case BackingChange.Rename c ->
          note(change, tag(view.stored(c.file())), BackingPath.of(c.name()).text());
      case BackingChange.Commit c -> null;
      case BackingChange.CommitPack c -> null;
      case BackingChange.RemoveDirectory c -> null;
    };
  }

  private static String tag(BackingView.@Nullable Stored stored) {
    return stored == null ? "" : stored.contentTag();
  }

  private static @Nullable PackNote gone(BackingChange change, String contentTag) {
    return note(change, contentTag, "");
  }

  private static @Nullable PackNote note(BackingChange change, String contentTag, String path) {
    PackPlace place = PackPlace.parse(contentTag);
    return place == null ? null : new PackNote(change.number(), place.pack(), place.entry(), path);
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  int count() {
    return changes.size();
  }

  long firstChange() {
    return changes.getFirst().number();
  }

  /** Whether nothing but notes is made: files of their own may be in the way of names. */
  boolean isRepeatable() {
    return names.isEmpty();
  }

  Backing.Action action(AttemptId id, BackingChanges.Step fence) {
    return store -> {
      Set<BackingPath> taken = new TreeSet<>();
      Set<BackingPath> replaced = PackNaming.replaced(store, names, taken);
      PackFolder.note(store, id, firstChange(), notes);
      PackNaming.removePlain(store, replaced, fence);
    };
  }
}
