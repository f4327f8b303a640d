// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.pack;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Listing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** The folder of a store with its packs and the notes about them. */
public final class PackFolder {
  /** The name at the root below which everything of Forebay's own is. */
  public static final String ROOT_NAME = ".forebay";

  public static final BackingPath PATH = BackingPath.of(ROOT_NAME + "/packs");

  static final String PACK_SUFFIX = ".zip";
  static final String NOTES_SUFFIX = ".notes";

  /** Packs have files of all sorts of people: only Forebay's own user reads them. */
  private static final FileAttributes OWN =
      new FileAttributes(
          0600, FileAttributes.UNKNOWN, FileAttributes.UNKNOWN, FileAttributes.UNKNOWN);

  /**
   * Up to this many names of one directory are looked up one by one; for more the directory is
   * listed.
   */
  private static final int LOOKED_UP_MAX = 4;

  private static final int LISTED_AT_ONCE = 1_000;

  private PackFolder() {}

  /** Whether a path of a tree, with its leading slash, would be Forebay's own in the store. */
  public static boolean isReserved(String path) {
    return path.equals("/" + ROOT_NAME) || path.startsWith("/" + ROOT_NAME + "/");
  }

  /** The name of a pack; no two have the same. */
  public static String packName(long order, AttemptId id) {
    return "%016x-%s%s".formatted(order, id, PACK_SUFFIX);
  }

  /** The plan to store a pack. */
  public static AttemptPlan packPlan(long order, AttemptId id, long sizeBytes) {
    return new AttemptPlan(id, PATH.resolve(packName(order, id)), sizeBytes, OWN);
  }

  /**
   * Stores notes.
   *
   * @param order of the first of them, for the eye only
   */
  public static void note(BackingStore store, AttemptId id, long order, List<PackNote> notes)
      throws BackingException {
    byte[] text = PackNote.write(notes);
    BackingPath name = PATH.resolve("%016x-%s%s".formatted(order, id, NOTES_SUFFIX));
    Attempt attempt = store.begin(new AttemptPlan(id, name, text.length, OWN));
    try {
      store.write(attempt, 0, List.of(ByteBuffer.wrap(text)));
      store.force(attempt);
      verify(store, attempt, text);
      store.commit(attempt, name);
    } catch (BackingException e) {
      takeBack(store, attempt, e);
      throw e;
    }
  }

  /** Names depend on notes, and notes are few: they are read back regardless of the policy. */
  private static void verify(BackingStore store, Attempt attempt, byte[] text)
      throws BackingException {
    if (store.capabilities().verification() != Capabilities.Verification.READ_BACK) return;
    CRC32C crc = new CRC32C();
    crc.update(text);
    int found;
    try {
      found = store.checksum(attempt, 0, text.length);
    } catch (BackingException e) {
      if (e.failure() instanceof BackingFailure.Unsupported) return;
      throw e;
    }
    if (found == (int) crc.getValue()) return;
    throw new BackingException(
        new BackingFailure.Changed(
            store.description() + " does not have the bytes that it was given; tried again"));
  }

  /** Best effort: the search for leftovers finds the rest. */
  private static void takeBack(BackingStore store, Attempt attempt, BackingException cause) {
    try {
      store.abort(attempt);
    } catch (BackingException e) {
      cause.addSuppressed(e);
    }
  }

  /** The paths under which the store has a file that is in no pack. */
  public static Map<BackingPath, BackingFile> plain(
      BackingStore store, Collection<BackingPath> paths) throws BackingException {
    Map<BackingPath, List<BackingPath>> byDirectory = new TreeMap<>();
    for (BackingPath path : paths) {
      byDirectory.computeIfAbsent(path.parent(), key -> new ArrayList<>()).add(path);
    }
    BackingStore direct = store instanceof PackedStore packed ? packed.plain() : store;
    Map<BackingPath, BackingFile> found = new TreeMap<>();
    for (Map.Entry<BackingPath, List<BackingPath>> each : byDirectory.entrySet()) {
      if (each.getValue().size() > LOOKED_UP_MAX)
        list(direct, each.getKey(), each.getValue(), found);
      else lookUp(direct, each.getValue(), found);
    }
    return found;
  }

  private static void lookUp(
      BackingStore store, List<BackingPath> paths, Map<BackingPath, BackingFile> found)
      throws BackingException {
    for (BackingPath path : paths) {
      try {
        found.put(path, store.stat(path));
      } catch (BackingException e) {
        if (!(e.failure() instanceof BackingFailure.NotFound)) throw e;
      }
    }
  }

  private static void list(
      BackingStore store,
      BackingPath directory,
      List<BackingPath> paths,
      Map<BackingPath, BackingFile> found)
      throws BackingException {
    Map<String, BackingPath> wanted = new TreeMap<>();
    for (BackingPath path : paths) wanted.put(path.name(), path);
    try (Listing listing = store.list(directory)) {
      while (true) {
        List<Listing.Entry> page = listing.next(LISTED_AT_ONCE);
        if (page.isEmpty()) return;
        for (Listing.Entry entry : page) {
          BackingPath path = wanted.get(entry.name());
          if (path != null) found.put(path, entry.file());
        }
      }
    } catch (BackingException e) {
      if (!(e.failure() instanceof BackingFailure.NotFound)) throw e;
    }
  }
}
