package io.forebay.base;

/**
 * Names one record for ever: the session that wrote it and its number in that session. Sessions are
 * fresh per process start, so a record id is never used for other bytes.
 */
public record RecordId(long session, long sequence) implements Comparable<RecordId> {
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
