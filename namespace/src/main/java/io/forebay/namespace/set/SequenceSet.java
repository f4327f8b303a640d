// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.set;

/**
 * Sequences of one session's records. A sequence is a piece's number times 256 plus the attempt,
 * nearly always 0; turned so that the attempt comes first, the pieces of a session are a run.
 */
public final class SequenceSet {
  private static final int ATTEMPT_BITS = 8;
  private static final long PIECES = 1L << (Long.SIZE - ATTEMPT_BITS);
  private static final long PIECE_MASK = PIECES - 1;

  private final LongRanges turned = new LongRanges();

  /** Whether b's piece is the one that follows a's, so that no other piece lies between them. */
  public static boolean follows(long a, long b) {
    return (b >>> ATTEMPT_BITS) == (a >>> ATTEMPT_BITS) + 1;
  }

  public boolean isEmpty() {
    return turned.isEmpty();
  }

  public boolean contains(long sequence) {
    return turned.contains(turn(sequence));
  }

  /** The number of the piece that this sequence is an attempt of. */
  public static long pieceOf(long sequence) {
    return sequence >>> ATTEMPT_BITS;
  }

  /** Whether this sequence or another attempt of its piece is in the set. */
  public boolean containsPieceOf(long sequence) {
    if (contains(sequence)) return true;
    long piece = pieceOf(sequence);
    // From one attempt that any piece needed to the next: there are few.
    Long next = turned.firstFrom(Long.MIN_VALUE);
    while (next != null) {
      long attempt = next & ~PIECE_MASK;
      if (turned.contains(attempt | piece)) return true;
      next = attempt == (Long.MAX_VALUE & ~PIECE_MASK) ? null : turned.firstFrom(attempt + PIECES);
    }
    return false;
  }

  /** Adds a sequence; false if it was there. */
  public boolean add(long sequence) {
    return turned.add(turn(sequence));
  }

  /** Takes a sequence out; false if it was not there. */
  public boolean remove(long sequence) {
    return turned.remove(turn(sequence));
  }

  /** The set as ranges, in the form in which {@link #addRange} takes them. */
  public void forEachRange(LongRanges.Visitor visitor) {
    turned.forEach(visitor);
  }

  /** Brings back a range that {@link #forEachRange} showed. */
  public void addRange(long first, long last) {
    turned.add(first, last);
  }

  private static long turn(long sequence) {
    return Long.rotateRight(sequence, ATTEMPT_BITS);
  }
}
