// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf.mode;

import io.forebay.bench.netcdf.mode.ExtentTree.Extent;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * One rank's log of bytes with the offset, length and position of each extent. It is deleted when
 * it is closed. One rank's thread.
 */
final class ExtentLog implements AutoCloseable {
  private static final int NOTE_NUMBERS = 3;
  private static final int NOTE_BYTES = NOTE_NUMBERS * Long.BYTES;

  private final Path dataFile;
  private final Path noteFile;
  private final FileChannel data;
  private final FileChannel notes;
  private long dataEnd;
  private long notesEnd;

  /** Notes of the current request. */
  private long[] pending = new long[NOTE_NUMBERS * 16];

  private int count;

  ExtentLog(Path directory, String name, int rank) throws IOException {
    dataFile = directory.resolve("%s-logfs-%d.data".formatted(name, rank));
    noteFile = directory.resolve("%s-logfs-%d.index".formatted(name, rank));
    data = open(dataFile);
    try {
      notes = open(noteFile);
    } catch (IOException e) {
      data.close();
      throw e;
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  /** Appends bytes; returns their place. */
  long append(MemorySegment bytes) throws IOException {
    long place = dataEnd;
    FileBytes.write(data, bytes, place);
    dataEnd += bytes.byteSize();
    return place;
  }

  /** Notes where bytes belong that were appended. */
  void note(long offset, long bytes, long place) {
    if (NOTE_NUMBERS * count == pending.length) {
      pending = Arrays.copyOf(pending, 2 * pending.length);
    }
    pending[NOTE_NUMBERS * count] = offset;
    pending[NOTE_NUMBERS * count + 1] = bytes;
    pending[NOTE_NUMBERS * count + 2] = place;
    count++;
  }

  /** Appends the notes of this request. */
  void writeNotes() throws IOException {
    ByteBuffer encoded = ByteBuffer.allocateDirect(count * NOTE_BYTES);
    encoded.asLongBuffer().put(pending, 0, NOTE_NUMBERS * count);
    FileBytes.write(notes, MemorySegment.ofBuffer(encoded), notesEnd);
    notesEnd += (long) count * NOTE_BYTES;
  }

  /** Hands over the notes of this request and forgets them. */
  void takeNotes(Consumer<Extent> sink) {
    for (int i = 0; i < NOTE_NUMBERS * count; i += NOTE_NUMBERS) {
      sink.accept(new Extent(pending[i], pending[i + 1], pending[i + 2]));
    }
    count = 0;
  }

  /** Reads the bytes of extents, one behind the other; what lies side by side, at once. */
  void read(MemorySegment memory, List<Extent> extents) throws IOException {
    long at = 0;
    int next = 0;
    while (next < extents.size()) {
      Extent first = extents.get(next++);
      long bytes = first.bytes();
      while (next < extents.size() && extents.get(next).place() == first.place() + bytes) {
        bytes += extents.get(next++).bytes();
      }
      FileBytes.fill(data, memory.asSlice(at, bytes), first.place());
      at += bytes;
    }
  }

  /** Empties the log. */
  void clear() {
    dataEnd = 0;
    notesEnd = 0;
  }

  @Override
  public void close() throws IOException {
    try (data;
        notes) {
      Files.deleteIfExists(dataFile);
      Files.deleteIfExists(noteFile);
    }
  }
}
