// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.recovery;

import io.forebay.store.disk.Disk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordCodec;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.log.SegmentHeader.Parsed;
import io.forebay.store.log.SegmentScanner;
import io.forebay.store.log.Stream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the slots of a log without changing anything, one segment's bytes in memory at a time. */
public final class SlotScanner {
  /** The contents of a slot. */
  public sealed interface Content {
    record Free() implements Content {}

    record Segment(SegmentScan scan) implements Content {}

    /** Its header cannot be read or understood, and no record was found behind it. */
    record Unknown(Finding finding) implements Content {}
  }

  private static final int CHUNK_BYTES = 4 * 1024 * 1024;
  private static final int PAGE_BYTES = 4096;

  private final LogId log;
  private final int segmentBytes;
  private final RecordCodec codec = new RecordCodec();
  private @Nullable ByteBuffer buffer;

  public SlotScanner(LogId log, int segmentBytes) {
    this.log = log;
    this.segmentBytes = segmentBytes;
  }

  /** Scans a slot by reading it. */
  public Content scan(Disk disk, Disk.FileEntry slot) throws IOException, LogMismatch {
    int bytes = (int) Math.min(slot.bytes(), segmentBytes);
    if (bytes < SegmentHeader.BYTES) return new Content.Free();
    ByteBuffer head = ByteBuffer.allocate(SegmentHeader.BYTES);
    try {
      disk.readNow(slot.name(), 0, head);
    } catch (IOException unreadable) {
      return new Content.Unknown(
          new Finding.Unreadable(
              slot.name(), 0, SegmentHeader.BYTES, String.valueOf(unreadable.getMessage())));
    }
    Parsed parsed = SegmentHeader.parse(head.flip());
    if (parsed instanceof Parsed.Free) return new Content.Free();
    ByteBuffer segment = segmentBuffer();
    if (parsed instanceof Parsed.Valid valid) {
      require(slot.name(), valid.header());
      return new Content.Segment(read(disk, slot, valid.header(), segment, bytes));
    }
    if (parsed instanceof Parsed.Newer newer) throw LogMismatch.newer(slot.name(), newer.version());
    List<Finding> unreadable = new ArrayList<>();
    disk.scan(
        slot.name(),
        0,
        bytes,
        CHUNK_BYTES,
        (at, n, chunk) -> {
          if (chunk == null) unreadable.addAll(readPages(disk, slot.name(), segment, at, n));
          else segment.put((int) at, chunk, chunk.position(), n);
        });
    Content content = salvage(slot.name(), segment, bytes);
    if (content instanceof Content.Segment salvaged) unreadable.forEach(salvaged.scan()::found);
    return content;
  }

  /** Reads a chunk page by page; unreadable pages become zeros and are reported. */
  private static List<Finding> readPages(
      Disk disk, String slot, ByteBuffer segment, long at, int bytes) {
    List<Finding> unreadable = new ArrayList<>();
    for (int done = 0; done < bytes; done += PAGE_BYTES) {
      int from = (int) at + done;
      int page = Math.min(PAGE_BYTES, bytes - done);
      try {
        disk.readNow(slot, from, segment.slice(from, page));
      } catch (IOException failure) {
        for (int i = 0; i < page; i++) segment.put(from + i, (byte) 0);
        String detail = String.valueOf(failure.getMessage());
        unreadable.add(new Finding.Unreadable(slot, from, from + page, detail));
      }
    }
    return unreadable;
  }

  /** Scans a slot whose bytes are in memory. */
  public Content scan(String slot, ByteBuffer bytes) throws LogMismatch {
    return switch (SegmentHeader.parse(bytes)) {
      case Parsed.Free free -> new Content.Free();
      case Parsed.Valid valid -> {
        require(slot, valid.header());
        yield new Content.Segment(SegmentScan.of(slot, valid.header(), bytes));
      }
      case Parsed.Newer newer -> throw LogMismatch.newer(slot, newer.version());
      case Parsed.Broken broken -> salvage(slot, bytes, bytes.limit());
    };
  }

  private SegmentScan read(
      Disk disk, Disk.FileEntry slot, SegmentHeader header, ByteBuffer segment, int bytes)
      throws IOException {
    SegmentScan scan = new SegmentScan(slot.name(), header);
    if (bytes < segmentBytes) scan.found(new Finding.ShortSlot(slot.name(), slot.bytes()));
    SegmentScanner scanner = scan.scanner(segment, bytes);
    // Judged chunk by chunk, so that reading continues while checksums are computed.
    disk.scan(
        slot.name(),
        0,
        bytes,
        CHUNK_BYTES,
        (at, n, chunk) -> {
          if (chunk == null) readPages(disk, slot.name(), segment, at, n).forEach(scan::found);
          else segment.put((int) at, chunk, chunk.position(), n);
          scanner.advance((int) at + n);
        });
    scan.end(segment, scanner.finish());
    return scan;
  }

  /**
   * Finds the records of a segment with a broken header: the first record repeats the generation,
   * and its own checksum confirms it.
   */
  private Content salvage(String slot, ByteBuffer segment, int bytes) {
    Long generation = codec.generationAt(segment, SegmentHeader.BYTES, bytes);
    if (generation == null || !SegmentHeader.resembles(segment, log, generation)) {
      return new Content.Unknown(new Finding.BrokenHeader(slot, false));
    }
    SegmentHeader header = new SegmentHeader(log, 0, generation, segmentBytes, Stream.RELOCATION);
    SegmentScan scan = SegmentScan.of(slot, header, segment.duplicate().clear().limit(bytes));
    scan.found(new Finding.BrokenHeader(slot, true));
    return new Content.Segment(scan);
  }

  private void require(String slot, SegmentHeader header) throws LogMismatch {
    if (!header.log().equals(log)) throw LogMismatch.foreign(slot, header.log(), log);
    if (header.segmentBytes() != segmentBytes) {
      throw LogMismatch.segmentBytes(slot, header.segmentBytes(), segmentBytes);
    }
  }

  private ByteBuffer segmentBuffer() {
    ByteBuffer kept = buffer;
    if (kept == null) {
      kept = ByteBuffer.allocateDirect(segmentBytes);
      buffer = kept;
    }
    return kept;
  }
}
