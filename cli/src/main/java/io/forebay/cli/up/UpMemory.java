// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.up;

import io.forebay.base.ByteSize;
import io.forebay.server.EmbeddedCluster;
import io.forebay.server.ring.SharedMemory;
import io.forebay.server.settings.BadSetting;
import io.forebay.server.settings.Keys;
import io.forebay.server.settings.Settings;
import io.forebay.store.tier.StoreConfig;
import java.io.IOException;

/**
 * Where the servers of {@code forebay up} keep their memory. Explicit settings are applied or
 * refused; defaults are adapted to a machine with little shared memory, such as a container.
 *
 * @param builder the cluster, with its memory
 * @param sentence a sentence for the user; may be empty
 */
record UpMemory(EmbeddedCluster.Builder builder, String sentence) {
  /** The share of free memory that is used. */
  private static final double SHARE = 0.8;

  static UpMemory choose(EmbeddedCluster.Builder asked, Settings settings)
      throws BadSetting, IOException {
    int servers = settings.get(Keys.SERVERS);
    long memory = settings.get(Keys.UP_MEMORY);
    boolean given =
        settings.isGiven(Keys.UP_MEMORY)
            || settings.isGiven(Keys.MEMORY_ROOT)
            || settings.isGiven(Keys.ANONYMOUS_MEMORY);
    if (memory == 0) return new UpMemory(asked, "");
    if (given || asked.memoryShortage() == null) {
      return new UpMemory(asked, taken(servers * memory) + "; --memory changes that.");
    }
    return fitting(asked, settings, SharedMemory.freeBytes());
  }

  /**
   * With less memory if the minimum for servers is available, else with files on the disk.
   *
   * @param freeBytes in shared memory
   */
  static UpMemory fitting(EmbeddedCluster.Builder asked, Settings settings, long freeBytes)
      throws BadSetting {
    int servers = settings.get(Keys.SERVERS);
    int seats = settings.get(Keys.UP_SEATS);
    long ssd = settings.get(Keys.UP_SSD);
    long seatSegment = seats * settings.get(Keys.UP_SEGMENT);
    long perServer = (long) (freeBytes * SHARE) / servers / seatSegment * seatSegment;
    String little = "'%s' has only %s free".formatted(SharedMemory.DIRECTORY, size(freeBytes));
    String more = "; a container gets more with --shm-size";
    if (perServer >= StoreConfig.SLOTS_MIN * seatSegment) {
      return new UpMemory(
          asked.budget(perServer, ssd),
          "%s, so each server has %s of memory%s.".formatted(little, size(perServer), more));
    }
    return new UpMemory(
        asked.memoryInDirectory(),
        "%s, so the memory tier is in files on the disk, and as slow as the disk%s."
            .formatted(little, more));
  }

  private static String taken(long bytes) {
    return "It takes " + size(bytes) + " of memory from now on, in use or not";
  }

  private static String size(long bytes) {
    return ByteSize.format(bytes);
  }
}
