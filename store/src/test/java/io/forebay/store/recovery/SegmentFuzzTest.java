// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.BlockChecksums;
import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.LogId;
import io.forebay.store.log.Mark;
import io.forebay.store.log.RecordCodec;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.Scope;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.log.Stream;
import io.forebay.testing.TestSeed;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Segment bytes that are garbage, mutated or recycled: only reports, never wrong bytes. */
class SegmentFuzzTest {
  private static final int SEGMENT = 256 * 1024;
  private static final LogId LOG = new LogId(3, 4);
  private static final int RUNS = Integer.getInteger("forebay.fuzz.runs", 3000);

  private final RecordCodec codec = new RecordCodec();
  private final TreeMap<RecordId, byte[]> payloads = new TreeMap<>();

  @Test
  void mutatedSegmentsGiveOnlyBytesThatWereWritten() throws Exception {
    long seed = TestSeed.first("SegmentFuzzTest");
    System.out.println("mutated segments: -Dforebay.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int run = 0; run < RUNS; run++) {
      ByteBuffer segment = segment(random);
      int before = sound(segment).table().size();
      int changed = mutate(segment, random);
      SlotScanner.Content content;
      try {
        content = new SlotScanner(LOG, SEGMENT).scan("slot", segment);
      } catch (LogMismatch typed) {
        continue;
      }
      if (!(content instanceof SlotScanner.Content.Segment found)) continue;
      int complete = check(found.scan(), segment);
      if (changed == 1) assertThat(complete).as("run %d", run).isGreaterThanOrEqualTo(before - 1);
    }
  }

  @Test
  void garbageIsNoSegment() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    for (int run = 0; run < 200; run++) {
      byte[] garbage = new byte[SEGMENT];
      random.nextBytes(garbage);
      // Lengths that are huge or negative must never be believed.
      ByteBuffer segment = ByteBuffer.wrap(garbage);
      if (run % 2 == 0) header(random.nextLong()).write(segment);
      SlotScanner.Content content = new SlotScanner(LOG, SEGMENT).scan("slot", segment);
      if (content instanceof SlotScanner.Content.Segment found) {
        assertThat(found.scan().table().size()).isZero();
      }
    }
  }

  @Test
  void aRecycledSegmentsOldRecordsNeverCount() throws Exception {
    SplittableRandom random = new SplittableRandom(2);
    for (int run = 0; run < 200; run++) {
      ByteBuffer segment = segment(random);
      payloads.clear();
      SegmentHeader next = header(random.nextLong());
      next.write(segment);
      int position = SegmentHeader.BYTES;
      int kept = random.nextInt(5);
      for (int i = 0; i < kept; i++) position = append(segment, next, position, i, random);
      SegmentScan scan = SegmentScan.of("slot", next, segment);
      assertThat(scan.table().size()).isEqualTo(kept);
      check(scan, segment);
    }
  }

  @Test
  void headersWithValidChecksumsButWildLengthsAreNotBelieved() throws Exception {
    for (int length : new int[] {Integer.MAX_VALUE, SEGMENT, SEGMENT - SegmentHeader.BYTES}) {
      ByteBuffer segment = ByteBuffer.allocate(SEGMENT);
      SegmentHeader header = header(7);
      header.write(segment);
      RecordHeader wild = RecordHeader.data(new RecordId(1, 1), new FileId(1, 1), 0, length);
      codec.reserve(segment, SegmentHeader.BYTES, header.generation(), wild);
      assertThat(SegmentScan.of("slot", header, segment).table().size()).isZero();
    }
  }

  /** Found by fuzzing: the sentence about the other size could not be written. */
  @Test
  void aHeaderWithASizeThatCannotBeIsBroken() throws LogMismatch {
    for (int size : new int[] {-1, Integer.MIN_VALUE, 0}) {
      ByteBuffer segment = ByteBuffer.allocate(SEGMENT);
      new SegmentHeader(LOG, 9, 7, size, Stream.INGEST).write(segment);
      assertThat(new SlotScanner(LOG, SEGMENT).scan("slot", segment))
          .isInstanceOf(SlotScanner.Content.Unknown.class);
    }
  }

  private static SegmentHeader header(long generation) {
    return new SegmentHeader(LOG, 9, generation, SEGMENT, Stream.INGEST);
  }

  private ByteBuffer segment(SplittableRandom random) {
    ByteBuffer segment = ByteBuffer.allocate(SEGMENT);
    SegmentHeader header = header(random.nextLong());
    header.write(segment);
    payloads.clear();
    int position = SegmentHeader.BYTES;
    int records = 1 + random.nextInt(12);
    for (int i = 0; i < records; i++) position = append(segment, header, position, i, random);
    return segment;
  }

  private int append(
      ByteBuffer segment, SegmentHeader header, int position, int number, SplittableRandom random) {
    byte[] payload = payload(number, random);
    RecordType type = number % 4 == 3 ? RecordType.TOMBSTONE : RecordType.DATA;
    RecordHeader record =
        new RecordHeader(
            type, new RecordId(5, number), new FileId(1, number), 0, 0, payload.length);
    codec.reserve(segment, position, header.generation(), record);
    segment.put(position + record.payloadOffset(), payload);
    codec.fill(segment, position, BlockChecksums.of(ByteBuffer.wrap(payload)));
    payloads.put(record.id(), payload);
    return position + record.recordBytes();
  }

  private static byte[] payload(int number, SplittableRandom random) {
    if (number % 4 == 3) {
      Mark mark = new Mark(0, List.of(new Scope.Records(5, 0, 1)));
      byte[] bytes = new byte[Mark.payloadBytes(1)];
      mark.write(ByteBuffer.wrap(bytes));
      return bytes;
    }
    byte[] bytes = new byte[random.nextInt(number % 3 == 0 ? 100_000 : 300)];
    random.nextBytes(bytes);
    return number % 3 == 0 && bytes.length > 70_000 ? new byte[0] : bytes;
  }

  private static SegmentScan sound(ByteBuffer segment) throws LogMismatch {
    SlotScanner.Content content = new SlotScanner(LOG, SEGMENT).scan("slot", segment);
    SegmentScan scan = ((SlotScanner.Content.Segment) content).scan();
    assertThat(scan.sound()).isTrue();
    return scan;
  }

  /** Changes one byte, or many in one of several ways, and says how many. */
  private static int mutate(ByteBuffer segment, SplittableRandom random) {
    int changes = random.nextInt(3) == 0 ? 1 + random.nextInt(200) : 1;
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(random.nextBoolean() ? SEGMENT : 16 * 1024);
      segment.put(at, (byte) (segment.get(at) ^ (1 << random.nextInt(8))));
    }
    return changes;
  }

  /** Every record that counts has the bytes it was written with. */
  private int check(SegmentScan scan, ByteBuffer segment) {
    int complete = 0;
    for (int entry = 0; entry < scan.table().size(); entry++) {
      if (scan.table().state(entry) != RecordTable.State.LIVE) continue;
      complete++;
      byte[] expected = payloads.get(scan.table().id(entry));
      assertThat(scan.table().payloadBytes(entry)).isEqualTo(expected.length);
      byte[] found = new byte[expected.length];
      segment.get(
          scan.table().position(entry) + RecordLayout.payloadOffset(expected.length), found);
      assertThat(found).isEqualTo(expected);
    }
    return complete;
  }
}
