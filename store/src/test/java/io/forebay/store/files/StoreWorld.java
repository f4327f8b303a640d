// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.StoreOpening;
import io.forebay.store.disk.Faults;
import io.forebay.store.disk.FaultyDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.store.record.Waiter;
import io.forebay.store.recovery.RecoveryReport;
import io.forebay.store.segment.Reservation;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store with its files on disks that misbehave, beside a plain model of what it must hold. Each
 * operation is done on both; {@link #verify} compares everything, {@link #crash} brings the store
 * down and up again and settles in the model what a crash leaves open.
 */
final class StoreWorld {
  static final int SEGMENT = 64 * 1024;
  private static final int POLLS_MAX = 3000;
  private static final int FILE_BYTES_MAX = 40_000;
  private static final int TRACE_MAX = 400;

  /** A record as its writer knows it. */
  static final class Written {
    final RecordId id;
    final FileId file;
    final byte[] payload;
    final Level level;
    boolean committed;
    boolean acknowledged;
    boolean killed;
    boolean killAcknowledged;
    boolean clean;

    /** Gone with a power cut, as it was never promised to survive one. */
    boolean lost;

    Written(RecordId id, FileId file, byte[] payload, Level level) {
      this.id = id;
      this.file = file;
      this.payload = payload;
      this.level = level;
    }
  }

  /** A change of a file, in journal order. */
  record Change(
      long journalIndex,
      FileId file,
      Level level,
      Kind kind,
      long at,
      List<Written> records,
      AtomicBoolean acknowledged) {}

  enum Kind {
    PUBLISH,
    TRUNCATE,
    DELETE
  }

  enum Crash {
    KILL,
    POWER_CUT
  }

  final StoreConfig config;
  final FaultyDisk memory;
  final FaultyDisk ssd;
  final SplittableRandom random;
  Store store;
  LocalFiles files;
  RecoveryReport report;

  private final TreeMap<RecordId, Written> records = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<Reservation> open = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private long now;
  private long session = 1;
  private long sequence;
  private int opens;
  int suspects;

  StoreWorld(StoreConfig config, long seed) throws Exception {
    this.config = config;
    this.random = new SplittableRandom(seed);
    this.memory = new FaultyDisk(random.split(), true, Long.MAX_VALUE, Faults.NONE);
    this.ssd = new FaultyDisk(random.split(), false, Long.MAX_VALUE, Faults.NONE);
    start();
    settle();
  }

  private void start() throws Exception {
    // In SSD mode the write buffers are this process's own memory.
    boolean lasting = config.mode() != StoreConfig.Mode.SSD;
    SlotPool.Place place =
        new SlotPool.Place(
            lasting ? memory : new FaultyDisk(random.split(), true, Long.MAX_VALUE, Faults.NONE),
            lasting,
            "memory");
    StoreOpening.Opened opened =
        StoreOpening.open(
            config,
            new LogId(1, 2),
            new StoreOpening.Volumes(List.of(place), config.hasSsd() ? ssd : null),
            () -> now += 1_000_000,
            random.split(),
            new StoreEvents() {
              @Override
              public void segmentSuspect(long segment, String detail) {
                suspects++;
              }

              @Override
              public void recordDamaged(RecordId record, FileId file, long segment) {}

              @Override
              public void warned(String sentence) {}
            });
    store = opened.store();
    report = opened.report();
    files = LocalFiles.open(store);
    session = ++opens;
    sequence = 0;
  }

  /** Lets everything under way come to its end. */
  void settle() {
    trace("settle");
    for (int i = 0; i < POLLS_MAX; i++) {
      files.upkeep();
      if (!store.poll()) return;
    }
    fail("the store does not come to rest: " + store.stats());
  }

  void poll(int times) {
    trace("poll " + times);
    for (int i = 0; i < times; i++) store.poll();
  }

  Level someLevel(FileId file) {
    return config.hasSsd() && file.number() % 2 == 0 ? Level.FORCED : Level.KEPT;
  }

  FileId someFile() {
    return new FileId(1 + random.nextInt(2), 1 + random.nextInt(6));
  }

  /** Writes a record; null when the store has no room. */
  Written put(FileId file, int payloadBytes) {
    Reservation reservation = reserve(file, payloadBytes);
    return reservation == null ? null : commit(reservation);
  }

  private Reservation reserve(FileId file, int payloadBytes) {
    Level level = someLevel(file);
    RecordHeader header =
        RecordHeader.data(new RecordId(session, sequence++), file, 0, payloadBytes);
    Reserve reserve = store.reserve(header, level);
    for (int i = 0; i < 50 && reserve instanceof Reserve.Full; i++) {
      files.upkeep();
      store.poll();
      reserve = store.reserve(header, level);
    }
    return reserve instanceof Reserve.Reserved reserved ? reserved.reservation() : null;
  }

  /** Reserves room and leaves it half filled. */
  void begin(FileId file, int payloadBytes) {
    if (open.size() >= 3) return;
    Reservation reservation = reserve(file, payloadBytes);
    if (reservation == null) return;
    ByteBuffer payload = reservation.payload();
    for (int i = 0; i < payload.remaining() / 2; i++) payload.put(i, (byte) random.nextInt());
    trace("reserve " + reservation.header().id());
    open.add(reservation);
  }

  void endOne(boolean fill) {
    if (open.isEmpty()) return;
    Reservation reservation = open.remove(random.nextInt(open.size()));
    if (fill) commit(reservation);
    else store.abandon(reservation);
    trace((fill ? "fill " : "abandon ") + reservation.header().id());
  }

  private Written commit(Reservation reservation) {
    RecordHeader header = reservation.header();
    byte[] bytes = new byte[header.payloadBytes()];
    random.nextBytes(bytes);
    Written record = new Written(header.id(), header.file(), bytes, someLevel(header.file()));
    reservation.payload().put(bytes);
    records.put(record.id, record);
    record.committed = true;
    Commit commit =
        store.commit(
            reservation,
            null,
            answer -> record.acknowledged |= answer instanceof Waiter.Answer.Reached);
    trace("commit " + record.id + " " + record.level + " " + bytes.length + " " + commit);
    assertThat(commit).isIn(Commit.DONE, Commit.PENDING);
    record.acknowledged |= commit == Commit.DONE;
    return record;
  }

  /** Waits for a record's acknowledgement. */
  boolean await(Written record) {
    for (int i = 0; i < POLLS_MAX && !record.acknowledged; i++) {
      if (!store.poll()) break;
    }
    return record.acknowledged;
  }

  /** Writes a record and shows it in its file. */
  boolean write(FileId file, long offset, int payloadBytes) {
    Written record = put(file, payloadBytes);
    if (record == null || !await(record)) return false;
    return publish(file, offset, List.of(record));
  }

  boolean publish(FileId file, long offset, List<Written> shown) {
    List<LocalFiles.Piece> pieces = new ArrayList<>();
    long at = offset;
    for (Written record : shown) {
      pieces.add(LocalFiles.Piece.whole(at, record.id, record.payload.length));
      at += record.payload.length;
    }
    return change(
        file,
        Kind.PUBLISH,
        offset,
        shown,
        waiter -> files.publish(file, pieces, someLevel(file), waiter));
  }

  boolean truncate(FileId file, long size) {
    return change(
        file, Kind.TRUNCATE, size, List.of(), w -> files.truncate(file, size, someLevel(file), w));
  }

  boolean delete(FileId file) {
    return change(file, Kind.DELETE, 0, List.of(), w -> files.delete(file, someLevel(file), w));
  }

  private interface Call {
    Commit on(Waiter waiter);
  }

  private boolean change(FileId file, Kind kind, long at, List<Written> shown, Call call) {
    AtomicBoolean acknowledged = new AtomicBoolean();
    Change change =
        new Change(files.nextIndex(), file, someLevel(file), kind, at, shown, acknowledged);
    changes.add(change);
    Commit commit =
        call.on(
            answer -> {
              if (answer instanceof Waiter.Answer.Reached) acknowledged.set(true);
            });
    trace(kind + " " + file + " " + at + " " + commit);
    if (commit == Commit.FULL) {
      changes.remove(change);
      return false;
    }
    if (commit == Commit.DONE) acknowledged.set(true);
    return true;
  }

  /** Kills a record that no file shows. */
  void killUnshown() {
    Map<FileId, FileModel> shown = FileModel.of(changes);
    for (Written record : records.values()) {
      if (record.killed || !record.acknowledged || shows(shown, record) || wasShown(record))
        continue;
      record.killed = true;
      List<Scope> scopes =
          List.of(
              new Scope.Records(record.id.session(), record.id.sequence(), record.id.sequence()));
      Commit commit =
          store.kill(
              scopes,
              record.level,
              answer -> record.killAcknowledged |= answer instanceof Waiter.Answer.Reached);
      record.killAcknowledged |= commit == Commit.DONE;
      trace("kill " + record.id + " " + commit);
      if (commit == Commit.FULL) record.killed = false;
      return;
    }
  }

  private boolean wasShown(Written record) {
    for (Change change : changes) {
      if (change.records.contains(record)) return true;
    }
    return false;
  }

  void markClean(FileId file) {
    trace("clean " + file);
    for (Written record : shownNow(file)) record.clean = true;
    files.markClean(file, random.nextInt(100), someLevel(file), answer -> {});
  }

  private List<Written> shownNow(FileId file) {
    List<Written> shown = new ArrayList<>();
    for (Change change : changes) {
      if (change.file.equals(file)) shown.addAll(change.records);
    }
    return shown;
  }

  /** Brings the store down and up again, and settles in the model what that leaves open. */
  void crash(Crash kind) throws Exception {
    crash(kind, false);
  }

  void crash(Crash kind, boolean lossAllowed) throws Exception {
    trace(kind.name());
    if (kind == Crash.KILL) {
      memory.killProcess();
      ssd.killProcess();
    } else {
      memory.powerCut();
      ssd.powerCut();
    }
    open.clear();
    start();
    if (!lossAllowed) settleModel(kind);
  }

  /** Records that can be read, as the store sees it. */
  long soundRecords() {
    return records.values().stream().filter(record -> store.present(record.id)).count();
  }

  private void settleModel(Crash kind) {
    long next = files.nextIndex();
    int kept = 0;
    while (kept < changes.size() && changes.get(kept).journalIndex < next) kept++;
    for (Change lost : changes.subList(kept, changes.size())) {
      boolean promised = lost.acknowledged.get() && promised(lost.level, kind);
      assertThat(promised)
          .as("acknowledged change %s is lost; journal ends at %d; %s", lost, next, report)
          .isFalse();
    }
    changes.subList(kept, changes.size()).clear();
    records.values().removeIf(record -> !settle(record, kind));
  }

  private boolean promised(Level level, Crash kind) {
    return kind == Crash.KILL || level == Level.FORCED;
  }

  /** Whether a record still is after a crash; what was promised must be. */
  private boolean settle(Written record, Crash kind) {
    boolean present = store.present(record.id);
    boolean promised = record.acknowledged && promised(record.level, kind);
    boolean mayGo = record.killed || record.clean || record.lost || superseded(record);
    if (promised && !mayGo) {
      assertThat(present)
          .as("acknowledged %s (%s) after %s", record.id, record.level, kind)
          .isTrue();
    }
    if (record.killAcknowledged && promised(record.level, kind)) {
      assertThat(present).as("killed %s after %s", record.id, kind).isFalse();
    }
    // A power cut may bring back what an unforced change had let go.
    if (record.lost && kind == Crash.KILL)
      assertThat(present).as("%s was lost before", record.id).isFalse();
    record.lost = !present;
    if (!present) return wasShown(record);
    // What came back, its kill not promised to survive this crash, is as good as never killed.
    record.killed = false;
    record.killAcknowledged = false;
    record.committed = true;
    return true;
  }

  /** Whether a file showed it once and shows it no more: then it may be gone. */
  private boolean superseded(Written record) {
    return wasShown(record) && !shows(FileModel.of(changes), record);
  }

  private static boolean shows(Map<FileId, FileModel> content, Written record) {
    FileModel file = content.get(record.file);
    return file != null && file.shows(record);
  }

  /** Compares everything readable with the model. */
  void verify(boolean lossAllowed) {
    Map<FileId, FileModel> expected = FileModel.of(changes);
    assertThat(files.list()).containsExactlyElementsOf(expected.keySet());
    expected.forEach((file, model) -> verifyFile(file, model, lossAllowed));
    for (Written record : records.values()) {
      if (!wasShown(record)) verifyRecord(record, lossAllowed);
    }
  }

  private void verifyRecord(Written record, boolean lossAllowed) {
    boolean present = store.present(record.id);
    if (record.acknowledged && !record.killed && !record.clean && !lossAllowed) {
      assertThat(present).as("acknowledged record %s", record.id).isTrue();
    }
    if (record.killAcknowledged && record.killed) {
      assertThat(present).as("killed record %s", record.id).isFalse();
    }
    if (!present) return;
    ReadResult result = read(record.id, 0, record.payload.length);
    if (result instanceof ReadResult.Bytes bytes) {
      try (Slice slice = bytes.slice()) {
        assertThat(bytesOf(slice)).as("record %s", record.id).isEqualTo(record.payload);
      }
    } else {
      assertThat(lossAllowed).as("record %s: %s", record.id, result).isTrue();
    }
  }

  private ReadResult read(RecordId id, int offset, int bytes) {
    List<ReadResult> results = new ArrayList<>();
    store.read(id, offset, bytes, results::add);
    for (int i = 0; i < POLLS_MAX && results.isEmpty(); i++) store.poll();
    assertThat(results).hasSize(1);
    return results.getFirst();
  }

  private void verifyFile(FileId file, FileModel expected, boolean lossAllowed) {
    int size = expected.bytes.length;
    assertThat(files.sizeBytes(file)).as("size of %s", file).isEqualTo(size);
    int[] covered = {0};
    files.read(
        file,
        0,
        size,
        new LocalFiles.ReadVisitor() {
          @Override
          public void hole(long offset, long lengthBytes) {
            for (long i = offset; i < offset + lengthBytes; i++) {
              assertThat(expected.source[(int) i]).as("hole in %s at %d", file, i).isNull();
            }
            covered[0] += (int) lengthBytes;
          }

          @Override
          public void piece(long offset, int lengthBytes, RecordId id, ReadResult result) {
            covered[0] += lengthBytes;
            if (result instanceof ReadResult.Bytes bytes) {
              try (Slice slice = bytes.slice()) {
                checkPiece(file, (int) offset, bytesOf(slice), expected);
              }
            } else {
              Written record = records.get(id);
              assertThat(lossAllowed || record == null || record.clean || record.lost)
                  .as("%s at %d: %s of %s", file, offset, result, id)
                  .isTrue();
            }
          }
        });
    for (int i = 0; i < POLLS_MAX && covered[0] < size; i++) store.poll();
    assertThat(covered[0]).as("bytes read of %s", file).isEqualTo(size);
  }

  private static void checkPiece(FileId file, int offset, byte[] got, FileModel expected) {
    assertThat(got)
        .as("%s at %d", file, offset)
        .isEqualTo(Arrays.copyOfRange(expected.bytes, offset, offset + got.length));
    for (int i = offset; i < offset + got.length; i++) {
      assertThat(expected.source[i]).as("bytes in a hole of %s at %d", file, i).isNotNull();
    }
  }

  private static byte[] bytesOf(Slice slice) {
    ByteBuffer bytes = slice.bytes().duplicate();
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }

  void evict(long bytes) {
    trace("evicted " + store.evict(bytes));
  }

  void spill() {
    trace("spill " + store.spillOldest());
  }

  void compact() {
    trace("compact " + store.compactEmptiest());
  }

  void seal() {
    store.seal();
    trace("seal");
  }

  void rewriteJournal() {
    files.rewriteJournal();
    trace("rewrite journal to " + files.nextIndex());
  }

  private void trace(String what) {
    if (trace.size() == TRACE_MAX) trace.removeFirst();
    trace.add(what);
  }

  /** What was done last, for people. */
  String trace() {
    return String.join("; ", trace);
  }

  void checkPresent() {
    Map<FileId, FileModel> shown = FileModel.of(changes);
    for (Written record : records.values()) {
      if (!record.acknowledged || record.killed || record.clean || record.lost) continue;
      if (wasShown(record) && !shows(shown, record)) continue;
      assertThat(store.present(record.id)).as("%s is here", record.id).isTrue();
    }
  }

  int someOffset() {
    return random.nextInt(FILE_BYTES_MAX);
  }
}
