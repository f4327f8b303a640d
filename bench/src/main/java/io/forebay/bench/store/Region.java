// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A baseline for a store's memory: of the same size, mapped from files in the same place in pieces
 * of the same size, with all pages touched.
 */
final class Region implements AutoCloseable {
  private final Arena arena = Arena.ofShared();
  private final int pieceBytes;
  private final List<ByteBuffer> pieces = new ArrayList<>();

  Region(Path directory, int pieceBytes, long totalBytes) throws IOException {
    this.pieceBytes = pieceBytes;
    for (long made = 0; made < totalBytes; made += pieceBytes) {
      Path file = directory.resolve("region-" + pieces.size());
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        PrewrittenFile.fill(channel, pieceBytes);
        ByteBuffer piece =
            channel.map(FileChannel.MapMode.READ_WRITE, 0, pieceBytes, arena).asByteBuffer();
        for (int at = 0; at < pieceBytes; at += Scale.KIB) piece.put(at, (byte) 1);
        pieces.add(piece);
      }
    }
  }

  /** Sees one place for a payload after another. */
  interface Visitor {
    void place(ByteBuffer piece, int position);
  }

  /** Visits this many places of that size, in order. */
  void walk(int payloadBytes, long count, Visitor visitor) {
    int each = pieceBytes / payloadBytes;
    for (long i = 0; i < count; i++) {
      visitor.place(pieces.get((int) (i / each)), (int) (i % each) * payloadBytes);
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
