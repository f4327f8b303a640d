// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.disk.Faults;
import io.forebay.store.disk.FaultyDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Waiter;
import io.forebay.store.recovery.RecoveryReport;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A store on simulated disks that can be crashed and opened again, and calls that wait for it. */
final class FaultyStore {
  static final int SEGMENT = 64 * 1024;
  static final long SESSION = 9;
  static final FileId FILE = new FileId(1, 7);
  private static final int POLLS_MAX = 3000;

  final FaultyDisk ssd;
  Store store;
  RecoveryReport report;
  int suspects;

  private final StoreConfig config;
  private final SplittableRandom random;
  private FaultyDisk memory;
  private long now;

  FaultyStore(StoreConfig config, long seed) throws Exception {
    this.config = config;
    this.random = new SplittableRandom(seed);
    this.memory = new FaultyDisk(random.split(), true, Long.MAX_VALUE, Faults.NONE);
    this.ssd = new FaultyDisk(random.split(), false, Long.MAX_VALUE, Faults.NONE);
    open();
    settle();
  }

  private void open() throws Exception {
    boolean lasting = config.mode() != StoreConfig.Mode.SSD;
    if (!lasting) memory = new FaultyDisk(random.split(), true, Long.MAX_VALUE, Faults.NONE);
    SlotPool.Place place = new SlotPool.Place(memory, lasting, "memory");
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
  }

  void killProcess() throws Exception {
    memory.killProcess();
    ssd.killProcess();
    open();
  }

  void cutPower() throws Exception {
    memory.powerCut();
    ssd.powerCut();
    open();
  }

  void settle() {
    for (int i = 0; i < POLLS_MAX && store.poll(); i++) {}
  }

  void poll(int times) {
    for (int i = 0; i < times; i++) store.poll();
  }

  /** A call whose answer comes later. */
  interface Call {
    Commit on(Waiter waiter);
  }

  /** Whether the call reached its level in the end; FULL is asked again for a while. */
  boolean reaches(Call call) {
    List<Waiter.Answer> answers = new ArrayList<>();
    Commit commit = call.on(answers::add);
    for (int i = 0; i < POLLS_MAX && commit == Commit.FULL; i++) {
      store.poll();
      commit = call.on(answers::add);
    }
    for (int i = 0; i < POLLS_MAX && commit == Commit.PENDING && answers.isEmpty(); i++) {
      store.poll();
    }
    return commit == Commit.DONE
        || (!answers.isEmpty() && answers.getFirst() instanceof Waiter.Answer.Reached);
  }

  /** Whether a record was taken and reached its level. */
  boolean put(long sequence, int bytes, Level level) {
    RecordHeader header = RecordHeader.data(new RecordId(SESSION, sequence), FILE, 0, bytes);
    Reserve reserve = store.reserve(header, level);
    for (int i = 0; i < 300 && reserve instanceof Reserve.Full; i++) {
      store.poll();
      reserve = store.reserve(header, level);
    }
    if (!(reserve instanceof Reserve.Reserved reserved)) return false;
    ByteBuffer payload = reserved.reservation().payload();
    while (payload.hasRemaining()) payload.put((byte) (sequence + payload.position()));
    return reaches(waiter -> store.commit(reserved.reservation(), null, waiter));
  }

  boolean kill(Level level, Scope... scopes) {
    return reaches(waiter -> store.kill(List.of(scopes), level, waiter));
  }

  boolean journal(long journal, long epoch, long index, int bytes, Level level) {
    ByteBuffer payload = ByteBuffer.allocate(bytes);
    for (int i = 0; i < bytes; i++) payload.put(i, (byte) (journal + epoch + index));
    return reaches(w -> store.journal(journal, epoch, index, payload.duplicate(), level, w));
  }

  static Scope records(long from, long to) {
    return new Scope.Records(SESSION, from, to);
  }

  boolean present(long sequence) {
    return store.present(new RecordId(SESSION, sequence));
  }

  long count(long from, long to) {
    long count = 0;
    for (long sequence = from; sequence < to; sequence++) {
      if (present(sequence)) count++;
    }
    return count;
  }

  ReadResult readJournal(long journal, long index) {
    List<ReadResult> results = new ArrayList<>();
    store.readJournal(journal, index, results::add);
    for (int i = 0; i < POLLS_MAX && results.isEmpty(); i++) store.poll();
    return results.getFirst();
  }
}
