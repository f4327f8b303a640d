// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.driver.logging.layout.BlockFile;
import io.forebay.netcdf.driver.logging.layout.FileMark;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.driver.logging.layout.LogHeader;
import io.forebay.netcdf.format.NetcdfError;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The intact part of one rank's log: entries up to the first with a wrong checksum or generation,
 * where a program was stopped or the writer currently is.
 */
public final class LogContent implements AutoCloseable {
  /** The log was flushed while it was read, and its data may have changed. */
  static final class BegunAnew extends IOException {
    private static final long serialVersionUID = 1L;

    BegunAnew(String message) {
      super(message);
    }
  }

  private static final int CHUNK_BYTES = 1 << 20;

  private final LogName name;
  private final LogHeader header;
  private final List<LogEntry> entries;
  private final BlockFile data;
  private final @Nullable FileMark mark;

  private LogContent(
      LogName name,
      LogHeader header,
      @Nullable FileMark mark,
      List<LogEntry> entries,
      BlockFile data) {
    this.name = name;
    this.header = header;
    this.mark = mark;
    this.entries = entries;
    this.data = data;
  }

  /** Reads the logs of all ranks that share these files. */
  public static List<LogContent> read(LogName name) throws IOException {
    long size;
    try (SharedFile entries = Storage.standard().open(name.entries(), StandardOpenOption.READ)) {
      size = entries.sizeBytes();
    }
    List<LogContent> contents = new ArrayList<>();
    int sharers = 1;
    for (int place = 0; place < sharers || place == 0; place++) {
      if (place * BlockFile.BLOCK_BYTES >= size) break;
      // A program may have been killed before all ranks had begun their logs.
      try (BlockFile first = BlockFile.open(name.entries(), 0, 1, StandardOpenOption.READ)) {
        ByteBuffer bytes = ByteBuffer.allocate(LogHeader.BYTES);
        if (!first.read(bytes, place * BlockFile.BLOCK_BYTES) || bytes.getLong(0) == 0) continue;
        LogHeader header = LogHeader.decode(bytes, name.entries().toString());
        sharers = header.sharers();
        contents.add(read(name, header, size));
      }
    }
    return contents;
  }

  private static LogContent read(LogName name, LogHeader header, long sizeBytes)
      throws IOException {
    List<LogEntry> entries;
    FileMark mark = null;
    try (BlockFile file =
        BlockFile.open(name.entries(), header.place(), header.sharers(), StandardOpenOption.READ)) {
      ByteBuffer places = ByteBuffer.allocate(FileMark.PLACES * FileMark.BYTES);
      if (file.read(places, LogHeader.MARKS_OFFSET)) mark = FileMark.newest(places);
      entries = entries(file, header.generation(), sizeBytes);
    }
    BlockFile data =
        BlockFile.open(name.data(), header.place(), header.sharers(), StandardOpenOption.READ);
    return new LogContent(name, header, mark, entries, data);
  }

  private static List<LogEntry> entries(BlockFile file, long generation, long sizeBytes)
      throws IOException {
    List<LogEntry> entries = new ArrayList<>();
    long at = LogHeader.BYTES;
    while (true) {
      ByteBuffer prefix = ByteBuffer.allocate(LogEntry.PREFIX_BYTES);
      if (!file.read(prefix, at)) return entries;
      int length = prefix.getInt(0);
      // No memory is allocated for an invalid length.
      if (length <= 0 || length > Math.min(LogEntry.BYTES_MAX, sizeBytes)) return entries;
      ByteBuffer bytes = ByteBuffer.allocate(length);
      if (!file.read(bytes, at + LogEntry.PREFIX_BYTES)) return entries;
      if (prefix.getInt(Integer.BYTES) != LogHeader.checksum(bytes.duplicate())) return entries;
      LogEntry entry = LogEntry.decode(bytes);
      if (entry == null || entry.generation() != generation) return entries;
      entries.add(entry);
      at += LogEntry.PREFIX_BYTES + length;
    }
  }

  public LogName name() {
    return name;
  }

  public LogHeader header() {
    return header;
  }

  /** Whether this log says what its file looked like. */
  public boolean knowsFile() {
    return mark != null;
  }

  /** The mark of the file; null in the second part of a log, and if there is none. */
  @Nullable FileMark mark() {
    return mark;
  }

  public List<LogEntry> entries() {
    return List.copyOf(entries);
  }

  /** Reads data, as it was in the program's memory. */
  public void read(MemorySegment memory, long offset) throws IOException {
    if (!data.read(memory, offset)) {
      throw new NetcdfException(NetcdfError.LOG, name.data() + " ends before the data of an entry");
    }
  }

  /** Throws if the log was restarted since it was read, so that its data may have changed. */
  void requireSameGeneration() throws IOException {
    long generation = -1;
    try (BlockFile file = BlockFile.open(name.entries(), 0, 1, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(LogHeader.BYTES);
      if (file.read(bytes, header.place() * BlockFile.BLOCK_BYTES)) {
        generation = LogHeader.decode(bytes, name.entries().toString()).generation();
      }
    }
    if (generation != header.generation()) {
      throw new BegunAnew(name.entries() + " was flushed to its file while it was read");
    }
  }

  /** Writes the mark of the file. */
  void mark(FileMark newMark) throws IOException {
    try (BlockFile file =
        BlockFile.open(
            name.entries(), header.place(), header.sharers(), StandardOpenOption.WRITE)) {
      long place = (long) newMark.place() * FileMark.BYTES;
      file.write(newMark.encode(), LogHeader.MARKS_OFFSET + place);
      file.publish();
    }
  }

  /** Marks everything in this log, and in logs of lower generations, as done. */
  void invalidate(long generation) throws IOException {
    try (BlockFile file =
        BlockFile.open(
            name.entries(), header.place(), header.sharers(), StandardOpenOption.WRITE)) {
      file.write(header.ofGeneration(generation).encode(), 0);
    }
  }

  /** Whether the data of an entry is intact. */
  public boolean isSound(LogEntry entry) throws IOException {
    CRC32C checksum = new CRC32C();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment chunk = arena.allocate(CHUNK_BYTES);
      for (long at = 0; at < entry.dataBytes(); at += CHUNK_BYTES) {
        MemorySegment part = chunk.asSlice(0, Math.min(CHUNK_BYTES, entry.dataBytes() - at));
        if (!data.read(part, entry.dataOffset() + at)) return false;
        checksum.update(part.asByteBuffer());
      }
    }
    return (int) checksum.getValue() == entry.dataChecksum();
  }

  @Override
  public void close() throws IOException {
    data.close();
  }
}
