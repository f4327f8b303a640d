// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.recovery;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.StoreOpening;
import io.forebay.store.disk.Disk;
import io.forebay.store.disk.MemoryDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.store.record.Level;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A log whose segments hold any bytes is opened, with findings or without, or refused as another
 * one; an opened log takes records and can be opened again. The first byte of an input says how
 * many segments follow, in parts of equal length, and whether their checksums are set right. A part
 * has the used bytes of the header, and then the records.
 */
class LogFuzzTargetTest {
  private static final int SEGMENT = 64 * 1024;
  private static final int SEGMENTS_MAX = 3;
  private static final int HEADER = 68;
  private static final int SEALED = 128;
  private static final long JOURNAL = 7;
  private static final int POLLS = 200;
  private static final int CHANGED = 1_000;
  private static final StoreConfig CONFIG = StoreConfig.memory(SEGMENT, 12 * SEGMENT);
  private static final AllocationBound BOUND = new AllocationBound(32 * 1024 * 1024, 2000);

  @Test
  void anySegmentsAreOpenedOrRefused() throws IOException, LogMismatch {
    List<byte[]> valid = new ArrayList<>();
    for (int records : new int[] {3, 60}) {
      MemoryDisk disk = disk();
      write(open(disk), records);
      valid.add(input(disk));
    }
    new FuzzRun(LogFuzzTargetTest.class, "logs", valid)
        .play(LogFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  private static void write(Store store, int records) {
    SplittableRandom random = new SplittableRandom(records);
    for (int i = 0; i < records; i++) {
      int bytes = random.nextInt(300);
      append(store, i, bytes);
      store.journal(JOURNAL, 1, i + 1, ByteBuffer.allocate(bytes), Level.KEPT, answer -> {});
      if (i % 10 == 2) {
        store.kill(List.of(new Scope.Records(9, i - 1, i)), Level.KEPT, answer -> {});
      }
    }
    store.seal();
  }

  private static void append(Store store, int number, int bytes) {
    for (int i = 0; i < POLLS && store.poll(); i++) {}
    RecordHeader header = RecordHeader.data(new RecordId(9, number), new FileId(1, 7), 0, bytes);
    if (!(store.reserve(header, Level.KEPT) instanceof Reserve.Reserved reserved)) return;
    ByteBuffer payload = reserved.reservation().payload();
    while (payload.hasRemaining()) payload.put((byte) number);
    store.commit(reserved.reservation(), null, answer -> {});
  }

  /** The first segments of a disk as an input. */
  private static byte[] input(MemoryDisk disk) throws IOException {
    List<byte[]> parts = new ArrayList<>();
    for (Disk.FileEntry file : disk.list()) {
      if (parts.size() == SEGMENTS_MAX) break;
      ByteBuffer segment = ByteBuffer.allocate(SEGMENT);
      disk.readNow(file.name(), 0, segment);
      int end = SEGMENT;
      while (end > SegmentForgery.HEADER_PAGE_BYTES && segment.get(end - 1) == 0) end--;
      int bytes = Math.min(6000, end - SegmentForgery.HEADER_PAGE_BYTES);
      byte[] part = new byte[HEADER + bytes];
      segment.get(0, part, 0, HEADER);
      segment.get(SegmentForgery.HEADER_PAGE_BYTES, part, HEADER, bytes);
      if (segment.getLong(0) != 0) parts.add(part);
    }
    int longest = parts.stream().mapToInt(part -> part.length).max().orElse(0);
    ByteBuffer input = ByteBuffer.allocate(1 + parts.size() * longest);
    input.put((byte) (SEALED | (parts.size() - 1)));
    for (byte[] part : parts) input.put(Arrays.copyOf(part, longest));
    return input.array();
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) return;
    BOUND.check(
        input.length,
        () -> {
          try {
            read(input);
          } catch (LogMismatch refused) {
            if (refused.getMessage() == null) throw new AssertionError("no reason", refused);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static void read(byte[] input) throws IOException, LogMismatch {
    int segments = 1 + (input[0] & 0x7f) % SEGMENTS_MAX;
    int partBytes = (input.length - 1) / segments;
    MemoryDisk disk = disk();
    for (int i = 0; i < segments; i++) {
      ByteBuffer part = ByteBuffer.wrap(input, 1 + i * partBytes, partBytes).slice();
      ByteBuffer segment = segment(part);
      if ((input[0] & SEALED) != 0) SegmentForgery.seal(segment);
      String name = "memory-%06d".formatted(i);
      disk.create(name, SEGMENT, outcome -> {});
      disk.write(name, 0, segment, outcome -> {});
    }
    disk.poll();
    Store store = open(disk);
    append(store, 77, 100);
    for (int i = 0; i < POLLS && store.poll(); i++) {}
    long last = store.journalLast(JOURNAL);
    if (last >= 0) store.readJournal(JOURNAL, last, result -> {});
    store.readJournal(JOURNAL, 1, result -> {});
    store.seal();
    open(disk);
  }

  private static ByteBuffer segment(ByteBuffer part) {
    ByteBuffer segment = ByteBuffer.allocate(SEGMENT);
    int header = Math.min(HEADER, part.remaining());
    segment.put(0, part, 0, header);
    int room = SEGMENT - SegmentForgery.HEADER_PAGE_BYTES;
    int records = Math.min(room, part.remaining() - header);
    segment.put(SegmentForgery.HEADER_PAGE_BYTES, part, header, records);
    return segment;
  }

  private static MemoryDisk disk() {
    return MemoryDisk.onHeap(Long.MAX_VALUE, 10_000, () -> {});
  }

  private static Store open(MemoryDisk disk) throws IOException, LogMismatch {
    long[] nanos = new long[1];
    return StoreOpening.open(
            CONFIG,
            new LogId(1, 2),
            new StoreOpening.Volumes(List.of(new SlotPool.Place(disk, true, "memory")), null),
            () -> nanos[0] += 1_000_000,
            new SplittableRandom(1),
            StoreEvents.NONE)
        .store();
  }
}
