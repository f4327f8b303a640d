// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Compares the drained files with the ranks' writes, without the ring. */
public final class StoreCheck {
  private StoreCheck() {}

  /** How many bytes of the burst are in the directory as they should be. */
  public static long soundBytes(Burst burst, Path directory) throws IOException {
    BurstPattern pattern = new BurstPattern(burst.seed());
    ByteBuffer expected = BurstPattern.buffer();
    ByteBuffer found = BurstPattern.buffer();
    Map<String, FileChannel> files = new LinkedHashMap<>();
    long soundBytes = 0;
    try {
      for (String name : Checkpoint.files()) {
        files.put(name, FileChannel.open(directory.resolve(name)));
      }
      for (int number = 0; number < burst.recordsPerRank(); number++) {
        for (int rank = 0; rank < DemoPlan.RANKS; rank++) {
          Checkpoint.Spot spot = Checkpoint.spot(rank, number);
          FileChannel file = files.get(spot.file());
          if (file == null) throw new IllegalStateException(spot.file() + " is not open");
          pattern.fill(expected, rank, number);
          read(file, found.clear(), spot.offset());
          if (expected.mismatch(found.flip()) < 0) soundBytes += BurstPattern.RECORD_BYTES;
        }
      }
    } finally {
      for (FileChannel file : files.values()) file.close();
    }
    return soundBytes;
  }

  private static void read(FileChannel file, ByteBuffer into, long offset) throws IOException {
    while (into.hasRemaining()) {
      if (file.read(into, offset + into.position()) < 0) return;
    }
  }
}
