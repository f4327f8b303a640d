// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.bench.Benchmark.Progress;
import io.forebay.bench.Scratch;
import io.forebay.bench.process.ServedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * The common setup of all parts that really drain.
 *
 * @param device a directory on a device
 * @param source the source of all written bytes
 */
record DrainGround(
    DrainScale scale, Scratch scratch, Path device, ByteBuffer source, Progress progress) {
  static final int SERVERS = 3;

  /** In front of a directory: the slow profile. */
  static final String SLOW = "slow+posix:";

  static final String DEVICE = "posix:";

  private static final int SOURCE_BYTES = 64 << 20;
  private static final int BALLAST_BYTES = 8 << 20;

  static DrainGround make(DrainScale scale, Scratch scratch, long seed, Progress progress)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    ByteBuffer source = ByteBuffer.allocateDirect(SOURCE_BYTES);
    for (int at = 0; at < SOURCE_BYTES; at += Long.BYTES) source.putLong(at, random.nextLong());
    return new DrainGround(scale, scratch, scratch.onDevice("ring"), source, progress);
  }

  /** The bytes at an offset of any file, of this length. */
  ByteBuffer bytesAt(long offset, int bytes) {
    // Files differ from place to place, and no piece reaches over the end of the source.
    int from = (int) (offset % (SOURCE_BYTES - bytes)) / Long.BYTES * Long.BYTES;
    return source.slice(from, bytes);
  }

  /** A ring that holds this many bytes in memory, with two copies. */
  ServedCluster cluster(long bytes) throws IOException {
    return ServedCluster.start(
        new ServedCluster.Shape(
                SERVERS, 1, scale.memoryBytes(2 * bytes / SERVERS * 5 / 4), 0, scale.segmentBytes())
            .withBackingRoot(scratch.device()),
        device);
  }

  /** A new directory to drain to. */
  String store(String scheme, String name) throws IOException {
    return scheme + scratch.onDevice(name);
  }

  /**
   * Makes this much memory available to the system's file cache: in virtual machines, memory that
   * was free for a while is slow at its first use.
   */
  void prepareMemory(long bytes) throws IOException {
    Path file = device.resolve("ballast");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long left = bytes; left > 0; ) {
        left -= channel.write(bytesAt(left, (int) Math.min(left, BALLAST_BYTES)));
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
