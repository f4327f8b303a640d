// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import java.io.IOException;

/** How parallel programs write one file: the offsets of each rank, one rank after the other. */
enum WritePattern {
  /** Each piece after the one before. */
  CONTIGUOUS("contiguous 1MiB") {
    @Override
    void visit(long bytes, Visitor visitor) throws IOException {
      for (long at = 0; at < bytes; at += MIB) {
        visitor.write(0, at, (int) Math.min(MIB, bytes - at));
      }
    }
  },
  /** Ranks that take turns. */
  STRIDED("strided 16KiB") {
    @Override
    void visit(long bytes, Visitor visitor) throws IOException {
      long transfers = bytes / STRIDED_RANKS / TRANSFER_BYTES;
      for (int rank = 0; rank < STRIDED_RANKS; rank++) {
        for (long i = 0; i < transfers; i++) {
          visitor.write(rank, (i * STRIDED_RANKS + rank) * TRANSFER_BYTES, TRANSFER_BYTES);
        }
      }
    }
  },
  /**
   * The array of NAS BT, class B, step behind step: each rank has blocks on a diagonal of the cube,
   * and writes them row by row.
   */
  BTIO("BTIO") {
    @Override
    void visit(long bytes, Visitor visitor) throws IOException {
      long steps = Math.max(1, bytes / STEP_BYTES);
      for (int rank = 0; rank < BLOCKS * BLOCKS; rank++) {
        for (long step = 0; step < steps; step++) {
          for (int z = 0; z < SIDE; z++) visitLayer(rank, step, z, visitor);
        }
      }
    }

    private void visitLayer(int rank, long step, int z, Visitor visitor) throws IOException {
      int blockX = (rank + z / ROWS) % BLOCKS;
      int blockY = (rank / BLOCKS + z / ROWS) % BLOCKS;
      for (int y = blockY * ROWS; y < (blockY + 1) * ROWS; y++) {
        long row = (long) z * SIDE + y;
        visitor.write(rank, step * STEP_BYTES + (row * BLOCKS + blockX) * ROW_BYTES, ROW_BYTES);
      }
    }
  };

  private static final int MIB = 1 << 20;
  private static final int STRIDED_RANKS = 16;
  private static final int TRANSFER_BYTES = 16 << 10;
  private static final int SIDE = 102;
  private static final int BLOCKS = 3;
  private static final int ROWS = SIDE / BLOCKS;
  private static final int ROW_BYTES = ROWS * 5 * Double.BYTES;

  /** One array. */
  static final long STEP_BYTES = (long) SIDE * SIDE * BLOCKS * ROW_BYTES;

  /** Gets every write, in the order of the ranks. */
  interface Visitor {
    void write(int rank, long offset, int bytes) throws IOException;
  }

  private final String text;

  WritePattern(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /** Shows the writes of a file of about that size. */
  abstract void visit(long bytes, Visitor visitor) throws IOException;
}
