// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How writes are cut into pieces. A value. Unlike the rest of this package, any thread may cut, so
 * that checksums are computed outside the loop.
 *
 * @param pieceBytesMax no piece is longer
 * @param stripeBytes no piece crosses a multiple of it; 0 for no such bound
 */
public record PieceLayout(int pieceBytesMax, long stripeBytes) {
  public PieceLayout {
    if (pieceBytesMax < 1) throw new IllegalArgumentException("pieces of " + pieceBytesMax);
  }

  /**
   * Cuts the bytes between position and limit and computes the checksums. The bytes must not change
   * until they are acknowledged.
   *
   * @param offset their offset in the file; 0 if they are appended
   */
  public List<Piece> cut(ByteBuffer bytes, long offset) {
    List<Piece> pieces = new ArrayList<>();
    int start = bytes.position();
    int from = 0;
    int all = bytes.remaining();
    while (from < all) {
      int length = (int) Math.min(all - from, longest(offset + from));
      ByteBuffer part = bytes.slice(start + from, length);
      pieces.add(new Piece(from, part, Checksums.of(BlockChecksums.of(part))));
      from += length;
    }
    return pieces;
  }

  /** The maximum length of a piece at this offset. Pieces end at multiples of their length. */
  private long longest(long offset) {
    long longest = pieceBytesMax - offset % pieceBytesMax;
    return stripeBytes == 0 ? longest : Math.min(longest, stripeBytes - offset % stripeBytes);
  }
}
