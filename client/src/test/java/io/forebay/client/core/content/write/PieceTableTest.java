// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Checksums;
import io.forebay.testing.TestSeed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PieceTableTest {
  private static final int FILE_BYTES = 60;
  private static final int STEPS = 5000;

  private final PieceTable table = new PieceTable();
  private final List<Piece> placed = new ArrayList<>();
  private long number;

  private Piece place(int offset, int lengthBytes) {
    Piece piece = new Piece(0, ByteBuffer.allocate(lengthBytes), Checksums.of(new int[0]));
    piece.place(offset, false, ++number);
    table.put(piece);
    placed.add(piece);
    return piece;
  }

  private void withdraw(Piece piece) {
    placed.remove(piece);
    table.withdraw(piece, placed);
  }

  /** Which piece each byte comes from, by laying all over each other. */
  private @Nullable Piece[] expected() {
    @Nullable Piece[] bytes = new Piece[FILE_BYTES];
    for (Piece piece : placed) {
      for (long at = piece.offset(); at < piece.endOffset(); at++) bytes[(int) at] = piece;
    }
    return bytes;
  }

  private @Nullable Piece[] found() {
    @Nullable Piece[] bytes = new Piece[FILE_BYTES];
    for (PieceTable.Part part : table.between(0, FILE_BYTES)) {
      for (long at = part.offset(); at < part.endOffset(); at++) {
        assertThat(bytes[(int) at]).as("one piece for each byte").isNull();
        assertThat(part.piece().offset() + part.pieceOffset()).isEqualTo(part.offset());
        bytes[(int) at] = part.piece();
      }
    }
    return bytes;
  }

  @Test
  void whatAPieceHidIsSeenAgainWhenItIsWithdrawn() {
    Piece under = place(0, 10);
    Piece failed = place(2, 4);
    withdraw(failed);
    for (int at = 0; at < 10; at++) assertThat(found()[at]).isSameAs(under);
  }

  @Test
  void anyOrderOfPiecesComesToWhatAModelSays() {
    long seed = TestSeed.first("PieceTableTest");
    System.out.println("PieceTableTest: -Dforebay.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int step = 0; step < STEPS; step++) {
      if (placed.isEmpty() || random.nextInt(100) < 52) {
        int offset = random.nextInt(FILE_BYTES - 1);
        place(offset, 1 + random.nextInt(FILE_BYTES - offset));
      } else if (random.nextBoolean()) {
        withdraw(placed.get(random.nextInt(placed.size())));
      } else {
        // Published: the oldest leaves, and nothing stands under it.
        table.remove(placed.remove(0));
      }
      assertThat(found()).containsExactly(expected());
    }
  }
}
