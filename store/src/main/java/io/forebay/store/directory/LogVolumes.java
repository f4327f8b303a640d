// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory;

import io.forebay.store.StoreOpening;
import io.forebay.store.disk.Disk;
import io.forebay.store.disk.FileDisk;
import io.forebay.store.disk.MemoryDisk;
import io.forebay.store.tier.DyingMemory;
import io.forebay.store.tier.SlotPool;
import io.forebay.store.tier.StoreConfig;
import io.forebay.store.tier.StoreConfig.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The disks of an open log, opened and closed together. Called by the log's owner only. */
final class LogVolumes implements AutoCloseable {
  private static final int THREADS_PER_DISK = 2;
  private static final int PENDING_MAX = 4096;

  private final Runnable wakeUp;
  private final List<Disk> disks = new ArrayList<>();
  private final List<SlotPool.Place> memory = new ArrayList<>();
  private @Nullable Disk ssd;

  private LogVolumes(Runnable wakeUp) {
    this.wakeUp = wakeUp;
  }

  /** Opens disks over existing directories. */
  static LogVolumes open(
      StoreConfig config, Path segments, MemoryHome home, Runnable wakeUp, boolean anonymousMemory)
      throws IOException {
    LogVolumes volumes = new LogVolumes(wakeUp);
    boolean opened = false;
    try {
      if (config.hasSsd()) volumes.ssd = volumes.fileDisk(segments);
      for (Path directory : home.directories()) {
        volumes.memory.add(
            new SlotPool.Place(volumes.fileDisk(directory), true, "'" + directory + "'"));
      }
      // The write buffers of mode SSD hold nothing that counts as kept.
      if (anonymousMemory || config.mode() == Mode.SSD) volumes.addAnonymous(config);
      opened = true;
      return volumes;
    } finally {
      if (!opened) volumes.close();
    }
  }

  StoreOpening.Volumes forStore(DyingMemory dying) {
    return new StoreOpening.Volumes(memory, ssd, dying);
  }

  @Override
  public void close() {
    for (Disk disk : disks) disk.close();
  }

  private void addAnonymous(StoreConfig config) {
    Disk disk = MemoryDisk.direct(config.memoryBytes(), PENDING_MAX, wakeUp);
    disks.add(disk);
    memory.add(new SlotPool.Place(disk, false, "anonymous memory"));
  }

  private Disk fileDisk(Path directory) throws IOException {
    Disk disk = new FileDisk(directory, THREADS_PER_DISK, PENDING_MAX, wakeUp);
    disks.add(disk);
    return disk;
  }
}
