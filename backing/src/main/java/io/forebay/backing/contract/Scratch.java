// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.contract;

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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** A directory in a store for one case, and the common steps of cases. One thread. */
final class Scratch {
  /** Something asked of a store. */
  interface Work {
    void run() throws BackingException;
  }

  private static final int PAGE_ENTRIES = 100;

  final BackingStore store;
  final BackingPath directory;
  private final RandomGenerator random;
  private int attempts;

  Scratch(BackingStore store, BackingPath directory, RandomGenerator random) {
    this.store = store;
    this.directory = directory;
    this.random = random;
  }

  BackingPath path(String name) {
    return directory.resolve(name);
  }

  byte[] content(long bytes) {
    byte[] content = new byte[(int) bytes];
    random.nextBytes(content);
    return content;
  }

  /** A file of several parts, however long those are, with an odd end. */
  byte[] severalParts() {
    return content((2 * store.capabilities().partBytesMin()) + 12_345);
  }

  AttemptPlan plan(BackingPath target, long bytes) {
    return plan(target, bytes, FileAttributes.NONE);
  }

  AttemptPlan plan(BackingPath target, long bytes, FileAttributes attributes) {
    AttemptId id = new AttemptId("check." + Long.toHexString(random.nextLong()) + "." + attempts++);
    return new AttemptPlan(id, target, bytes, attributes);
  }

  Attempt begin(BackingPath target, byte[] content) throws BackingException {
    return store.begin(plan(target, content.length));
  }

  /** The offsets at which the parts of a file of that size begin. */
  List<Long> parts(long bytes) {
    long partBytes = Math.max(store.capabilities().partBytes(bytes), 1);
    List<Long> offsets = new ArrayList<>();
    for (long at = 0; at < bytes; at += partBytes) offsets.add(at);
    return offsets;
  }

  ByteBuffer part(byte[] content, long offset) {
    long partBytes = store.capabilities().partBytes(content.length);
    return ByteBuffer.wrap(
        content, (int) offset, (int) Math.min(partBytes, content.length - offset));
  }

  void writeAll(Attempt attempt, byte[] content) throws BackingException {
    writeUnforced(attempt, content);
    store.force(attempt);
  }

  void writeUnforced(Attempt attempt, byte[] content) throws BackingException {
    for (long offset : parts(content.length)) {
      store.write(attempt, offset, List.of(part(content, offset)));
    }
  }

  void save(BackingPath target, byte[] content) throws BackingException {
    Attempt attempt = begin(target, content);
    writeAll(attempt, content);
    store.commit(attempt, target);
  }

  byte[] readAll(BackingPath path) throws BackingException {
    BackingFile file = store.stat(path);
    require(file.kind() == BackingFile.Kind.FILE, path + " is a " + file.kind());
    ByteBuffer target = ByteBuffer.allocateDirect((int) file.sizeBytes());
    int bytes = 0;
    while (target.hasRemaining()) {
      int read = store.read(path, file.version(), bytes, target);
      require(read > 0, path + " ends before its size");
      bytes += read;
    }
    byte[] content = new byte[bytes];
    target.flip().get(content);
    return content;
  }

  void requireContent(BackingPath path, byte[] expected) throws BackingException {
    require(Arrays.equals(readAll(path), expected), path + " has other bytes than were stored");
  }

  void requireAbsent(BackingPath path) {
    requireFailure(BackingFailure.NotFound.class, () -> store.stat(path));
  }

  List<String> names(BackingPath in, int entriesMax) throws BackingException {
    List<String> names = new ArrayList<>();
    try (Listing listing = store.list(in)) {
      while (true) {
        List<Listing.Entry> page = listing.next(entriesMax);
        if (page.isEmpty()) break;
        require(
            page.size() <= entriesMax, page.size() + " entries where " + entriesMax + " may be");
        for (Listing.Entry entry : page) names.add(entry.name());
      }
    }
    names.sort(null);
    return names;
  }

  /** Removes the directory with all that is in it. */
  void clear() throws BackingException {
    clear(directory);
  }

  private void clear(BackingPath in) throws BackingException {
    List<Listing.Entry> entries = new ArrayList<>();
    try (Listing listing = store.list(in)) {
      for (List<Listing.Entry> page = listing.next(PAGE_ENTRIES);
          !page.isEmpty();
          page = listing.next(PAGE_ENTRIES)) {
        entries.addAll(page);
      }
    } catch (BackingException gone) {
      if (gone.failure() instanceof BackingFailure.NotFound) return;
      throw gone;
    }
    for (var leftover : store.leftovers(in)) store.remove(leftover);
    for (Listing.Entry entry : entries) {
      BackingPath path = in.resolve(entry.name());
      if (entry.file().kind() == BackingFile.Kind.DIRECTORY) clear(path);
      else store.delete(path, BackingStore.ANY_VERSION);
    }
    try {
      store.removeDirectory(in);
    } catch (BackingException gone) {
      // Where directories exist only by the names in them, it vanished with the last one.
      if (!(gone.failure() instanceof BackingFailure.NotFound)) throw gone;
    }
  }

  static void require(boolean kept, String otherwise) {
    if (!kept) throw new BrokenPromise(otherwise);
  }

  static void requireEquals(Object expected, Object found) {
    require(Objects.equals(expected, found), "expected %s, found %s".formatted(expected, found));
  }

  static void requireFailure(Class<? extends BackingFailure> kind, Work work) {
    requireFailure(work, List.of(kind));
  }

  /** Must fail, in any of these ways. */
  static void requireFailure(Work work, List<Class<? extends BackingFailure>> kinds) {
    try {
      work.run();
    } catch (BackingException failed) {
      if (kinds.stream().anyMatch(kind -> kind.isInstance(failed.failure()))) return;
      throw new BrokenPromise("failed in another way: " + failed.failure(), failed);
    }
    throw new BrokenPromise("succeeded where it must fail with one of " + kinds);
  }
}
