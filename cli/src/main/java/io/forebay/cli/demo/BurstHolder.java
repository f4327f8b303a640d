package io.forebay.cli.demo;

import io.forebay.base.FileId;
import io.forebay.base.MonotonicClock;
import io.forebay.base.RecordId;
import io.forebay.store.Commit;
import io.forebay.store.Level;
import io.forebay.store.Reserve;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.files.LocalFiles;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that is killed: holds a store and takes the ranks' checkpoint into it, one record of
 * each rank after the other. Tells on stdout what it has acknowledged, and for how long the
 * application waited; then waits for its end.
 */
final class BurstHolder {
  static final int INSTANCE = 1;
  static final String READY = "ready";

  private static final long SESSION = 1;
  private static final long REHEARSAL_SESSION = 0;
  private static final int REHEARSAL_RECORDS_MAX = 128;

  /** Records that are shown in a file at a time. */
  private static final int RECORDS_PER_PUBLISH = 4;

  private static final long PAUSE_NANOS = 50_000;

  private final Store store;
  private final LocalFiles files;
  private final BurstPattern pattern;
  private final OutputStream out;
  private final MonotonicClock clock;
  private long waitedNanos;

  private BurstHolder(Store store, LocalFiles files, BurstPattern pattern, OutputStream out) {
    this.store = store;
    this.files = files;
    this.pattern = pattern;
    this.out = out;
    this.clock = MonotonicClock.system();
  }

  public static void main(String[] arguments)
      throws IOException, LogUnavailable, LocalFiles.BrokenJournal {
    BurstOrder order = BurstOrder.parse(arguments);
    try (LogDirectory log =
            LogDirectory.open(
                order.options(),
                MonotonicClock.system(),
                new SplittableRandom(),
                StoreEvents.NONE,
                () -> {});
        FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      LocalFiles files = LocalFiles.open(log.store());
      BurstPattern pattern = new BurstPattern(order.seed());
      new BurstHolder(log.store(), files, pattern, out).run(order.plan().recordsPerRank());
      while (System.in.read() >= 0) {}
    }
  }

  static FileId fileOf(int rank) {
    return new FileId(INSTANCE, rank + 1L);
  }

  private void run(int recordsPerRank) throws IOException {
    rehearse();
    tell(READY);
    for (int first = 0; first < recordsPerRank; first += RECORDS_PER_PUBLISH) {
      int end = Math.min(first + RECORDS_PER_PUBLISH, recordsPerRank);
      for (int rank = 0; rank < DemoPlan.RANKS; rank++) {
        for (int number = first; number < end; number++) {
          ByteBuffer record = pattern.record(rank, number);
          long startNanos = clock.nanos();
          write(id(rank, number), rank, number, record);
          waitedNanos += clock.nanos() - startNanos;
        }
        long startNanos = clock.nanos();
        publish(rank, first, end);
        waitedNanos += clock.nanos() - startNanos;
        tell(rank + " " + (long) end * BurstPattern.RECORD_BYTES + " " + waitedNanos);
      }
    }
  }

  /** A buffer is there before the burst comes: its memory is made and its code compiled by then. */
  private void rehearse() {
    long records =
        Math.min(
            REHEARSAL_RECORDS_MAX, store.config().memoryBytes() / 2 / BurstPattern.RECORD_BYTES);
    for (int number = 0; number < records; number++) {
      write(new RecordId(REHEARSAL_SESSION, number), 0, number, pattern.record(0, number));
    }
    Scope.Records all = new Scope.Records(REHEARSAL_SESSION, 0, records);
    requireDone(store.kill(List.of(all), Level.KEPT, answer -> {}));
    store.seal();
    while (store.poll()) LockSupport.parkNanos(PAUSE_NANOS);
  }

  private void write(RecordId id, int rank, int number, ByteBuffer record) {
    long offset = (long) number * BurstPattern.RECORD_BYTES;
    RecordHeader header = RecordHeader.data(id, fileOf(rank), offset, BurstPattern.RECORD_BYTES);
    Reserve reserve = store.reserve(header, Level.KEPT);
    while (reserve instanceof Reserve.Full full) {
      if (full.reason() == Reserve.Reason.SSD_FULL && !store.poll()) {
        throw new IllegalStateException("the store is full though it is larger than the burst");
      }
      store.poll();
      LockSupport.parkNanos(PAUSE_NANOS);
      reserve = store.reserve(header, Level.KEPT);
    }
    if (!(reserve instanceof Reserve.Reserved reserved)) {
      throw new IllegalStateException("record " + header.id() + ": " + reserve);
    }
    reserved.reservation().payload().put(record);
    requireDone(store.commit(reserved.reservation(), null, answer -> {}));
    store.poll();
  }

  private void publish(int rank, int first, int end) {
    List<LocalFiles.Piece> pieces = new ArrayList<>();
    for (int number = first; number < end; number++) {
      pieces.add(
          LocalFiles.Piece.whole(
              (long) number * BurstPattern.RECORD_BYTES,
              id(rank, number),
              BurstPattern.RECORD_BYTES));
    }
    requireDone(files.publish(fileOf(rank), pieces, Level.KEPT, answer -> {}));
  }

  private static RecordId id(int rank, int number) {
    return new RecordId(SESSION, (long) number * DemoPlan.RANKS + rank);
  }

  /** Memory keeps a record at once. */
  private static void requireDone(Commit commit) {
    if (commit != Commit.DONE) throw new IllegalStateException("not kept: " + commit);
  }

  private void tell(String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}
