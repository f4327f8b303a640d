// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.segment;

import io.forebay.base.BlockChecksums;
import io.forebay.base.rule.Rule;
import io.forebay.store.disk.Disk;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordCodec;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.store.tier.Slot;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reads pieces of records: from memory as a view of the segment itself, from the SSD as a buffer
 * with the verified blocks around the piece. While a piece is in use its segment stays.
 */
public final class Reader {
  /** Told when bytes turn out not to match their checksums. */
  public interface DamageListener {
    void damaged(Segment segment, int entry);
  }

  private final ReadBuffers buffers;
  private final boolean verifyMemory;
  private final DamageListener listener;
  private final Runnable released;
  private final RecordCodec codec = new RecordCodec();

  public Reader(
      ReadBuffers buffers, boolean verifyMemory, DamageListener listener, Runnable released) {
    this.buffers = buffers;
    this.verifyMemory = verifyMemory;
    this.listener = listener;
    this.released = released;
  }

  /**
   * Reads a piece of a record's payload. The receiver verifies whole blocks from memory, with their
   * stored checksums. Parts of blocks have no checksums, so they are verified here.
   */
  public void read(
      Segment segment, int entry, int offset, int lengthBytes, ReadResult.Receiver receiver) {
    int payloadBytes = segment.table.payloadBytes(entry);
    boolean verify = verifyMemory || !BlockChecksums.areWhole(offset, lengthBytes, payloadBytes);
    read(segment, entry, offset, lengthBytes, verify, receiver);
  }

  /** Reads a whole payload and compares it with its checksums, wherever it stands. */
  public void verify(Segment segment, int entry, ReadResult.Receiver receiver) {
    read(segment, entry, 0, segment.table.payloadBytes(entry), true, receiver);
  }

  private void read(
      Segment segment,
      int entry,
      int offset,
      int lengthBytes,
      boolean verify,
      ReadResult.Receiver receiver) {
    RecordTable table = segment.table;
    if (offset < 0 || lengthBytes < 0 || offset > table.payloadBytes(entry) - lengthBytes) {
      receiver.received(new ReadResult.Absent());
    } else if (table.state(entry) == RecordTable.State.DAMAGED) {
      receiver.received(damage(segment, entry));
    } else if (segment.image != null) {
      receiver.received(fromMemory(segment, entry, offset, lengthBytes, verify));
    } else {
      Blocks blocks = new Blocks(table.payloadBytes(entry), offset, lengthBytes);
      ByteBuffer buffer = buffers.take(blocks.bufferBytes());
      if (buffer == null) receiver.received(new ReadResult.Busy());
      else new SsdRead(segment, entry, blocks, buffer, receiver).start();
    }
  }

  private ReadResult fromMemory(
      Segment segment, int entry, int offset, int lengthBytes, boolean verify) {
    int payloadBytes = segment.table.payloadBytes(entry);
    int position = segment.table.position(entry);
    int payload = position + RecordLayout.payloadOffset(payloadBytes);
    ByteBuffer bytes = segment.bytes();
    if (verify) {
      Blocks blocks = new Blocks(payloadBytes, offset, lengthBytes);
      ByteBuffer around = bytes.slice(payload + blocks.from, blocks.to - blocks.from);
      int[] expected = blocks.checksums(codec.table(bytes, position, payloadBytes));
      if (BlockChecksums.firstMismatch(around, expected) >= 0) return damage(segment, entry);
    }
    pin(segment);
    return new ReadResult.Bytes(
        new Slice(
            bytes.slice(payload + offset, lengthBytes).asReadOnlyBuffer(),
            segment.ordinal,
            () -> release(segment)),
        bytes.getLong(position + RecordLayout.OFFSET_OFFSET));
  }

  private void release(Segment segment) {
    unpin(segment);
    released.run();
  }

  /** A segment whose bytes are being sent is not used again before they are (P19). */
  @Rule("P19")
  private static void pin(Segment segment) {
    segment.pins++;
  }

  private static void unpin(Segment segment) {
    segment.pins--;
  }

  private ReadResult damage(Segment segment, int entry) {
    if (segment.table.state(entry) != RecordTable.State.DAMAGED) listener.damaged(segment, entry);
    return new ReadResult.Damaged(
        segment.table.id(entry), segment.table.file(entry), segment.number());
  }

  /** The blocks around a piece: checksums are per block, so whole blocks must be read. */
  private static final class Blocks {
    final int payloadBytes;
    final int offset;
    final int lengthBytes;
    final int headBytes;
    final int from;
    final int to;

    Blocks(int payloadBytes, int offset, int lengthBytes) {
      this.payloadBytes = payloadBytes;
      this.offset = offset;
      this.lengthBytes = lengthBytes;
      this.headBytes = RecordLayout.payloadOffset(payloadBytes);
      this.from = offset / BlockChecksums.BLOCK_BYTES * BlockChecksums.BLOCK_BYTES;
      int blockEnd = BlockChecksums.count(offset + lengthBytes) * BlockChecksums.BLOCK_BYTES;
      this.to = Math.max(from, Math.min(payloadBytes, blockEnd));
    }

    int bufferBytes() {
      return headBytes + to - from;
    }

    int[] checksums(int[] table) {
      return Arrays.copyOfRange(table, from / BlockChecksums.BLOCK_BYTES, BlockChecksums.count(to));
    }
  }

  /** One read from the SSD: the record's head and the blocks, together when they are neighbours. */
  private final class SsdRead {
    private final Segment segment;
    private final int entry;
    private final Blocks blocks;
    private final ByteBuffer buffer;
    private final ReadResult.Receiver receiver;
    private final Slot file;
    private int pending = 1;
    private Disk.Outcome worst = Disk.Outcome.Success.DONE;

    SsdRead(
        Segment segment,
        int entry,
        Blocks blocks,
        ByteBuffer buffer,
        ReadResult.Receiver receiver) {
      this.segment = segment;
      this.entry = entry;
      this.blocks = blocks;
      this.buffer = buffer;
      this.receiver = receiver;
      Slot slot = segment.file;
      if (slot == null)
        throw new IllegalStateException("segment " + segment.number() + " is nowhere");
      this.file = slot;
    }

    void start() {
      segment.pins++;
      int position = segment.table.position(entry);
      if (blocks.from == 0) {
        request(position, buffer.slice(0, blocks.bufferBytes()));
      } else {
        request(position, buffer.slice(0, blocks.headBytes));
        request(
            position + blocks.headBytes + blocks.from,
            buffer.slice(blocks.headBytes, blocks.to - blocks.from));
      }
      arrived(Disk.Outcome.Success.DONE);
    }

    private void request(long position, ByteBuffer target) {
      pending++;
      file.disk().read(file.name(), position, target, this::arrived);
    }

    private void arrived(Disk.Outcome outcome) {
      if (!outcome.succeeded()) worst = outcome;
      if (--pending > 0) return;
      segment.pins--;
      if (worst instanceof Disk.Outcome.Failure failure) {
        buffers.give(buffer);
        receiver.received(
            new ReadResult.Failed("read of " + file.name() + " failed: " + failure.detail()));
      } else if (!sound()) {
        buffers.give(buffer);
        receiver.received(damage(segment, entry));
      } else {
        ByteBuffer piece =
            buffer.slice(blocks.headBytes + blocks.offset - blocks.from, blocks.lengthBytes);
        receiver.received(
            new ReadResult.Bytes(
                new Slice(piece.asReadOnlyBuffer(), Slice.NONE, () -> buffers.give(buffer)),
                buffer.getLong(RecordLayout.OFFSET_OFFSET)));
      }
    }

    private boolean sound() {
      RecordHeader header =
          codec.headerAt(
              buffer,
              0,
              segment.table.position(entry),
              segment.header.segmentBytes(),
              segment.header.generation());
      if (header == null || header.payloadBytes() != blocks.payloadBytes) return false;
      int[] table = codec.table(buffer, 0, blocks.payloadBytes);
      if (codec.fillState(buffer, 0, table) != RecordCodec.Fill.COMPLETE) return false;
      ByteBuffer around = buffer.slice(blocks.headBytes, blocks.to - blocks.from);
      return BlockChecksums.firstMismatch(around, blocks.checksums(table)) < 0;
    }
  }
}
