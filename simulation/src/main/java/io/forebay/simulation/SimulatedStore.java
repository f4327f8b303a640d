package io.forebay.simulation;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.BackingException;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingStore;
import io.forebay.backing.Capabilities;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.Leftover;
import io.forebay.backing.Listing;
import io.forebay.backing.Sighting;
import io.forebay.backing.StorePath;
import io.forebay.backing.StoredFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A backing store in memory, shared by all seats of a world: files under names, and attempts that
 * have none yet. It loses nothing; what is wrong with it {@link SimulatedBacking} adds.
 */
final class SimulatedStore implements BackingStore {
  private static final class Content {
    final String identity;
    final byte[] bytes;

    Content(String identity, int length) {
      this.identity = identity;
      this.bytes = new byte[length];
    }
  }

  private final Map<AttemptId, Content> attempts =
      new TreeMap<>(Comparator.comparing(AttemptId::text));
  private final TreeMap<StorePath, Content> files = new TreeMap<>();
  private long made;
  private int commits;

  /** Puts a file there, as somebody else would. */
  void put(String path, byte[] bytes) {
    Content content = new Content("o" + ++made, bytes.length);
    System.arraycopy(bytes, 0, content.bytes, 0, bytes.length);
    files.put(StorePath.of(path), content);
  }

  /** Removes one, as somebody else would. */
  void remove(String path) {
    files.remove(StorePath.of(path));
  }

  /** All that is there, by name. */
  Map<String, byte[]> contents() {
    Map<String, byte[]> contents = new TreeMap<>();
    files.forEach((path, content) -> contents.put(path.toString(), content.bytes.clone()));
    return contents;
  }

  /** How often a file got its name. */
  int commits() {
    return commits;
  }

  /** How many attempts have not been named or taken back. */
  int attempts() {
    return attempts.size();
  }

  @Override
  public String description() {
    return "the simulated store";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(
        true,
        true,
        1,
        1 << 30,
        Integer.MAX_VALUE,
        true,
        true,
        true,
        false,
        false,
        4096,
        Capabilities.Verification.READ_BACK);
  }

  @Override
  public void check() {}

  @Override
  public Attempt begin(AttemptPlan plan) throws BackingException {
    if (attempts.containsKey(plan.id())) {
      throw new BackingException(new BackingFailure.Exists(plan.id() + " has begun before"));
    }
    Content content = new Content("c" + ++made, (int) plan.sizeBytes());
    attempts.put(plan.id(), content);
    return new Attempt(plan, content.identity);
  }

  private @Nullable Content own(Attempt attempt) {
    Content content = attempts.get(attempt.id());
    boolean own =
        content != null && (!attempt.isTold() || content.identity.equals(attempt.handle()));
    return own ? content : null;
  }

  @Override
  public void write(Attempt attempt, long offset, List<ByteBuffer> source) throws BackingException {
    Content content = own(attempt);
    if (content == null) throw gone(attempt);
    int at = (int) offset;
    for (ByteBuffer part : source) {
      int length = part.remaining();
      part.get(content.bytes, at, length);
      at += length;
    }
  }

  private static BackingException gone(Attempt attempt) {
    return new BackingException(new BackingFailure.Changed(attempt.id() + " is gone"));
  }

  @Override
  public void force(Attempt attempt) throws BackingException {
    if (own(attempt) == null) throw gone(attempt);
  }

  @Override
  public List<String> commit(Attempt attempt, StorePath name) throws BackingException {
    Content content = own(attempt);
    if (content == null) {
      if (look(attempt, name) == Sighting.COMMITTED) return List.of();
      throw gone(attempt);
    }
    attempts.remove(attempt.id());
    files.put(name, content);
    commits++;
    return List.of();
  }

  @Override
  public Sighting look(Attempt attempt, StorePath name) {
    Content there = files.get(name);
    if (there != null && there.identity.equals(attempt.handle())) return Sighting.COMMITTED;
    return own(attempt) == null ? Sighting.GONE : Sighting.PENDING;
  }

  @Override
  public void abort(Attempt attempt) {
    attempts.remove(attempt.id());
  }

  @Override
  public List<Leftover> leftovers(StorePath directory) {
    return List.of();
  }

  @Override
  public void remove(Leftover leftover) {}

  @Override
  public StoredFile stat(StorePath path) throws BackingException {
    return told(required(path, ANY_VERSION));
  }

  private static StoredFile told(Content content) {
    return new StoredFile(
        StoredFile.Kind.FILE,
        content.bytes.length,
        FileAttributes.NONE,
        1,
        content.identity,
        content.identity);
  }

  private Content required(StorePath path, String version) throws BackingException {
    Content content = files.get(path);
    if (content == null) {
      throw new BackingException(new BackingFailure.NotFound(path + " is not there"));
    }
    if (!version.isEmpty() && !version.equals(content.identity)) {
      throw new BackingException(new BackingFailure.Changed(path + " is another one"));
    }
    return content;
  }

  @Override
  public int read(StorePath path, String version, long offset, ByteBuffer target)
      throws BackingException {
    Content content = required(path, version);
    int length = (int) Math.min(target.remaining(), Math.max(0, content.bytes.length - offset));
    if (length > 0) target.put(content.bytes, (int) offset, length);
    return length;
  }

  /** Directories are there as long as something is in them. */
  @Override
  public Listing list(StorePath directory) {
    StoredFile below = new StoredFile(StoredFile.Kind.DIRECTORY, 0, FileAttributes.NONE, 1, "", "");
    String start = directory.isRoot() ? "" : directory.text() + "/";
    Map<String, StoredFile> found = new TreeMap<>();
    files.forEach(
        (path, content) -> {
          if (!path.text().startsWith(start)) return;
          String name = path.text().substring(start.length());
          int slash = name.indexOf('/');
          if (slash < 0) found.put(name, told(content));
          else found.put(name.substring(0, slash), below);
        });
    Iterator<Map.Entry<String, StoredFile>> rest = found.entrySet().iterator();
    return new Listing() {
      @Override
      public List<Listing.Entry> next(int entriesMax) {
        List<Listing.Entry> page = new ArrayList<>();
        while (rest.hasNext() && page.size() < entriesMax) {
          Map.Entry<String, StoredFile> next = rest.next();
          page.add(new Listing.Entry(next.getKey(), next.getValue()));
        }
        return page;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void makeDirectory(StorePath path, FileAttributes attributes) {}

  @Override
  public void removeDirectory(StorePath path) {}

  @Override
  public void delete(StorePath path, String version) throws BackingException {
    required(path, version);
    files.remove(path);
  }

  @Override
  public void rename(StorePath from, StorePath to) throws BackingException {
    files.put(to, required(from, ANY_VERSION));
    files.remove(from);
  }

  @Override
  public void makeSymlink(StorePath path, String target) throws BackingException {
    throw new BackingException(new BackingFailure.Unsupported("no symlinks here"));
  }

  @Override
  public String readSymlink(StorePath path) throws BackingException {
    throw new BackingException(new BackingFailure.Unsupported("no symlinks here"));
  }

  @Override
  public void close() {}
}
