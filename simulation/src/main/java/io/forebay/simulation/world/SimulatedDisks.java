// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.MonotonicClock;
import io.forebay.base.RecordId;
import io.forebay.store.Store;
import io.forebay.store.StoreEvents;
import io.forebay.store.StoreOpening;
import io.forebay.store.disk.Disk;
import io.forebay.store.disk.Faults;
import io.forebay.store.disk.FaultyDisk;
import io.forebay.store.log.LogId;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.recovery.LogMismatch;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The memory file system and the SSD of one simulated machine, and the log on them. */
public final class SimulatedDisks {
  private final StoreConfig config;
  private final LogId log;
  private final SplittableRandom random;
  private final FaultyDisk ssd;
  private FaultyDisk memory;

  SimulatedDisks(StoreConfig config, LogId log, SplittableRandom random) {
    this.config = config;
    this.log = log;
    this.random = random;
    this.memory = disk(true);
    this.ssd = disk(false);
  }

  private FaultyDisk disk(boolean inMemory) {
    return new FaultyDisk(random.split(), inMemory, Long.MAX_VALUE, Faults.NONE);
  }

  /** From now on the SSD misbehaves like this. */
  public void setFaults(Faults faults) {
    ssd.setFaults(faults);
  }

  /** The process that used the disks is dead. */
  void processKilled() {
    memory.killProcess();
    ssd.killProcess();
  }

  /** The machine has restarted: only forced data is left. */
  void memoryLost() {
    memory = disk(true);
    ssd.powerCut();
  }

  /**
   * Flips a bit at a distance before each occurrence of these bytes; returns the number of places.
   */
  int damage(ByteBuffer bytes, int before) {
    int places = 0;
    try {
      for (FaultyDisk disk : List.of(memory, ssd)) {
        for (Disk.FileEntry file : disk.list()) {
          ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(file.bytes()));
          disk.readNow(file.name(), 0, content);
          int at = find(content.flip(), bytes);
          if (at < 0) continue;
          disk.flipBit(file.name(), (long) (at - before) * Byte.SIZE);
          places++;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return places;
  }

  private record Place(FaultyDisk disk, String file, int position, int recordBytes) {}

  /** Flips any bit of a record, its header included, in one of the places where it stands. */
  boolean flipBit(RecordId record, SplittableRandom choice) {
    try {
      List<Place> places = new ArrayList<>();
      for (FaultyDisk disk : List.of(memory, ssd)) {
        for (Disk.FileEntry file : disk.list()) find(disk, file, record, places);
      }
      if (places.isEmpty()) return false;
      Place place = places.get(choice.nextInt(places.size()));
      long bit = choice.nextLong((long) place.recordBytes * Byte.SIZE);
      place.disk.flipBit(place.file, (long) place.position * Byte.SIZE + bit);
      return true;
    } catch (IOException e) {
      // A disk that currently fails reads is skipped.
      return false;
    }
  }

  private static void find(
      FaultyDisk disk, Disk.FileEntry file, RecordId record, List<Place> places)
      throws IOException {
    ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(file.bytes()));
    disk.readNow(file.name(), 0, content);
    content.flip();
    int last = content.limit() - RecordLayout.HEADER_BYTES;
    for (int at = 0; at <= last; at += RecordLayout.ALIGN_BYTES) {
      if (content.getLong(at + RecordLayout.SEQUENCE_OFFSET) != record.sequence()) continue;
      if (content.getLong(at + RecordLayout.SESSION_OFFSET) != record.session()) continue;
      int payloadBytes = content.getInt(at + RecordLayout.PAYLOAD_BYTES_OFFSET);
      places.add(new Place(disk, file.name(), at, (int) RecordLayout.recordBytes(payloadBytes)));
    }
  }

  private static int find(ByteBuffer content, ByteBuffer bytes) {
    for (int at = 0; at <= content.limit() - bytes.remaining(); at++) {
      if (content.slice(at, bytes.remaining()).equals(bytes)) return at;
    }
    return -1;
  }

  /** Opens the log; during the opening the disks do not fail. */
  Store open(MonotonicClock clock) {
    setFaults(Faults.NONE);
    boolean lasting = config.mode() != StoreConfig.Mode.SSD;
    if (!lasting) memory = disk(true);
    StoreOpening.Volumes volumes =
        new StoreOpening.Volumes(
            List.of(new SlotPool.Place(memory, lasting, "memory")), config.hasSsd() ? ssd : null);
    try {
      return StoreOpening.open(config, log, volumes, clock, random.split(), StoreEvents.NONE)
          .store();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (LogMismatch e) {
      throw new IllegalStateException(e);
    }
  }
}
