// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.naming;

import io.forebay.backing.Attempt;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Sighting;
import io.forebay.backing.pack.PackFolder;
import io.forebay.namespace.tree.BackingView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Gives a pack its name in the store, and removes plain files with the names of files in it: those
 * that Forebay knows, or that it may replace.
 */
public final class PackNaming {
  /**
   * The result.
   *
   * @param taken names that other programs' files keep
   */
  record Named(boolean done, Set<BackingPath> taken) {}

  /**
   * The content that may be replaced under a name in the store.
   *
   * @param anything whether any content may be replaced
   * @param contentTag otherwise, the tag of the content that may be; empty for none
   */
  public record MayReplace(boolean anything, String contentTag) {
    public static MayReplace of(BackingView.@Nullable Expected expected) {
      return expected == null
          ? new MayReplace(true, "")
          : new MayReplace(false, expected.contentTag());
    }

    boolean allows(BackingStore store, BackingPath path) throws BackingException {
      if (anything) return true;
      return !contentTag.isEmpty() && ConflictCheck.isVersion(store, path, contentTag);
    }
  }

  private PackNaming() {}

  /**
   * Names a pack; retried whenever the outcome is unknown.
   *
   * @param expected the names of its files, each with what may be replaced there
   * @param fence fails when this home may no longer act
   */
  static Named name(
      BackingStore store,
      Attempt attempt,
      Map<BackingPath, MayReplace> expected,
      BackingChanges.Step fence)
      throws BackingException {
    BackingPath name = attempt.plan().target();
    if (store.look(attempt, name) == Sighting.GONE) return new Named(false, new TreeSet<>());
    Set<BackingPath> taken = new TreeSet<>();
    Set<BackingPath> replaced = replaced(store, expected, taken);
    store.commit(attempt, name);
    long sizeBytes = store.stat(name).sizeBytes();
    if (sizeBytes != attempt.plan().sizeBytes()) {
      throw new BackingException(
          new BackingFailure.Changed(
              "'%s' has %d bytes in %s, and not %d"
                  .formatted(name, sizeBytes, store.description(), attempt.plan().sizeBytes())));
    }
    removePlain(store, replaced, fence);
    return new Named(true, taken);
  }

  /** The names that other programs' files have. */
  public static Set<BackingPath> taken(BackingStore store, Map<BackingPath, MayReplace> expected)
      throws BackingException {
    Set<BackingPath> taken = new TreeSet<>();
    Map<BackingPath, MayReplace> known = new TreeMap<>(expected);
    known.values().removeIf(MayReplace::anything);
    if (!known.isEmpty()) replaced(store, known, taken);
    return taken;
  }

  /**
   * The plain files with names of files in packs that may be replaced.
   *
   * @param taken gets the names of those that may not be
   */
  static Set<BackingPath> replaced(
      BackingStore store, Map<BackingPath, MayReplace> expected, Set<BackingPath> taken)
      throws BackingException {
    Set<BackingPath> replaced = new TreeSet<>();
    for (Map.Entry<BackingPath, BackingFile> each :
        PackFolder.plain(store, expected.keySet()).entrySet()) {
      BackingPath path = each.getKey();
      MayReplace may = expected.get(path);
      boolean own =
          each.getValue().kind() == BackingFile.Kind.FILE && may != null && may.allows(store, path);
      if (own) replaced.add(path);
      else taken.add(path);
    }
    return replaced;
  }

  static void removePlain(BackingStore store, Set<BackingPath> replaced, BackingChanges.Step fence)
      throws BackingException {
    for (BackingPath path : replaced) {
      // From a lookup: some stores report another tag in a listing.
      BackingFile there = PackFolder.plain(store, List.of(path)).get(path);
      if (there == null) continue;
      fence.run();
      try {
        store.delete(path, there.version());
      } catch (BackingException e) {
        if (!(e.failure() instanceof BackingFailure.NotFound)) throw e;
      }
    }
  }
}
