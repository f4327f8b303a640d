// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.netcdf;

import io.forebay.netcdf.driver.logging.LogContent;
import io.forebay.netcdf.driver.logging.LogName;
import io.forebay.netcdf.driver.logging.LogRecovery;
import io.forebay.netcdf.driver.logging.layout.LogEntry;
import io.forebay.netcdf.format.Header;
import io.forebay.netcdf.format.HeaderReader;
import io.forebay.netcdf.format.NetcdfException;
import io.forebay.netcdf.store.FileNames;
import io.forebay.netcdf.store.SharedFile;
import io.forebay.netcdf.store.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One rank's log with the details for a command. */
final class FoundLog implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 20;

  private final LogContent content;
  private final boolean inUse;
  private final @Nullable Header header;
  private final @Nullable String mismatch;
  private final BitSet sound = new BitSet();

  private FoundLog(
      LogContent content, boolean inUse, @Nullable Header header, @Nullable String mismatch) {
    this.content = content;
    this.inUse = inUse;
    this.header = header;
    this.mismatch = mismatch;
  }

  /** The logs of all ranks that share these files. */
  static List<FoundLog> read(LogName name) throws IOException {
    boolean inUse = name.isUsed();
    List<FoundLog> logs = new ArrayList<>();
    for (LogContent content : LogContent.read(name)) {
      Header header = headerOf(content.header().path());
      logs.add(new FoundLog(content, inUse, header, mismatch(content, inUse, header)));
    }
    return logs;
  }

  private static @Nullable String mismatch(
      LogContent content, boolean inUse, @Nullable Header header) throws IOException {
    // The second part of a log has no mark of the file; the first part has it.
    if (inUse || content.entries().isEmpty() || !content.knowsFile()) return null;
    if (header == null) return "there is no such netCDF file";
    Path file = FileNames.parse(content.header().path());
    return LogRecovery.mismatch(file, header, List.of(content));
  }

  /** The header of the file, which has the names of variables; null if there is none. */
  private static @Nullable Header headerOf(String path) throws IOException {
    try (SharedFile file =
        Storage.standard().open(FileNames.parse(path), StandardOpenOption.READ)) {
      return HeaderReader.read(file.asSource());
    } catch (NoSuchFileException | NetcdfException e) {
      // A log can be looked at without its file.
      return null;
    }
  }

  /** Compares all data with its checksums. */
  void check(LongConsumer progress) throws IOException {
    for (int i = 0; i < content.entries().size(); i++) {
      LogEntry entry = content.entries().get(i);
      sound.set(i, content.isSound(entry));
      progress.accept(entry.dataBytes());
    }
  }

  LogContent content() {
    return content;
  }

  boolean inUse() {
    return inUse;
  }

  /** Why the log does not belong to the file as it is now; null if it does. */
  @Nullable String mismatch() {
    return mismatch;
  }

  /** Whether an entry's data is intact. */
  boolean sound(int entry) {
    return sound.get(entry);
  }

  int damaged() {
    return content.entries().size() - sound.cardinality();
  }

  boolean isSound() {
    return damaged() == 0;
  }

  long dataBytes() {
    long total = 0;
    for (LogEntry entry : content.entries()) total += entry.dataBytes();
    return total;
  }

  /** The name of an entry's variable; its number if the file does not exist. */
  String variable(LogEntry entry) {
    boolean known = header != null && entry.variable() < header.variables().size();
    return known && header != null
        ? header.variables().get(entry.variable()).name()
        : "#" + entry.variable();
  }

  /** All elements of an entry, in the order of the program's memory. */
  void elements(LogEntry entry, Consumer<Object> each) throws IOException {
    byte[] piece = new byte[(int) Math.min(PIECE_BYTES, entry.dataBytes())];
    for (long at = 0; at < entry.dataBytes(); at += PIECE_BYTES) {
      int bytes = (int) Math.min(PIECE_BYTES, entry.dataBytes() - at);
      content.read(MemorySegment.ofArray(piece).asSlice(0, bytes), entry.dataOffset() + at);
      ByteBuffer values = ByteBuffer.wrap(piece, 0, bytes).order(content.header().order());
      while (values.hasRemaining()) each.accept(DumpJson.value(values, entry.type()));
    }
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
