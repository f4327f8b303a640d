// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.bare;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Where a baseline puts what it receives, one piece after the other and from the beginning again: a
 * mapped file in memory with all pages touched, as segments of a seat are.
 */
public final class LandingRegion {
  private static final int PAGE_BYTES = 4096;

  private final ByteBuffer bytes;
  private int next;

  private LandingRegion(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /**
   * Maps one.
   *
   * @param directory a directory in memory
   */
  public static LandingRegion map(Path directory, int lengthBytes) throws IOException {
    Path file = Files.createTempFile(directory, "bare", null);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer bytes =
          channel
              .map(FileChannel.MapMode.READ_WRITE, 0, lengthBytes, Arena.global())
              .asByteBuffer();
      for (int at = 0; at < lengthBytes; at += PAGE_BYTES) bytes.put(at, (byte) 1);
      return new LandingRegion(bytes);
    } finally {
      Files.delete(file);
    }
  }

  /** All of it. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Room for the next piece. */
  public ByteBuffer place(int payloadBytes) {
    if (next > bytes.capacity() - payloadBytes) next = 0;
    ByteBuffer place = bytes.slice(next, payloadBytes);
    next += payloadBytes;
    return place;
  }
}
