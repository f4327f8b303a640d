// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory.inspect;

import io.forebay.store.StoreOpening;
import io.forebay.store.directory.DirectoryLock;
import io.forebay.store.directory.IdentityFile;
import io.forebay.store.directory.LogDirectory;
import io.forebay.store.directory.LogIdentity;
import io.forebay.store.directory.LogUnavailable;
import io.forebay.store.directory.Machine;
import io.forebay.store.directory.MemoryHome;
import io.forebay.store.directory.SlotFiles;
import io.forebay.store.disk.Disk;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordCodec;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.log.RecordType;
import io.forebay.store.recovery.LogMismatch;
import io.forebay.store.recovery.SegmentScan;
import io.forebay.store.recovery.SlotScanner;
import io.forebay.store.tier.StoreConfig.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads every byte of a log that is not open, and changes nothing: the log cannot be opened at the
 * same time, but no file is created or written. Blocks; belongs to one thread.
 */
public final class LogReading {
  /** Told how far reading has come. */
  public interface Watcher {
    void read(long bytes, long totalBytes);
  }

  private record Slots(Path directory, String prefix, boolean memory) {}

  private final Watcher watcher;
  private final LogAssembly assembly = new LogAssembly();
  private final RecordCodec codec = new RecordCodec();
  private final SlotScanner scanner;
  private final List<Slots> places = new ArrayList<>();
  private final ByteBuffer head = ByteBuffer.allocate(RecordLayout.HEADER_BYTES);
  private long totalBytes;
  private long readBytes;

  private LogReading(Path directory, LogIdentity identity, Watcher watcher) {
    this.watcher = watcher;
    this.scanner = new SlotScanner(identity.log(), identity.segmentBytes());
    if (identity.mode() != Mode.MEMORY) {
      places.add(new Slots(LogDirectory.segmentsOf(directory), StoreOpening.SSD_PREFIX, false));
    }
    for (Path memory : MemoryHome.standing(identity).directories()) {
      places.add(new Slots(memory, StoreOpening.MEMORY_PREFIX, true));
    }
  }

  /** Reads the whole log in that directory. */
  public static LogInspection inspect(Path directory, Watcher watcher)
      throws LogUnavailable, IOException {
    return inspect(directory, Machine.current(), watcher);
  }

  public static LogInspection inspect(Path directory, Machine machine, Watcher watcher)
      throws LogUnavailable, IOException {
    Path absolute = directory.toAbsolutePath();
    IdentityFile.require(absolute);
    DirectoryLock lock = DirectoryLock.toRead(absolute);
    try {
      LogIdentity identity = IdentityFile.require(absolute);
      return new LogReading(absolute, identity, watcher).read(view(absolute, identity, machine));
    } catch (LogMismatch mismatch) {
      throw new LogUnavailable(
          "'%s' cannot be read: %s".formatted(absolute, mismatch.getMessage()), mismatch);
    } finally {
      lock.close();
    }
  }

  private static LogInspection.Identity view(
      Path directory, LogIdentity identity, Machine machine) {
    List<Path> memory = new ArrayList<>();
    if (!identity.memory().isEmpty()) memory.add(Path.of(identity.memory()));
    if (!identity.memoryFallback().isEmpty()) memory.add(Path.of(identity.memoryFallback()));
    return new LogInspection.Identity(
        directory,
        identity.log(),
        identity.mode(),
        identity.segmentBytes(),
        memory,
        MemoryHome.allThere(identity),
        machine.sameBoot(identity.bootId()),
        identity.anonymous(),
        identity.lost());
  }

  private LogInspection read(LogInspection.Identity view) throws IOException, LogMismatch {
    for (Slots place : places) {
      for (Path slot : SlotFiles.list(place.directory, place.prefix)) {
        totalBytes += Files.size(slot);
      }
    }
    List<LogInspection.Tier> tiers = new ArrayList<>();
    for (Slots place : places) tiers.add(read(place));
    return assembly.assemble(view, tiers);
  }

  private LogInspection.Tier read(Slots place) throws IOException, LogMismatch {
    int slots = 0;
    int free = 0;
    long bytes = 0;
    if (Files.isDirectory(place.directory)) {
      try (ReadOnlyDisk disk = new ReadOnlyDisk(place.directory)) {
        for (Disk.FileEntry slot : disk.list()) {
          if (!slot.name().startsWith(place.prefix)) continue;
          slots++;
          bytes += slot.bytes();
          if (!take(disk, slot, place.memory)) free++;
          readBytes += slot.bytes();
          watcher.read(readBytes, totalBytes);
        }
      }
    }
    return new LogInspection.Tier(place.memory ? "memory" : "SSD", slots, free, bytes);
  }

  /** Reads a slot; returns whether it holds a segment. */
  private boolean take(ReadOnlyDisk disk, Disk.FileEntry slot, boolean memory)
      throws IOException, LogMismatch {
    switch (scanner.scan(disk, slot)) {
      case SlotScanner.Content.Free free -> {
        return false;
      }
      case SlotScanner.Content.Segment segment -> {
        SegmentScan scan = segment.scan();
        LogAssembly.Scanned scanned = new LogAssembly.Scanned(scan, offsets(disk, slot, scan));
        if (memory) assembly.addMemory(scanned);
        else assembly.addSsd(scanned);
      }
      case SlotScanner.Content.Unknown unknown -> assembly.addUnknown(unknown.finding());
    }
    return true;
  }

  /** A scan leaves out the file offsets of records, so the headers are read again. */
  private long[] offsets(ReadOnlyDisk disk, Disk.FileEntry slot, SegmentScan scan)
      throws IOException {
    RecordTable table = scan.table();
    long[] offsets = new long[table.size()];
    int end = scan.header().segmentBytes();
    for (int entry = 0; entry < offsets.length; entry++) {
      if (table.type(entry) != RecordType.DATA) continue;
      int position = table.position(entry);
      disk.readNow(slot.name(), position, head.clear());
      RecordHeader record = codec.headerAt(head, 0, position, end, scan.header().generation());
      if (record != null) offsets[entry] = record.offset();
    }
    return offsets;
  }
}
