// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.pack;

import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Listing;
import io.forebay.base.PackPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The combined contents of a store's packs: their names, and what of them is dead. Found by reading
 * all of them, in no particular order: if two files claim a name, the claim with the higher order
 * counts.
 */
public final class PackCatalogue {
  /** A file in a pack, with the name that it has now. */
  public record Named(PackMember member, PackPlace place, int crc32) {}

  /** A pack, and how much of it still counts. */
  public record Use(
      String pack, long sizeBytes, int entries, int liveEntries, long dataBytes, long liveBytes) {
    /** Whether it should be rewritten without its dead files. */
    public boolean isMostlyDead() {
      return liveEntries > 0 && (liveEntries * 2 < entries || liveBytes * 2 < dataBytes);
    }
  }

  private record Key(String pack, int entry) {}

  private static final int LISTED_AT_ONCE = 1_000;

  /** Another process may rewrite packs at the same time. */
  private static final int TRIES_MAX = 4;

  private final TreeMap<String, Named> names = new TreeMap<>();
  private final List<Use> uses = new ArrayList<>();
  private final List<String> noteNames = new ArrayList<>();
  private final List<PackNote> notes = new ArrayList<>();
  private final List<Named> claims = new ArrayList<>();

  private PackCatalogue() {}

  /**
   * Reads the packs of a store.
   *
   * @param cache known packs; newly read ones are added
   */
  public static PackCatalogue read(BackingStore store, PackCache cache) throws BackingException {
    for (int tries = 1; ; tries++) {
      try {
        return readOnce(store, cache);
      } catch (BackingException e) {
        boolean gone = e.failure() instanceof BackingFailure.NotFound;
        if (!gone || tries == TRIES_MAX) throw e;
      }
    }
  }

  private static PackCatalogue readOnce(BackingStore store, PackCache cache)
      throws BackingException {
    TreeMap<String, Long> packs = new TreeMap<>();
    PackCatalogue catalogue = new PackCatalogue();
    for (Listing.Entry entry : list(store)) {
      String name = entry.name();
      if (name.endsWith(PackFolder.PACK_SUFFIX)) {
        packs.put(name, entry.file().sizeBytes());
      } else if (name.endsWith(PackFolder.NOTES_SUFFIX)) {
        catalogue.noteNames.add(name);
        catalogue.notes.addAll(notes(store, cache, name, entry.file().sizeBytes()));
      }
    }
    Map<String, PackIndex> indexes = new TreeMap<>();
    for (Map.Entry<String, Long> each : packs.entrySet()) {
      indexes.put(each.getKey(), index(store, cache, each.getKey(), each.getValue()));
    }
    catalogue.build(indexes, packs);
    return catalogue;
  }

  private static List<Listing.Entry> list(BackingStore store) throws BackingException {
    List<Listing.Entry> entries = new ArrayList<>();
    try (Listing listing = store.list(PackFolder.PATH)) {
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

  private static PackIndex index(BackingStore store, PackCache cache, String name, long sizeBytes)
      throws BackingException {
    PackIndex known = cache.indexes.get(name);
    if (known != null) return known;
    PackIndex read = PackIndex.read(store, PackFolder.PATH.resolve(name), sizeBytes);
    cache.indexes.put(name, read);
    return read;
  }

  private static List<PackNote> notes(
      BackingStore store, PackCache cache, String name, long sizeBytes) throws BackingException {
    List<PackNote> known = cache.notes.get(name);
    if (known != null) return known;
    BackingPath path = PackFolder.PATH.resolve(name);
    byte[] text = new byte[(int) Math.min(sizeBytes, PackLayout.BYTES_MAX)];
    PackIndex.read(store, path, 0, text.length).get(text);
    List<PackNote> read = PackNote.parse(text, path, store.description());
    cache.notes.put(name, read);
    return read;
  }

  private void build(Map<String, PackIndex> indexes, Map<String, Long> sizes) {
    Map<Key, PackNote> last = new TreeMap<>(KEYS);
    for (PackNote note : notes) {
      last.merge(
          new Key(note.pack(), note.entry()),
          note,
          (one, other) -> one.order() >= other.order() ? one : other);
    }
    notes.clear();
    notes.addAll(last.values());
    indexes.forEach(
        (pack, index) -> {
          int liveEntries = 0;
          long liveBytes = 0;
          for (int i = 0; i < index.entries().size(); i++) {
            PackNote note = last.get(new Key(pack, i));
            if (note != null && note.isGone()) continue;
            PackIndex.Entry entry = index.entries().get(i);
            liveEntries++;
            liveBytes += entry.member().sizeBytes();
            claim(pack, i, entry, note);
          }
          uses.add(
              new Use(
                  pack,
                  sizes.getOrDefault(pack, 0L),
                  index.entries().size(),
                  liveEntries,
                  index.dataBytes(),
                  liveBytes));
        });
  }

  private static final Comparator<Key> KEYS =
      Comparator.comparing(Key::pack).thenComparingInt(Key::entry);

  private void claim(String pack, int number, PackIndex.Entry entry, @Nullable PackNote note) {
    PackMember member = entry.member();
    long order = note == null ? orderOf(pack) : note.order();
    String path = note == null ? member.path() : note.path();
    if (BackingPath.problemWith(path) != null || path.isEmpty()) return;
    PackPlace place = new PackPlace(pack, number, entry.offset(), member.sizeBytes(), order);
    Named named =
        new Named(
            new PackMember(path, member.sizeBytes(), member.attributes()), place, entry.crc32());
    claims.add(named);
    names.merge(path, named, (one, other) -> one.place.order() > other.place.order() ? one : other);
  }

  /** The order stands at the beginning of a pack's name. */
  private static long orderOf(String pack) {
    int end = pack.indexOf('-');
    try {
      return end < 0 ? 0 : Long.parseLong(pack.substring(0, end), 16);
    } catch (NumberFormatException somebodyElses) {
      return 0;
    }
  }

  /** The files by their paths, which have no leading slash. */
  public NavigableMap<String, Named> names() {
    return names;
  }

  /**
   * Notes for files whose names have newer files, such as those of an instance that used the store
   * before. In all other cases, the home that took the name writes the note.
   */
  public List<PackNote> superseded() {
    List<PackNote> gone = new ArrayList<>();
    for (Named each : claims) {
      Named winner = names.get(each.member.path());
      if (winner == null || winner.place.equals(each.place)) continue;
      gone.add(new PackNote(winner.place.order(), each.place.pack(), each.place.entry(), ""));
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

  public boolean has(String pack) {
    return uses.stream().anyMatch(use -> use.pack().equals(pack));
  }

  /** The last note about each file, also of packs that are gone. */
  public List<PackNote> notes() {
    return List.copyOf(notes);
  }
}
