// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.bundle;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Listing;
import io.forebay.backing.StorePath;
import io.forebay.base.BundlePlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the bundles of a store come to: which names they have, and what of them is dead. Found by
 * reading all of them, in no particular order: of two files that claim a name the one counts whose
 * claim has the higher order.
 */
public final class BundleCatalogue {
  /** A file in a bundle, with the name that it has now. */
  public record Named(BundleMember member, BundlePlace place, int crc32) {}

  /** A bundle, and how much of it still counts. */
  public record Use(
      String bundle, long sizeBytes, int entries, int liveEntries, long dataBytes, long liveBytes) {
    /** Whether it should be written anew, without what is dead. */
    public boolean isMostlyDead() {
      return liveEntries > 0 && (liveEntries * 2 < entries || liveBytes * 2 < dataBytes);
    }
  }

  private record Key(String bundle, int entry) {}

  private static final int LISTED_AT_ONCE = 1_000;

  /** Somebody may rewrite bundles meanwhile. */
  private static final int TRIES_MAX = 4;

  private final TreeMap<String, Named> names = new TreeMap<>();
  private final List<Use> uses = new ArrayList<>();
  private final List<String> noteNames = new ArrayList<>();
  private final List<BundleNote> notes = new ArrayList<>();
  private final List<Named> claims = new ArrayList<>();

  private BundleCatalogue() {}

  /**
   * Reads what a store has.
   *
   * @param cache what is known of it already; what is read is added
   */
  public static BundleCatalogue read(BackingStore store, BundleCache cache)
      throws BackingException {
    for (int tries = 1; ; tries++) {
      try {
        return readOnce(store, cache);
      } catch (BackingException e) {
        boolean gone = e.failure() instanceof BackingFailure.NotFound;
        if (!gone || tries == TRIES_MAX) throw e;
      }
    }
  }

  private static BundleCatalogue readOnce(BackingStore store, BundleCache cache)
      throws BackingException {
    TreeMap<String, Long> bundles = new TreeMap<>();
    BundleCatalogue catalogue = new BundleCatalogue();
    for (Listing.Entry entry : list(store)) {
      String name = entry.name();
      if (name.endsWith(BundleFolder.BUNDLE_SUFFIX)) {
        bundles.put(name, entry.file().sizeBytes());
      } else if (name.endsWith(BundleFolder.NOTES_SUFFIX)) {
        catalogue.noteNames.add(name);
        catalogue.notes.addAll(notes(store, cache, name, entry.file().sizeBytes()));
      }
    }
    Map<String, BundleIndex> indexes = new TreeMap<>();
    for (Map.Entry<String, Long> each : bundles.entrySet()) {
      indexes.put(each.getKey(), index(store, cache, each.getKey(), each.getValue()));
    }
    catalogue.build(indexes, bundles);
    return catalogue;
  }

  private static List<Listing.Entry> list(BackingStore store) throws BackingException {
    List<Listing.Entry> entries = new ArrayList<>();
    try (Listing listing = store.list(BundleFolder.PATH)) {
      while (true) {
        List<Listing.Entry> page = listing.next(LISTED_AT_ONCE);
        if (page.isEmpty()) return entries;
        entries.addAll(page);
      }
    } catch (BackingException e) {
      if (e.failure() instanceof BackingFailure.NotFound) return entries;
      throw e;
    }
  }

  private static BundleIndex index(
      BackingStore store, BundleCache cache, String name, long sizeBytes) throws BackingException {
    BundleIndex known = cache.indexes.get(name);
    if (known != null) return known;
    BundleIndex read = BundleIndex.read(store, BundleFolder.PATH.resolve(name), sizeBytes);
    cache.indexes.put(name, read);
    return read;
  }

  private static List<BundleNote> notes(
      BackingStore store, BundleCache cache, String name, long sizeBytes) throws BackingException {
    List<BundleNote> known = cache.notes.get(name);
    if (known != null) return known;
    StorePath path = BundleFolder.PATH.resolve(name);
    byte[] text = new byte[(int) Math.min(sizeBytes, BundleLayout.BYTES_MAX)];
    BundleIndex.read(store, path, 0, text.length).get(text);
    List<BundleNote> read = BundleNote.parse(text, path, store.description());
    cache.notes.put(name, read);
    return read;
  }

  private void build(Map<String, BundleIndex> indexes, Map<String, Long> sizes) {
    Map<Key, BundleNote> last = new TreeMap<>(KEYS);
    for (BundleNote note : notes) {
      last.merge(
          new Key(note.bundle(), note.entry()),
          note,
          (one, other) -> one.order() >= other.order() ? one : other);
    }
    notes.clear();
    notes.addAll(last.values());
    indexes.forEach(
        (bundle, index) -> {
          int liveEntries = 0;
          long liveBytes = 0;
          for (int i = 0; i < index.entries().size(); i++) {
            BundleNote note = last.get(new Key(bundle, i));
            if (note != null && note.isGone()) continue;
            BundleIndex.Entry entry = index.entries().get(i);
            liveEntries++;
            liveBytes += entry.member().sizeBytes();
            claim(bundle, i, entry, note);
          }
          uses.add(
              new Use(
                  bundle,
                  sizes.getOrDefault(bundle, 0L),
                  index.entries().size(),
                  liveEntries,
                  index.dataBytes(),
                  liveBytes));
        });
  }

  private static final Comparator<Key> KEYS =
      Comparator.comparing(Key::bundle).thenComparingInt(Key::entry);

  private void claim(
      String bundle, int number, BundleIndex.Entry entry, @Nullable BundleNote note) {
    BundleMember member = entry.member();
    long order = note == null ? orderOf(bundle) : note.order();
    String path = note == null ? member.path() : note.path();
    if (StorePath.problemWith(path) != null || path.isEmpty()) return;
    BundlePlace place = new BundlePlace(bundle, number, entry.offset(), member.sizeBytes(), order);
    Named named =
        new Named(
            new BundleMember(path, member.sizeBytes(), member.attributes()), place, entry.crc32());
    claims.add(named);
    names.merge(path, named, (one, other) -> one.place.order() > other.place.order() ? one : other);
  }

  /** The order stands at the beginning of a bundle's name. */
  private static long orderOf(String bundle) {
    int end = bundle.indexOf('-');
    try {
      return end < 0 ? 0 : Long.parseLong(bundle.substring(0, end), 16);
    } catch (NumberFormatException somebodyElses) {
      return 0;
    }
  }

  /** The files by their paths, which have no leading slash. */
  public NavigableMap<String, Named> names() {
    return names;
  }

  /**
   * What is to be noted of files whose names later ones have: such as those of an instance that had
   * the store before. Who lost its name otherwise is noted by whoever took it.
   */
  public List<BundleNote> superseded() {
    List<BundleNote> gone = new ArrayList<>();
    for (Named each : claims) {
      Named winner = names.get(each.member.path());
      if (winner == null || winner.place.equals(each.place)) continue;
      gone.add(new BundleNote(winner.place.order(), each.place.bundle(), each.place.entry(), ""));
    }
    return gone;
  }

  public List<Use> uses() {
    return List.copyOf(uses);
  }

  /** The names of the files with notes. */
  public List<String> noteNames() {
    return List.copyOf(noteNames);
  }

  public boolean has(String bundle) {
    return uses.stream().anyMatch(use -> use.bundle().equals(bundle));
  }

  /** The last note about each file, also of bundles that are gone. */
  public List<BundleNote> notes() {
    return List.copyOf(notes);
  }
}
