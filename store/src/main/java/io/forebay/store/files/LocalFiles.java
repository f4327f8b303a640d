// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.files;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.Store;
import io.forebay.store.index.Extent;
import io.forebay.store.index.ExtentCursor;
import io.forebay.store.index.ExtentDirectory;
import io.forebay.store.index.RangeVisitor;
import io.forebay.store.index.Superseded;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.store.record.Waiter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Files on one store: the published contents of each, journalled in the store itself. A record that
 * no file refers to any more is deleted. When the journal has grown far beyond the size of the
 * files' state, it is rewritten and its old entries are trimmed.
 *
 * <p>Called by the store's owner only.
 */
public final class LocalFiles {
  /** A piece of a record that is to be shown at an offset of a file. */
  public record Piece(
      long offset, int lengthBytes, RecordId record, int recordOffset, int recordBytes) {
    /** All of a record. */
    public static Piece whole(long offset, RecordId record, int recordBytes) {
      return new Piece(offset, recordBytes, record, 0, recordBytes);
    }
  }

  /** Gets the contents of a range of a file: holes at once, pieces as they are read. */
  public interface ReadVisitor {
    void hole(long offset, long lengthBytes);

    void piece(long offset, int lengthBytes, RecordId record, ReadResult result);
  }

  /** A journal that cannot be read or understood whole. */
  public static final class BrokenJournal extends Exception {
    private static final long serialVersionUID = 1;

    BrokenJournal(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The journal in which the files of a store are written down. */
  public static final long JOURNAL = 0;

  private static final int LOCAL_GROUP = 0;

  /** The journal is rewritten when it has this many entries more than it needs. */
  private static final int SURPLUS_ENTRIES_MAX = 4096;

  private final Store store;
  private final TreeMap<FileId, ExtentDirectory> files = new TreeMap<>();

  /** Records that no file shows any more, by changes that are safe: they can be killed. */
  private final Set<RecordId> orphans = new TreeSet<>();

  private Set<RecordId> orphanedNow = new TreeSet<>();
  private int killsPending;
  private long nextPublish = 1;
  private long nextIndex;
  private long epoch = 1;

  /** Every entry below this index is as safe as the store can make it. */
  private long safeBefore;

  private long entriesCut;
  private long entriesDamaged;
  private long entriesNeeded;

  private final Superseded superseded =
      new Superseded() {
        @Override
        public void superseded(RecordId record, long offset, int lengthBytes) {}

        @Override
        public void orphaned(RecordId record, int group) {
          orphanedNow.add(record);
        }
      };

  /**
   * The index at which the journal was last rewritten, until the entries before are gone; or -1.
   */
  private long trimBefore = -1;

  private boolean rewriting;

  /** After a rewrite that found no room, the journal must grow before the next is tried. */
  private long rewriteFrom;

  private LocalFiles(Store store) {
    this.store = store;
  }

  /** Brings back the files of a store that has just been opened. Blocks while it reads. */
  public static LocalFiles open(Store store) throws BrokenJournal {
    LocalFiles files = new LocalFiles(store);
    files.replay();
    return files;
  }

  /**
   * Shows records in a file: from now on its content is theirs, where they are newest. Their bytes
   * must have reached the level the publish is to have.
   */
  public Commit publish(FileId file, List<Piece> pieces, Level level, Waiter waiter) {
    if (pieces.size() > piecesMax()) {
      throw new IllegalArgumentException(pieces.size() + " pieces; at most " + piecesMax());
    }
    List<Extent> extents = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) extents.add(extent(piece));
    return change(new FileChange.Extents(file, extents), level, waiter);
  }

  /** Sets a file's size: cuts off the rest, or extends it by a hole. */
  public Commit truncate(FileId file, long sizeBytes, Level level, Waiter waiter) {
    return change(new FileChange.Truncate(file, nextPublish, sizeBytes), level, waiter);
  }

  public Commit delete(FileId file, Level level, Waiter waiter) {
    return change(new FileChange.Delete(file), level, waiter);
  }

  /**
   * Marks the records of a file as clean: its drained copy is verified. Files are evicted in the
   * order of their ages.
   */
  public Commit markClean(FileId file, long age, Level level, Waiter waiter) {
    Set<RecordId> records = new TreeSet<>();
    ExtentDirectory directory = files.get(file);
    if (directory != null) {
      ExtentCursor cursor = directory.cursor();
      for (boolean found = cursor.seek(0); found; found = cursor.next()) {
        records.add(cursor.extent().record());
      }
    }
    List<List<Scope>> chunks = chunks(ranges(records));
    if (chunks.isEmpty()) return Commit.DONE;
    for (List<Scope> scopes : chunks.subList(0, chunks.size() - 1)) {
      if (store.markClean(age, scopes, level, answer -> {}) == Commit.FULL) return Commit.FULL;
    }
    return store.markClean(age, chunks.getLast(), level, waiter);
  }

  /** Reads a range of a file, as far as the file reaches. */
  public void read(FileId file, long offset, long lengthBytes, ReadVisitor visitor) {
    ExtentDirectory directory = files.get(file);
    if (directory == null) return;
    List<Extent> extents = new ArrayList<>();
    directory.read(
        offset,
        lengthBytes,
        new RangeVisitor() {
          @Override
          public void hole(long at, long bytes) {
            visitor.hole(at, bytes);
          }

          @Override
          public void extent(ExtentCursor piece) {
            extents.add(piece.extent());
          }
        });
    for (Extent extent : extents) {
      store.read(
          extent.record(),
          extent.recordOffset(),
          extent.lengthBytes(),
          result -> visitor.piece(extent.offset(), extent.lengthBytes(), extent.record(), result));
    }
  }

  /** The file's size, or -1 when there is no such file. */
  public long sizeBytes(FileId file) {
    ExtentDirectory directory = files.get(file);
    return directory == null ? -1 : directory.sizeBytes();
  }

  /** The files there are, in order. */
  public List<FileId> list() {
    return List.copyOf(files.keySet());
  }

  /** How many journal entries were behind a gap when the files were opened, and were cut off. */
  public long entriesCut() {
    return entriesCut;
  }

  /** How many journal entries were safe once and are damaged now: their content is lost. */
  public long entriesDamaged() {
    return entriesDamaged;
  }

  /** The index of the next journal entry. */
  long nextIndex() {
    return nextIndex;
  }

  public int piecesMax() {
    return FileChange.extentsMax(store.config().payloadBytesMax());
  }

  /** Kills records that no file shows and trims the journal, as far as there is room. */
  public void upkeep() {
    killOrphans();
    trim();
    long entries = nextIndex - Math.max(0, store.journalFirst(JOURNAL));
    if (entries > entriesNeeded + SURPLUS_ENTRIES_MAX && nextIndex >= rewriteFrom) rewriteJournal();
  }

  /**
   * Appends the state of all files to the journal, and trims earlier entries once that state is
   * safe: a trim that outlives it would lose the files.
   */
  public void rewriteJournal() {
    if (rewriting || trimBefore >= 0) return;
    long first = nextIndex;
    boolean written = keep(new FileChange.Begin());
    for (FileId file : files.keySet()) written = written && writeDown(file);
    if (!written) {
      rewriteFrom = nextIndex + SURPLUS_ENTRIES_MAX;
      return;
    }
    rewriting = true;
    Level level = store.config().hasSsd() ? Level.FORCED : Level.KEPT;
    Commit commit = store.reachJournals(level, answer -> rewritten(first, answer));
    if (commit == Commit.DONE) rewritten(first, Waiter.Answer.Reached.NOW);
  }

  private void rewritten(long first, Waiter.Answer answer) {
    rewriting = false;
    if (answer instanceof Waiter.Answer.Reached) {
      trimBefore = first;
      safeBefore = Math.max(safeBefore, first);
      entriesNeeded = nextIndex - first;
    }
  }

  private void killOrphans() {
    for (List<Scope> scopes : chunks(ranges(orphans))) {
      killsPending++;
      Commit commit = store.kill(scopes, Level.KEPT, answer -> killsPending--);
      if (commit != Commit.PENDING) killsPending--;
      if (commit == Commit.FULL) return;
    }
    orphans.clear();
  }

  /**
   * Trims the old entries, after the records that they orphaned have been deleted: no other entry
   * names them.
   */
  private void trim() {
    if (trimBefore < 0 || killsPending > 0 || !orphans.isEmpty()) return;
    Scope head = new Scope.JournalHead(JOURNAL, trimBefore);
    if (store.kill(List.of(head), Level.KEPT, answer -> {}) != Commit.FULL) trimBefore = -1;
  }

  private Extent extent(Piece piece) {
    return new Extent(
        piece.offset(),
        piece.lengthBytes(),
        piece.record(),
        piece.recordOffset(),
        piece.recordBytes(),
        nextPublish,
        LOCAL_GROUP);
  }

  /**
   * Journals a change and applies it. The records that it orphans are deleted once the change is
   * safe: a deletion that outlives the change would leave the file without its old and its new
   * bytes.
   */
  private Commit change(FileChange change, Level level, Waiter waiter) {
    Set<RecordId> orphaned = new TreeSet<>();
    long index = nextIndex;
    Commit commit =
        append(
            change,
            level,
            answer -> {
              if (answer instanceof Waiter.Answer.Reached) {
                orphans.addAll(orphaned);
                safe(index, level);
              }
              waiter.answered(answer);
            });
    if (commit == Commit.FULL) return commit;
    if (commit == Commit.DONE) safe(index, level);
    orphanedNow = orphaned;
    apply(change);
    if (commit == Commit.DONE) orphans.addAll(orphaned);
    upkeep();
    return commit;
  }

  /** An entry has reached its level: it and all before it are safe if there is no higher one. */
  private void safe(long index, Level level) {
    if (level == Level.FORCED || !store.config().hasSsd()) {
      safeBefore = Math.max(safeBefore, index + 1);
    }
  }

  private Commit append(FileChange change, Level level, Waiter waiter) {
    ByteBuffer entry = change.encode(safeBefore);
    Commit commit = store.journal(JOURNAL, epoch, nextIndex, entry, level, waiter);
    if (commit != Commit.FULL) nextIndex++;
    return commit;
  }

  private void apply(FileChange change) {
    switch (change) {
      case FileChange.Extents e -> {
        ExtentDirectory directory = directory(e.file());
        for (Extent extent : e.extents()) {
          directory.publish(extent, superseded);
          nextPublish = Math.max(nextPublish, extent.publish() + 1);
        }
      }
      case FileChange.Truncate t -> {
        directory(t.file()).truncate(t.publish(), t.sizeBytes(), superseded);
        nextPublish = Math.max(nextPublish, t.publish() + 1);
      }
      case FileChange.Delete d -> {
        ExtentDirectory directory = files.remove(d.file());
        if (directory != null) directory.clear(superseded);
      }
      case FileChange.Begin b -> {}
    }
  }

  private ExtentDirectory directory(FileId file) {
    return files.computeIfAbsent(file, f -> new ExtentDirectory());
  }

  /** Appends what makes up a file; false when there is no room. */
  private boolean writeDown(FileId file) {
    ExtentDirectory directory = directory(file);
    List<Extent> extents = new ArrayList<>();
    ExtentCursor cursor = directory.cursor();
    long publish = 0;
    for (boolean found = cursor.seek(0); found; found = cursor.next()) {
      Extent extent = cursor.extent();
      publish = Math.max(publish, extent.publish());
      extents.add(extent);
      if (extents.size() == piecesMax()) {
        if (!keep(new FileChange.Extents(file, List.copyOf(extents)))) return false;
        extents.clear();
      }
    }
    return keep(new FileChange.Extents(file, extents))
        && keep(new FileChange.Truncate(file, publish, directory.sizeBytes()));
  }

  private boolean keep(FileChange change) {
    return append(change, Level.KEPT, answer -> {}) != Commit.FULL;
  }

  /**
   * Applies the journal from its beginning up to its first gap. Entries behind a gap were never
   * acknowledged, since entries are answered in order; they are cut off, so that new entries can
   * take their place. An exception: if a later entry says that the missing one was safe, that entry
   * is damaged. It is counted, and only its content is lost.
   */
  private void replay() throws BrokenJournal {
    epoch = Math.max(epoch, store.journalEpochMin(JOURNAL));
    long last = store.journalLast(JOURNAL);
    long first = Math.max(0, store.journalFirst(JOURNAL));
    TreeMap<Long, FileChange.Entry> entries = new TreeMap<>();
    for (long index = first; index <= last; index++) {
      if (store.journalEpoch(JOURNAL, index) < 0) continue;
      FileChange.Entry entry = entry(index);
      entries.put(index, entry);
      safeBefore = Math.max(safeBefore, entry.safeBefore());
    }
    FileChange.Entry head = entries.get(first);
    boolean begins = first == 0 || (head != null && head.change() instanceof FileChange.Begin);
    if (!begins && first < safeBefore) entriesDamaged++;
    long index = begins || first < safeBefore ? first : 0;
    for (; index <= last; index++) {
      FileChange.Entry entry = entries.get(index);
      if (entry == null && index >= safeBefore) break;
      if (entry == null) {
        entriesDamaged++;
        continue;
      }
      epoch = Math.max(epoch, store.journalEpoch(JOURNAL, index));
      apply(entry.change());
    }
    nextIndex = index;
    if (index <= last) cut(index, last);
    orphans.addAll(orphanedNow);
    orphans.removeIf(record -> !store.present(record));
    upkeep();
  }

  private void cut(long from, long last) throws BrokenJournal {
    for (long index = from; index <= last; index++) {
      epoch = Math.max(epoch, store.journalEpoch(JOURNAL, index));
    }
    epoch++;
    entriesCut = last - from + 1;
    List<Scope> tail = List.of(new Scope.JournalTail(JOURNAL, epoch, from));
    // The store was just opened: its first free segments may still be on their way.
    while (store.kill(tail, Level.KEPT, answer -> {}) == Commit.FULL) {
      if (!store.poll()) {
        throw new BrokenJournal("no room to cut the journal's tail at " + from, null);
      }
    }
  }

  private FileChange.Entry entry(long index) throws BrokenJournal {
    List<ReadResult> results = new ArrayList<>(1);
    store.readJournal(JOURNAL, index, results::add);
    while (results.isEmpty()) store.poll();
    if (!(results.getFirst() instanceof ReadResult.Bytes bytes)) {
      throw new BrokenJournal("journal entry " + index + ": " + results.getFirst(), null);
    }
    try (Slice slice = bytes.slice()) {
      return FileChange.decode(slice.bytes().duplicate());
    } catch (FileChange.MalformedChange malformed) {
      throw new BrokenJournal("journal entry " + index + " is malformed", malformed);
    }
  }

  private List<List<Scope>> chunks(List<Scope> scopes) {
    List<List<Scope>> chunks = new ArrayList<>();
    for (int from = 0; from < scopes.size(); from += store.scopesMax()) {
      chunks.add(scopes.subList(from, Math.min(scopes.size(), from + store.scopesMax())));
    }
    return chunks;
  }

  /** Sorted records as runs of neighbouring sequences. */
  private static List<Scope> ranges(Set<RecordId> sorted) {
    List<Scope> ranges = new ArrayList<>();
    RecordId first = null;
    RecordId last = null;
    for (RecordId record : sorted) {
      boolean follows =
          last != null
              && record.session() == last.session()
              && record.sequence() == last.sequence() + 1;
      if (!follows) {
        if (first != null) ranges.add(range(first, last));
        first = record;
      }
      last = record;
    }
    if (first != null) ranges.add(range(first, last));
    return ranges;
  }

  private static Scope range(RecordId first, @Nullable RecordId last) {
    long to = last == null ? first.sequence() : last.sequence();
    return new Scope.Records(first.session(), first.sequence(), to);
  }
}
