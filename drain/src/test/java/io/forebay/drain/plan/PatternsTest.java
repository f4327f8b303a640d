// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.plan;

import static io.forebay.drain.plan.Plans.MIB;
import static io.forebay.drain.plan.Plans.participants;
import static io.forebay.drain.plan.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.drain.reorder.Pieces;
import io.forebay.drain.reorder.Reordering;
import io.forebay.drain.reorder.Requests;
import org.junit.jupiter.api.Test;

/** Patterns that parallel programs write: whatever they look like, the store gets large writes. */
class PatternsTest {
  private static final long WRITE_BYTES_AIM = 4 * MIB;

  @Test
  void stridedTransfers() {
    int ranks = 16;
    int transferBytes = 16 << 10;
    Requests requests = new Requests(0);
    for (int rank = 0; rank < ranks; rank++) {
      requests.begin(1, rank);
      for (int i = 0; i < 1024; i++) {
        requests.add(
            (i * (long) ranks + rank) * transferBytes,
            transferBytes,
            rank,
            (long) i * transferBytes);
      }
    }
    check(requests, 1);
  }

  /**
   * Diagonal multi-partitioning as in NAS BT: a cube of cells of five doubles, each rank has
   * several blocks of it, on a diagonal, and writes rows of each; one array per step.
   */
  @Test
  void diagonalBlocksOfACube() {
    int side = 48;
    int blocks = 4; // In each direction; as many ranks squared.
    int cellBytes = 5 * Double.BYTES;
    int steps = 10;
    int rowBytes = side / blocks * cellBytes;
    long stepBytes = (long) side * side * side * cellBytes;
    Requests requests = new Requests(0);
    for (int step = 0; step < steps; step++) {
      for (int rank = 0; rank < blocks * blocks; rank++) {
        requests.begin(step, rank);
        long sourceOffset = step * stepBytes / ((long) blocks * blocks);
        for (int z = 0; z < side; z++) {
          int layer = z / (side / blocks);
          int blockX = (rank % blocks + layer) % blocks;
          int blockY = (rank / blocks + layer) % blocks;
          for (int y = 0; y < side / blocks; y++) {
            long row = (long) z * side + (long) blockY * (side / blocks) + y;
            long offset = step * stepBytes + row * side * cellBytes + (long) blockX * rowBytes;
            requests.add(offset, rowBytes, rank, sourceOffset);
            sourceOffset += rowBytes;
          }
        }
      }
    }
    check(requests, steps);
  }

  private static void check(Requests requests, int groups) {
    Reordering.Reordered reordered = Reordering.reorder(requests);
    assertThat(reordered.interleavedGroups()).isEqualTo(groups);
    Pieces pieces = reordered.pieces();
    assertThat(pieces.dataBytes()).isEqualTo(pieces.endOffset());
    for (WriteRules rules :
        new WriteRules[] {
          WriteRules.fileSystem(MIB),
          WriteRules.numberedParts(5 * MIB, 10_000),
          WriteRules.oneAppender()
        }) {
      DrainPlan plan = plan(pieces, pieces.endOffset(), rules, participants(3, 2));
      assertThat(plan.writtenBytes() / plan.writeCount()).isGreaterThanOrEqualTo(WRITE_BYTES_AIM);
    }
  }
}
