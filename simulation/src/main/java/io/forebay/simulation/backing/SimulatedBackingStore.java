// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.backing;

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
import io.forebay.backing.Leftover;
import io.forebay.backing.Listing;
import io.forebay.backing.Sighting;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A backing store in memory, shared by all seats of a world: files under names, and attempts that
 * have none yet. Each call is one step. It carries calls out; {@link SimulatedBacking} adds faults
 * in transit. Its only own fault is a crash: unforced writes may be lost.
 */
public final class SimulatedBackingStore implements BackingStore {
  /** Gets the events of the store. */
  public interface Watcher {
    default void begun(AttemptId attempt) {}

    default void named(BackingPath name, StoredContent content) {}

    default void misused(String rule, String sentence) {}

    /** A change, as text. */
    default void happened(String sentence) {}
  }

  /** The capabilities of a store, like those of real kinds. */
  public enum Kind {
    /** As a directory: any writer, any offset. */
    ANYWHERE,
    /** As objects: a sequence of parts, whose name is fixed at the begin. */
    PARTS,
    /** As a file that is appended to: one writer. */
    APPENDED
  }

  private static final int PART_BYTES_MIN = 4096;

  /** Short, so that small files take several writes of several seats. */
  private static final int PART_BYTES_MAX = 4 * PART_BYTES_MIN;

  private static final int CORRUPTS_ONE_IN = 100;

  /** The host of other programs, which store files without Forebay. */
  private static final String SOMEBODY = "somebody";

  private final Map<AttemptId, StoredContent> attempts =
      new TreeMap<>(Comparator.comparing(AttemptId::text));
  private final TreeMap<BackingPath, StoredContent> files = new TreeMap<>();
  private final List<Watcher> watchers = new ArrayList<>();
  private Kind kind = Kind.ANYWHERE;
  private int partBytesMax = PART_BYTES_MAX;
  private @Nullable SplittableRandom corruption;
  private String caller = "";
  private long made;
  private int commits;
  private int calls;

  public void watch(Watcher watcher) {
    watchers.add(watcher);
  }

  /** From now on some writes are damaged. */
  public void corrupt(SplittableRandom random) {
    corruption = random;
  }

  public void become(Kind other) {
    kind = other;
  }

  /** From now on writes may have up to this length. */
  public void take(int bytes) {
    partBytesMax = bytes;
  }

  /** The machine of the next call. */
  void callFrom(String host) {
    caller = host;
    calls++;
  }

  /** Puts a file there, like another program. */
  void put(String path, byte[] bytes) {
    BackingPath name = BackingPath.of(path);
    String identity = "o" + ++made;
    StoredContent content =
        new StoredContent(new AttemptId(identity), name, identity, bytes.length);
    content.write(SOMEBODY, 0, List.of(ByteBuffer.wrap(bytes)));
    content.force(SOMEBODY);
    files.put(name, content);
  }

  /** Removes a file, like another program. */
  void remove(String path) {
    files.remove(BackingPath.of(path));
  }

  /** All files, by name. */
  Map<String, byte[]> contents() {
    Map<String, byte[]> contents = new TreeMap<>();
    files.forEach((path, content) -> contents.put(path.toString(), content.bytes()));
    return contents;
  }

  /** The number of calls. */
  int calls() {
    return calls;
  }

  /** How often a file got its name. */
  int commits() {
    return commits;
  }

  /** Attempts that have neither been named nor aborted. */
  public List<AttemptId> attempts() {
    return List.copyOf(attempts.keySet());
  }

  /** The names of all files. */
  public List<BackingPath> names() {
    return List.copyOf(files.keySet());
  }

  /** The file of that name, or null. */
  public @Nullable StoredContent at(BackingPath name) {
    return files.get(name);
  }

  /** The store crashes and restarts: each unforced write survives or is lost. */
  void crash(SplittableRandom random) {
    for (StoredContent content : attempts.values()) content.loseUnforced("", random);
  }

  /** A machine that wrote here dies, and its unforced writes are lost. */
  public void machineLost(String host) {
    for (StoredContent content : attempts.values()) content.loseUnforced(host, null);
  }

  /** A force failed, or its result is unknown: no later force of that machine succeeds. */
  void forceFailed(AttemptId attempt, String host) {
    StoredContent content = attempts.get(attempt);
    if (content != null) content.unforceable.add(host);
  }

  @Override
  public String description() {
    return "the simulated store";
  }

  @Override
  public Capabilities capabilities() {
    boolean anywhere = kind == Kind.ANYWHERE;
    return new Capabilities(
        kind != Kind.APPENDED,
        anywhere,
        anywhere ? 1 : PART_BYTES_MIN,
        partBytesMax,
        Integer.MAX_VALUE,
        anywhere,
        kind != Kind.PARTS,
        anywhere,
        false,
        false,
        PART_BYTES_MIN,
        Capabilities.Verification.READ_BACK);
  }

  @Override
  public void check() {}

  @Override
  public Attempt begin(AttemptPlan plan) throws BackingException {
    if (attempts.containsKey(plan.id())) {
      throw new BackingException(new BackingFailure.Exists(plan.id() + " has begun before"));
    }
    StoredContent content =
        new StoredContent(plan.id(), plan.target(), "c" + ++made, (int) plan.sizeBytes());
    for (Watcher watcher : watchers) watcher.begun(plan.id());
    attempts.put(plan.id(), content);
    happened("begins " + plan.id());
    return new Attempt(plan, content.identity);
  }

  private @Nullable StoredContent own(Attempt attempt) {
    StoredContent content = attempts.get(attempt.id());
    boolean own =
        content != null && (!attempt.isTold() || content.identity.equals(attempt.handle()));
    return own ? content : null;
  }

  @Override
  public void write(Attempt attempt, long offset, List<ByteBuffer> source) throws BackingException {
    StoredContent content = own(attempt);
    if (content == null) content = stillOpen(attempt);
    if (content == null) throw gone(attempt);
    int length = 0;
    for (ByteBuffer part : source) length += part.remaining();
    String wrong =
        length > partBytesMax
            ? "a write of " + length + " bytes"
            : content.problemWith(kind, PART_BYTES_MIN, (int) offset, length);
    if (wrong != null) broken("P26", wrong);
    // Only first writes: later damage could not be detected.
    SplittableRandom corrupting = content.has((int) offset) ? null : corruption;
    content.write(caller, (int) offset, source);
    if (corrupting != null && length > 0 && corrupting.nextInt(CORRUPTS_ONE_IN) == 0) {
      content.flip((int) offset + corrupting.nextInt(length));
    }
  }

  /**
   * A process that has a file of a directory open continues to write into it after it has got its
   * name.
   */
  private @Nullable StoredContent stillOpen(Attempt attempt) {
    if (kind != Kind.ANYWHERE) return null;
    for (StoredContent content : files.values()) {
      if (content.id.equals(attempt.id()) && content.writers.contains(caller)) return content;
    }
    return null;
  }

  private void happened(String what) {
    for (Watcher watcher : watchers) watcher.happened(caller + " " + what);
  }

  private void broken(String rule, String sentence) {
    for (Watcher watcher : watchers) watcher.misused(rule, sentence);
  }

  private static BackingException gone(Attempt attempt) {
    return new BackingException(new BackingFailure.Changed(attempt.id() + " is gone"));
  }

  @Override
  public void force(Attempt attempt) throws BackingException {
    StoredContent content = own(attempt);
    if (content == null) throw gone(attempt);
    if (content.unforceable.contains(caller)) {
      throw new BackingException(
          new BackingFailure.Changed(attempt.id() + ": bytes of " + caller + " are lost"));
    }
    content.force(caller);
  }

  @Override
  public List<String> commit(Attempt attempt, BackingPath name) throws BackingException {
    StoredContent content = own(attempt);
    if (content == null) {
      if (look(attempt, name) == Sighting.COMMITTED) return List.of();
      throw gone(attempt);
    }
    if (kind == Kind.PARTS && !content.target.equals(name)) {
      throw new BackingException(new BackingFailure.Unsupported("its name is fixed"));
    }
    if (kind != Kind.ANYWHERE && !content.isWhole()) broken("P26", content.id + " has gaps");
    attempts.remove(attempt.id());
    files.put(name, content);
    commits++;
    for (Watcher watcher : watchers) watcher.named(name, content);
    happened("names " + attempt.id() + " '" + name + "'");
    return List.of();
  }

  @Override
  public Sighting look(Attempt attempt, BackingPath name) {
    StoredContent there = files.get(name);
    if (there != null && there.identity.equals(attempt.handle())) return Sighting.COMMITTED;
    return own(attempt) == null ? Sighting.GONE : Sighting.PENDING;
  }

  @Override
  public void abort(Attempt attempt) {
    if (attempts.remove(attempt.id()) != null) happened("aborts " + attempt.id());
  }

  @Override
  public List<Leftover> leftovers(BackingPath directory) {
    List<Leftover> found = new ArrayList<>();
    for (StoredContent each : attempts.values()) {
      if (found.size() == LEFTOVERS_MAX) break;
      if (!each.target.parent().equals(directory)) continue;
      found.add(new Leftover(directory, each.id.text(), each.identity, 0));
    }
    return found;
  }

  @Override
  public void remove(Leftover leftover) {
    attempts.remove(new AttemptId(leftover.id()));
    happened("removes what is left of " + leftover.id());
  }

  @Override
  public BackingFile stat(BackingPath path) throws BackingException {
    return told(required(path, ANY_VERSION));
  }

  private static BackingFile told(StoredContent content) {
    return new BackingFile(
        BackingFile.Kind.FILE,
        content.length(),
        FileAttributes.NONE,
        1,
        content.identity,
        content.identity);
  }

  private StoredContent required(BackingPath path, String version) throws BackingException {
    StoredContent content = files.get(path);
    if (content == null) {
      throw new BackingException(new BackingFailure.NotFound(path + " is not there"));
    }
    if (!version.isEmpty() && !version.equals(content.identity)) {
      throw new BackingException(new BackingFailure.Changed(path + " is another one"));
    }
    return content;
  }

  @Override
  public int read(BackingPath path, String version, long offset, ByteBuffer target)
      throws BackingException {
    return required(path, version).read((int) offset, target);
  }

  @Override
  public int read(Attempt attempt, long offset, ByteBuffer target) throws BackingException {
    StoredContent content = own(attempt);
    if (content == null) throw gone(attempt);
    return content.read((int) offset, target);
  }

  /** Directories exist as long as they have entries. */
  @Override
  public Listing list(BackingPath directory) {
    BackingFile below =
        new BackingFile(BackingFile.Kind.DIRECTORY, 0, FileAttributes.NONE, 1, "", "");
    String start = directory.isRoot() ? "" : directory.text() + "/";
    Map<String, BackingFile> found = new TreeMap<>();
    files.forEach(
        (path, content) -> {
          if (!path.text().startsWith(start)) return;
          String name = path.text().substring(start.length());
          int slash = name.indexOf('/');
          if (slash < 0) found.put(name, told(content));
          else found.put(name.substring(0, slash), below);
        });
    Iterator<Map.Entry<String, BackingFile>> rest = found.entrySet().iterator();
    return new Listing() {
      @Override
      public List<Listing.Entry> next(int entriesMax) {
        List<Listing.Entry> page = new ArrayList<>();
        while (rest.hasNext() && page.size() < entriesMax) {
          Map.Entry<String, BackingFile> next = rest.next();
          page.add(new Listing.Entry(next.getKey(), next.getValue()));
        }
        return page;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void makeDirectory(BackingPath path, FileAttributes attributes) {}

  @Override
  public void removeDirectory(BackingPath path) {}

  @Override
  public void delete(BackingPath path, String version) throws BackingException {
    required(path, version);
    files.remove(path);
    happened("deletes '" + path + "'");
  }

  @Override
  public void rename(BackingPath from, BackingPath to) throws BackingException {
    files.put(to, required(from, ANY_VERSION));
    files.remove(from);
    happened("renames '" + from + "' to '" + to + "'");
  }

  @Override
  public void makeSymlink(BackingPath path, String target) throws BackingException {
    throw new BackingException(new BackingFailure.Unsupported("no symlinks here"));
  }

  @Override
  public String readSymlink(BackingPath path) throws BackingException {
    throw new BackingException(new BackingFailure.Unsupported("no symlinks here"));
  }

  @Override
  public void close() {}
}
