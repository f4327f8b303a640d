// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.store.log.LogId;
import io.forebay.store.tier.StoreConfig;
import io.forebay.store.tier.StoreConfig.Mode;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The room that a log's memory segments need: its budget and the existing segments. Several logs
 * that share a memory file system must fit together. Stateless; any thread.
 *
 * @param places existing directories for memory segments, the preferred one first
 * @param promisedBytes the memory budget, in whole segments
 * @param takenBytes the bytes of existing segments
 */
public record MemoryRoom(List<Path> places, long promisedBytes, long takenBytes) {
  public MemoryRoom {
    places = List.copyOf(places);
  }

  /** The room that a log with these options needs. */
  public static MemoryRoom of(LogDirectory.Options options) throws LogUnavailable, IOException {
    LogOpening.requireDirectory(options.memoryRoot());
    LogOpening.requireDirectory(options.memoryFallback());
    return of(options, Machine.current(), IdentityFile.read(options.directory()));
  }

  static MemoryRoom of(LogDirectory.Options options, Machine machine, @Nullable LogIdentity was)
      throws LogUnavailable, IOException {
    StoreConfig config = options.config();
    if (config == null || config.mode() == Mode.SSD) return new MemoryRoom(List.of(), 0, 0);
    LogId log = was == null ? new LogId(0, 0) : was.log();
    MemoryHome home = MemoryHome.choose(options, machine, log, config.mode(), was);
    List<Path> places = new ArrayList<>();
    for (Path directory : home.directories()) {
      Path root = directory.getParent();
      if (root != null) places.add(root);
    }
    long promised = (long) config.memorySlots() * config.segmentBytes();
    long taken = Math.min(promised, (long) home.slots() * config.segmentBytes());
    return new MemoryRoom(places, promised, taken);
  }

  /** How much of the budget is not allocated yet. */
  public long missingBytes() {
    return promisedBytes - takenBytes;
  }

  /**
   * Free bytes in the places of a log.
   *
   * @param usable of each file system, counted once
   */
  private long usableBytes(Map<FileStore, Long> usable) throws IOException {
    long bytes = 0;
    Map<FileStore, Long> seen = new LinkedHashMap<>();
    for (Path place : places) {
      FileStore store = Files.getFileStore(place);
      if (!usable.containsKey(store)) usable.put(store, store.getUsableSpace());
      if (seen.put(store, 0L) == null) bytes += usable.getOrDefault(store, 0L);
    }
    return bytes;
  }

  /** Subtracts a log's need from the usable bytes, the preferred place first. */
  private void take(Map<FileStore, Long> usable) throws IOException {
    long wanted = missingBytes();
    for (Path place : places) {
      FileStore store = Files.getFileStore(place);
      long taken = Math.min(wanted, usable.getOrDefault(store, 0L));
      usable.merge(store, -taken, Long::sum);
      wanted -= taken;
    }
  }

  /** Refuses logs that do not find all the memory that their budgets promise. */
  public static void require(List<MemoryRoom> logs) throws LogUnavailable, IOException {
    Map<FileStore, Long> usable = new LinkedHashMap<>();
    long needed = 0;
    long free = 0;
    for (MemoryRoom log : logs) {
      if (log.missingBytes() == 0) continue;
      long left = log.usableBytes(usable);
      needed += log.missingBytes();
      free += Math.min(left, log.missingBytes());
      log.take(usable);
    }
    if (free < needed) throw LogUnavailable.noMemory(places(logs), needed, free);
  }

  private static List<Path> places(List<MemoryRoom> logs) {
    return logs.stream().flatMap(log -> log.places.stream()).distinct().toList();
  }
}
