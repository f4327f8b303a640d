// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.Scratch;
import io.forebay.netcdf.driver.logging.layout.BlockFile;
import io.forebay.netcdf.driver.logging.layout.FileMark;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.driver.logging.layout.LogHeader;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Appends one rank's writes to a pair of files, and keeps the entries in memory. When a write
 * returns, its data and its entry are in the storage, in that order: a killed program loses none of
 * it, except entries that it may hold back. One thread at a time appends; another may read.
 */
final class LogWriter implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 20;

  private final BlockFile entryFile;
  private final BlockFile dataFile;
  private final long heldBytesMax;
  private final List<LogEntry> entries = new ArrayList<>();
  private final Scratch chunk = new Scratch();
  private LogHeader header;
  private long entryEnd;
  private long dataEnd;

  /** Entries that are not written yet, although their data is; and the bytes of that data. */
  private final List<ByteBuffer> held = new ArrayList<>();

  private long heldBytes;

  /**
   * For files that are open and empty.
   *
   * @param heldBytesMax how much data may be without its entry when a write returns
   */
  LogWriter(BlockFile entryFile, BlockFile dataFile, LogHeader header, long heldBytesMax) {
    this.entryFile = entryFile;
    this.dataFile = dataFile;
    this.header = header;
    this.heldBytesMax = heldBytesMax;
  }

  /** Forgets everything, and restarts the log. */
  void begin(long generation) throws IOException {
    header = header.ofGeneration(generation);
    entryFile.write(header.encode(), 0);
    entryFile.publish();
    entryEnd = LogHeader.BYTES;
    dataEnd = 0;
    entries.clear();
    held.clear();
    heldBytes = 0;
  }

  /** Writes the mark of the file. Another thread may append at the same time. */
  void mark(FileMark mark) throws IOException {
    entryFile.write(mark.encode(), LogHeader.MARKS_OFFSET + (long) mark.place() * FileMark.BYTES);
    entryFile.publish();
  }

  long generation() {
    return header.generation();
  }

  void append(Transfer put, int age) throws IOException {
    Values values = put.values();
    long bytes = values.memory().byteSize();
    int checksum = writeData(values);
    LogEntry entry =
        new LogEntry(
            header.generation(),
            age,
            put.variable(),
            values.type(),
            dataEnd,
            bytes,
            checksum,
            put.parts());
    ByteBuffer encoded = entry.encode();
    if (encoded.remaining() > LogEntry.BYTES_MAX) {
      throw new NetcdfException(
          NetcdfError.TOO_LARGE, put.parts().size() + " parts in one request");
    }
    held.add(encoded);
    heldBytes += bytes;
    try {
      if (heldBytes >= heldBytesMax) release();
    } catch (IOException e) {
      // Entries before this one belong to writes that have returned, and are retried with the next.
      held.removeLast();
      heldBytes -= bytes;
      throw e;
    }
    // Only now: the next write overwrites a partial one.
    dataEnd += bytes;
    entries.add(entry);
  }

  /** Writes the entries whose data is written. */
  private void release() throws IOException {
    dataFile.publish();
    long end = entryEnd;
    for (ByteBuffer encoded : held) {
      entryFile.write(encoded, end);
      end += encoded.remaining();
    }
    entryFile.publish();
    entryEnd = end;
    held.clear();
    heldBytes = 0;
  }

  /** Writes elements as this machine has them; returns their checksum. */
  private int writeData(Values values) throws IOException {
    CRC32C checksum = new CRC32C();
    long perChunk = CHUNK_BYTES / values.type().sizeBytes();
    long at = dataEnd;
    for (long first = 0; first < values.count(); first += perChunk) {
      Values part = values.slice(first, Math.min(perChunk, values.count() - first));
      MemorySegment memory = inMemory(part);
      checksum.update(memory.asByteBuffer());
      dataFile.write(memory, at);
      at += memory.byteSize();
    }
    return (int) checksum.getValue();
  }

  /** The elements in native byte order and off the heap: in place, or copied. */
  private MemorySegment inMemory(Values part) {
    if (part.memory().isNative() && part.order() == ByteOrder.nativeOrder()) return part.memory();
    // Memory on the heap has no buffer of bytes unless it is one of bytes.
    MemorySegment copy = chunk.take(CHUNK_BYTES).asSlice(0, part.memory().byteSize());
    Conversion.copy(part, new Values(copy, part.type(), ByteOrder.nativeOrder()));
    return copy;
  }

  /** The writes since the log began, oldest first. */
  List<LogEntry> entries() {
    return entries;
  }

  /** How much data that is. */
  long dataBytes() {
    return dataEnd;
  }

  /** Reads the data of an entry, or a part of it. */
  void read(MemorySegment memory, long offset) throws IOException {
    if (!dataFile.read(memory, offset)) {
      throw new NetcdfException(NetcdfError.LOG, "the log has lost data at byte " + offset);
    }
  }

  @Override
  public void close() throws IOException {
    chunk.close();
    try (entryFile) {
      dataFile.close();
    }
  }
}
