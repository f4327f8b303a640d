package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.data.Conversion;
import io.forebay.netcdf.data.Subarray;
import io.forebay.netcdf.data.Values;
import io.forebay.netcdf.driver.Transfer;
import io.forebay.netcdf.driver.direct.Scratch;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Appends one rank's writes to its log, and keeps the entries in memory. When a write returns, its
 * data and its entry are with the operating system, in that order: a program that is killed loses
 * none of it.
 */
final class LogWriter implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 20;

  private final BlockFile entryFile;
  private final BlockFile dataFile;
  private final List<LogEntry> entries = new ArrayList<>();
  private final Scratch chunk = new Scratch();
  private LogHeader header;
  private long entryEnd;
  private long dataEnd;

  private LogWriter(BlockFile entryFile, BlockFile dataFile, LogHeader header) {
    this.entryFile = entryFile;
    this.dataFile = dataFile;
    this.header = header;
  }

  /** Opens the log and begins it anew. */
  static LogWriter open(LogName name, LogHeader header) throws IOException {
    BlockFile entries = open(name, header, true);
    BlockFile data = null;
    try {
      data = open(name, header, false);
      if (!entries.lock()) {
        throw new NetcdfException(
            NetcdfError.LOG, name.entries() + " is in use by another program");
      }
      LogWriter writer = new LogWriter(entries, data, header);
      writer.begin();
      return writer;
    } catch (IOException e) {
      entries.close();
      if (data != null) data.close();
      throw e;
    }
  }

  private static BlockFile open(LogName name, LogHeader header, boolean entries)
      throws IOException {
    return BlockFile.open(
        entries ? name.entries() : name.data(),
        header.place(),
        header.sharers(),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  private void begin() throws IOException {
    entryFile.write(header.encode(), 0);
    entryEnd = LogHeader.BYTES;
    dataEnd = 0;
    entries.clear();
  }

  /** Forgets everything: it is in the file. */
  void reset() throws IOException {
    if (entries.isEmpty()) return;
    header =
        new LogHeader(
            header.generation() + 1,
            header.order(),
            header.rank(),
            header.ranks(),
            header.place(),
            header.sharers(),
            header.path());
    begin();
  }

  void append(Transfer put, int age) throws IOException {
    Values values = put.values();
    int checksum = writeData(values);
    List<Subarray> parts = put.parts();
    long bytes = values.memory().byteSize();
    LogEntry entry =
        new LogEntry(
            header.generation(),
            age,
            put.variable(),
            values.type(),
            dataEnd,
            bytes,
            checksum,
            parts);
    ByteBuffer encoded = entry.encode();
    if (encoded.remaining() > LogEntry.BYTES_MAX) {
      throw new NetcdfException(NetcdfError.TOO_LARGE, parts.size() + " parts in one request");
    }
    long length = encoded.remaining();
    entryFile.write(encoded, entryEnd);
    // Only now: what failed half-way is overwritten by the next.
    entryEnd += length;
    dataEnd += bytes;
    entries.add(entry);
  }

  /** Writes elements as this machine has them; returns their checksum. */
  private int writeData(Values values) throws IOException {
    CRC32C checksum = new CRC32C();
    long perChunk = CHUNK_BYTES / values.type().sizeBytes();
    long at = dataEnd;
    for (long first = 0; first < values.count(); first += perChunk) {
      Values part = values.slice(first, Math.min(perChunk, values.count() - first));
      // A copy: memory on the heap has no buffer of bytes unless it is one of bytes.
      MemorySegment memory = chunk.take(CHUNK_BYTES).asSlice(0, part.memory().byteSize());
      Conversion.copy(part, new Values(memory, values.type(), ByteOrder.nativeOrder()));
      checksum.update(memory.asByteBuffer());
      dataFile.write(memory.asByteBuffer(), at);
      at += memory.byteSize();
    }
    return (int) checksum.getValue();
  }

  /** What has been written since the log began, oldest first. */
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
