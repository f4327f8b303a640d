// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.pack;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Listing;
import io.forebay.backing.WrappedStore;
import io.forebay.base.PackPlace;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Shows the files in a store's packs under their names, besides plain files. A plain file hides a
 * file of the same name in a pack. Only reading differs: changes of files in packs are recorded by
 * notes ({@link PackFolder#note}). One thread at a time.
 */
public final class PackedStore extends WrappedStore {
  private final PackCache before;
  private @Nullable PackCache now;

  /**
   * Shows files in packs, too.
   *
   * @param known known packs; not modified
   */
  public PackedStore(BackingStore inner, PackCache known) {
    super(inner);
    this.before = known;
  }

  /** The packs known by now. */
  public PackCache known() {
    return now == null ? before : now;
  }

  /** The store without its packs. */
  BackingStore plain() {
    return inner;
  }

  @Override
  protected <T> T call(long bytes, Backing.Operation<T> operation) throws BackingException {
    return operation.on(inner);
  }

  public PackCatalogue catalogue() throws BackingException {
    if (now == null) now = before.copy();
    return PackCatalogue.read(inner, now);
  }

  @Override
  public int read(BackingPath path, String version, long offset, ByteBuffer target)
      throws BackingException {
    PackPlace place = PackPlace.parse(version);
    if (place != null) return read(place, offset, target);
    try {
      return inner.read(path, version, offset, target);
    } catch (BackingException e) {
      boolean anything = version.equals(ANY_VERSION);
      if (!anything || !(e.failure() instanceof BackingFailure.NotFound)) throw e;
      PackCatalogue.Named named = catalogue().names().get(path.text());
      if (named == null) throw e;
      return read(named.place(), offset, target);
    }
  }

  private int read(PackPlace place, long offset, ByteBuffer target) throws BackingException {
    long left = place.lengthBytes() - offset;
    BackingPath pack = PackFolder.PATH.resolve(place.pack());
    if (left <= 0 || !target.hasRemaining()) {
      // Its existence is an answer, too.
      inner.stat(pack);
      return 0;
    }
    int limit = target.limit();
    target.limit((int) Math.min(limit, target.position() + left));
    try {
      return inner.read(pack, ANY_VERSION, place.offset() + offset, target);
    } finally {
      target.limit(limit);
    }
  }

  @Override
  public BackingFile stat(BackingPath path) throws BackingException {
    try {
      return inner.stat(path);
    } catch (BackingException e) {
      if (!(e.failure() instanceof BackingFailure.NotFound)) throw e;
      PackCatalogue catalogue = catalogue();
      PackCatalogue.Named named = catalogue.names().get(path.text());
      if (named != null) return told(named);
      String below = catalogue.names().higherKey(path.text() + "/");
      if (below != null && below.startsWith(path.text() + "/")) return DIRECTORY;
      throw e;
    }
  }

  private static final BackingFile DIRECTORY =
      new BackingFile(BackingFile.Kind.DIRECTORY, 0, FileAttributes.NONE, 1, "", "");

  private static BackingFile told(PackCatalogue.Named named) {
    String tag = named.place().toString();
    PackMember member = named.member();
    return new BackingFile(
        BackingFile.Kind.FILE, member.sizeBytes(), member.attributes(), 1, tag, tag);
  }

  @Override
  public Listing list(BackingPath directory) throws BackingException {
    Map<String, BackingFile> packed = packedIn(directory);
    Listing plain;
    try {
      plain = inner.list(directory);
    } catch (BackingException e) {
      if (!(e.failure() instanceof BackingFailure.NotFound) || packed.isEmpty()) throw e;
      return new Both(List.of(), packed, directory.isRoot());
    }
    return new Both(List.of(plain), packed, directory.isRoot());
  }

  private Map<String, BackingFile> packedIn(BackingPath directory) throws BackingException {
    String start = directory.isRoot() ? "" : directory.text() + "/";
    Map<String, BackingFile> found = new TreeMap<>();
    for (Map.Entry<String, PackCatalogue.Named> each :
        catalogue().names().tailMap(start, false).entrySet()) {
      if (!each.getKey().startsWith(start)) break;
      String name = each.getKey().substring(start.length());
      int slash = name.indexOf('/');
      if (slash < 0) found.put(name, told(each.getValue()));
      else found.put(name.substring(0, slash), DIRECTORY);
    }
    return found;
  }

  /** Plain entries first, without Forebay's own; then those only in packs. */
  private static final class Both implements Listing {
    private final ArrayDeque<Listing> plain;
    private final Map<String, BackingFile> packed;
    private final boolean root;

    Both(List<Listing> plain, Map<String, BackingFile> packed, boolean root) {
      this.plain = new ArrayDeque<>(plain);
      this.packed = packed;
      this.root = root;
    }

    @Override
    public List<Entry> next(int entriesMax) throws BackingException {
      while (!plain.isEmpty()) {
        List<Entry> page = plain.element().next(entriesMax);
        if (page.isEmpty()) {
          plain.remove().close();
          break;
        }
        List<Entry> shown = new ArrayList<>();
        for (Entry entry : page) {
          packed.remove(entry.name());
          if (!root || !entry.name().equals(PackFolder.ROOT_NAME)) shown.add(entry);
        }
        if (!shown.isEmpty()) return shown;
      }
      List<Entry> rest = new ArrayList<>();
      for (var each = packed.entrySet().iterator(); each.hasNext() && rest.size() < entriesMax; ) {
        Map.Entry<String, BackingFile> next = each.next();
        rest.add(new Entry(next.getKey(), next.getValue()));
        each.remove();
      }
      return rest;
    }

    @Override
    public void close() {
      for (Listing each : plain) each.close();
      plain.clear();
    }
  }
}
