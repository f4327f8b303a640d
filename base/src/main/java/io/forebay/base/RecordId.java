// SPDX-License-Identifier: Apache-2.0

package io.forebay.base;

/**
 * Names one record forever: the session that wrote it and its number in that session. Sessions are
 * fresh per process start, so a record id is never used for other bytes.
 */
public record RecordId(long session, long sequence) implements Comparable<RecordId> {
  /** A record's sequence is the number of its piece times this, plus the attempt at that piece. */
  public static final int ATTEMPTS = 256;

  /** How many other groups its piece was sent to before. */
  public int attempt() {
    return (int) Long.remainderUnsigned(sequence, ATTEMPTS);
  }

  @Override
  public int compareTo(RecordId other) {
    int bySession = Long.compareUnsigned(session, other.session);
    return bySession != 0 ? bySession : Long.compareUnsigned(sequence, other.sequence);
  }

  @Override
  public String toString() {
    return Long.toHexString(session) + "/" + Long.toUnsignedString(sequence);
  }
}
