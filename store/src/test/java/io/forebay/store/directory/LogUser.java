// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.MonotonicClock;
import io.forebay.base.RecordId;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Reserve;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Opens logs, puts records into them whose bytes follow from their number, and checks them. */
final class LogUser {
  static final int RECORD_BYTES = 5000;
  static final long SESSION = 9;
  static final FileId FILE = new FileId(1, 7);

  private static final long POLL_NANOS = 100_000;
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

  final List<String> warnings = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(System.nanoTime());

  LogDirectory open(LogDirectory.Options options, Machine machine)
      throws LogUnavailable, IOException {
    return new LogOpening(options, machine, owner()).open();
  }

  LogOpening.Owner owner() {
    return new LogOpening.Owner(MonotonicClock.system(), random, new Recorder(), () -> {});
  }

  private final class Recorder implements StoreEvents {
    @Override
    public void segmentSuspect(long segment, String detail) {
      throw new AssertionError("segment " + segment + ": " + detail);
    }

    @Override
    public void recordDamaged(RecordId record, FileId file, long segment) {
      throw new AssertionError("record " + record + " in segment " + segment);
    }

    @Override
    public void warned(String sentence) {
      warnings.add(sentence);
    }
  }

  /** Takes answers until nothing is under way. */
  static void settle(Store store) {
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (store.poll()) pause(deadline);
  }

  static void put(Store store, long from, long to, Level level) {
    for (long sequence = from; sequence < to; sequence++) put(store, sequence, level);
  }

  static void put(Store store, long sequence, Level level) {
    assertThat(offer(store, sequence, level)).as("room for record %d", sequence).isTrue();
  }

  /** Puts a record, unless there is no room for it even after a while. */
  static boolean offer(Store store, long sequence, Level level) {
    RecordHeader header =
        RecordHeader.data(
            new RecordId(SESSION, sequence), FILE, sequence * RECORD_BYTES, RECORD_BYTES);
    Reserve reserve = store.reserve(header, level);
    for (int tries = 0; tries < 20_000 && reserve instanceof Reserve.Full; tries++) {
      store.poll();
      LockSupport.parkNanos(POLL_NANOS);
      reserve = store.reserve(header, level);
    }
    if (!(reserve instanceof Reserve.Reserved reserved)) return false;
    ByteBuffer payload = reserved.reservation().payload();
    while (payload.hasRemaining()) payload.put((byte) (sequence + payload.position()));
    List<Waiter.Answer> answers = new ArrayList<>();
    Commit commit = store.commit(reserved.reservation(), null, answers::add);
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (commit == Commit.PENDING && answers.isEmpty()) {
      store.poll();
      pause(deadline);
    }
    return commit == Commit.DONE || answers.equals(List.of(new Waiter.Answer.Reached()));
  }

  static void check(Store store, long from, long to) {
    for (long sequence = from; sequence < to; sequence++) check(store, sequence);
  }

  static void check(Store store, long sequence) {
    List<ReadResult> results = new ArrayList<>();
    store.read(new RecordId(SESSION, sequence), 0, RECORD_BYTES, results::add);
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (results.isEmpty()) {
      store.poll();
      pause(deadline);
    }
    assertThat(results.getFirst()).as("record %d", sequence).isInstanceOf(ReadResult.Bytes.class);
    try (Slice slice = ((ReadResult.Bytes) results.getFirst()).slice()) {
      byte[] bytes = new byte[slice.bytes().remaining()];
      slice.bytes().get(bytes);
      byte[] expected = new byte[RECORD_BYTES];
      for (int i = 0; i < RECORD_BYTES; i++) expected[i] = (byte) (sequence + i);
      assertThat(bytes).as("record %d", sequence).isEqualTo(expected);
    }
  }

  static void awaitFile(Path file) {
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (!file.toFile().exists()) pause(deadline);
  }

  private static void pause(long deadline) {
    assertThat(System.nanoTime() - deadline).as("waiting for too long").isNegative();
    LockSupport.parkNanos(POLL_NANOS);
  }
}
