// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.contract;

import static io.forebay.backing.contract.Scratch.require;
import static io.forebay.backing.contract.Scratch.requireEquals;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingFile;
import io.forebay.backing.BackingPath;
import io.forebay.backing.BackingStore;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Listing;
import io.forebay.backing.pack.PackCache;
import io.forebay.backing.pack.PackCatalogue;
import io.forebay.backing.pack.PackFolder;
import io.forebay.backing.pack.PackLayout;
import io.forebay.backing.pack.PackMember;
import io.forebay.backing.pack.PackNote;
import io.forebay.backing.pack.PackedStore;
import io.forebay.base.PackPlace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Checks that files in packs can be found and read in a store. Needs an empty store, since packs
 * have a fixed place there, and leaves its files behind. One thread.
 */
public final class PackContract {
  private static final FileAttributes ATTRIBUTES =
      new FileAttributes(0640, 7, 8, 1_700_000_000_123_456_789L);

  private final BackingStore store;
  private int attempts;

  public PackContract(BackingStore emptyStore) {
    this.store = emptyStore;
  }

  /** Runs everything, in order. */
  public void run() throws BackingException {
    requireEquals(List.of(), names(BackingPath.ROOT));
    String pack = write(5, Map.of("a", "first", "dir/b", "second", "dir/c", "", "dir/d", "ä"));
    requireEquals(List.of("a", "dir"), names(BackingPath.ROOT));
    requireEquals(List.of("b", "c", "d"), names(BackingPath.of("dir")));
    requireContent("a", "first");
    requireContent("dir/c", "");
    requireContent("dir/d", "ä");
    requireEquals(BackingFile.Kind.DIRECTORY, packed().stat(BackingPath.of("dir")).kind());
    requireEquals(ATTRIBUTES, packed().stat(BackingPath.of("a")).attributes());

    notes(pack);
    plainFilesGoFirst();
    laterOnesCount();
    requireTaken();
  }

  /** Other names and deletions are noted; a note that comes late changes nothing. */
  private void notes(String pack) throws BackingException {
    PackPlace a = place("a");
    PackPlace b = place("dir/b");
    note(new PackNote(8, pack, a.entry(), "other/a b+c%"), gone(9, b));
    note(new PackNote(7, pack, a.entry(), "late"), new PackNote(6, pack, b.entry(), "b"));
    requireEquals(List.of("dir", "other"), names(BackingPath.ROOT));
    requireEquals(List.of("c", "d"), names(BackingPath.of("dir")));
    requireContent("other/a b+c%", "first");
    // A reader with the place needs no name.
    requireEquals("first", read(BackingPath.of("anything"), a.toString()));
    PackCatalogue.Use use = catalogue().uses().getFirst();
    requireEquals(3, use.liveEntries());
    requireEquals(4, use.entries());
  }

  private void plainFilesGoFirst() throws BackingException {
    put("dir/d", "a file of its own");
    requireContent("dir/d", "a file of its own");
    requireEquals(List.of("c", "d"), names(BackingPath.of("dir")));
    store.delete(BackingPath.of("dir/d"), BackingStore.ANY_VERSION);
    requireContent("dir/d", "ä");
  }

  private void laterOnesCount() throws BackingException {
    write(12, Map.of("dir/d", "newer"));
    write(10, Map.of("dir/d", "older, and later"));
    requireContent("dir/d", "newer");
    note(gone(13, place("dir/d")));
    requireContent("dir/d", "older, and later");
    require(place("dir/c").order() == 5, "the order of a pack is not in its name");
  }

  /** Which names files of their own have is found for few and for many. */
  private void requireTaken() throws BackingException {
    put("plain/7", "seven");
    List<BackingPath> many = new ArrayList<>();
    for (int i = 0; i < 20; i++) many.add(BackingPath.of("plain/" + i));
    for (List<BackingPath> paths : List.of(many, many.subList(7, 9), many.subList(8, 9))) {
      List<BackingPath> expected =
          paths.stream().filter(path -> path.text().equals("plain/7")).toList();
      requireEquals(expected, List.copyOf(PackFolder.plain(packed(), paths).keySet()));
    }
    requireEquals(Map.of(), PackFolder.plain(packed(), List.of(BackingPath.of("dir/c"))));
  }

  private PackedStore packed() {
    return new PackedStore(store, new PackCache());
  }

  private PackCatalogue catalogue() throws BackingException {
    return packed().catalogue();
  }

  private PackPlace place(String path) throws BackingException {
    PackCatalogue.Named named = catalogue().names().get(path);
    if (named == null) throw new BrokenPromise("nothing is called " + path);
    return named.place();
  }

  private AttemptId id() {
    return new AttemptId("pack-contract-" + ++attempts);
  }

  /** Stores files together; gives the name of their pack. */
  private String write(long order, Map<String, String> files) throws BackingException {
    AttemptId id = id();
    List<PackMember> members = new ArrayList<>();
    List<ByteBuffer> data = new ArrayList<>();
    for (String path : new TreeSet<>(files.keySet())) {
      byte[] bytes = files.getOrDefault(path, "").getBytes(StandardCharsets.UTF_8);
      members.add(new PackMember(path, bytes.length, ATTRIBUTES));
      data.add(ByteBuffer.wrap(bytes));
    }
    PackLayout layout = new PackLayout(members);
    Attempt attempt = store.begin(PackFolder.packPlan(order, id, layout.sizeBytes()));
    store.write(attempt, 0, layout.framed(data));
    store.force(attempt);
    store.commit(attempt, attempt.plan().target());
    return PackFolder.packName(order, id);
  }

  private void note(PackNote... notes) throws BackingException {
    PackFolder.note(store, id(), notes[0].order(), List.of(notes));
  }

  private static PackNote gone(long order, PackPlace place) {
    return new PackNote(order, place.pack(), place.entry(), "");
  }

  private void put(String path, String text) throws BackingException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    BackingPath name = BackingPath.of(path);
    Attempt attempt = store.begin(new AttemptPlan(id(), name, bytes.length, FileAttributes.NONE));
    store.write(attempt, 0, List.of(ByteBuffer.wrap(bytes)));
    store.force(attempt);
    store.commit(attempt, name);
  }

  private List<String> names(BackingPath directory) throws BackingException {
    TreeSet<String> names = new TreeSet<>();
    try (Listing listing = packed().list(directory)) {
      while (true) {
        List<Listing.Entry> page = listing.next(2);
        if (page.isEmpty()) return List.copyOf(names);
        for (Listing.Entry entry : page) {
          require(names.add(entry.name()), entry.name() + " is listed twice");
        }
      }
    }
  }

  private void requireContent(String path, String text) throws BackingException {
    BackingPath name = BackingPath.of(path);
    requireEquals(text, read(name, packed().stat(name).version()));
    requireEquals(text, read(name, BackingStore.ANY_VERSION));
    try {
      packed().stat(name.resolve("below"));
      throw new BrokenPromise("something is below the file " + path);
    } catch (BackingException e) {
      boolean none =
          e.failure() instanceof BackingFailure.NotFound
              || e.failure() instanceof BackingFailure.WrongKind;
      if (!none) throw e;
    }
  }

  private String read(BackingPath path, String version) throws BackingException {
    ByteBuffer target = ByteBuffer.allocate(100);
    int read = packed().read(path, version, 0, target);
    requireEquals(target.position(), read);
    return new String(target.array(), 0, read, StandardCharsets.UTF_8);
  }
}
