// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import io.forebay.base.Checksums;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.rule.Rule;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A run of bytes that is written as one record. Its boundaries and checksums are fixed when it is
 * cut; which group keeps it may change until it is acknowledged.
 */
public final class Piece {
  private final int relativeOffset;
  private final int lengthBytes;
  private final Checksums checksums;
  private @Nullable ByteBuffer bytes;
  private long offset;
  private boolean appended;
  private long number;
  private int attempt;
  private @Nullable GroupId group;

  Piece(int relativeOffset, ByteBuffer bytes, Checksums checksums) {
    this.relativeOffset = relativeOffset;
    this.lengthBytes = bytes.remaining();
    this.bytes = bytes;
    this.checksums = checksums;
  }

  /** Gives it its place: from now on it is part of a file, behind all pieces placed before. */
  public void place(long writeOffset, boolean atEnd, long pieceNumber) {
    offset = writeOffset + relativeOffset;
    appended = atEnd;
    number = pieceNumber;
  }

  /**
   * The offset in the file; for an appended piece, the offset among all appended bytes of this
   * client.
   */
  public long offset() {
    return offset;
  }

  public boolean isAppended() {
    return appended;
  }

  public int lengthBytes() {
    return lengthBytes;
  }

  public long endOffset() {
    return offset + lengthBytes;
  }

  Checksums checksums() {
    return checksums;
  }

  public long number() {
    return number;
  }

  /** The bytes, as long as this client has them. */
  public @Nullable ByteBuffer bytes() {
    return bytes;
  }

  int attempt() {
    return attempt;
  }

  public GroupId group() {
    if (group == null) throw new IllegalStateException("piece " + number + " has no group yet");
    return group;
  }

  boolean hasGroup() {
    return group != null;
  }

  /** Its first group. */
  void sendTo(GroupId to) {
    group = to;
  }

  /** Another group gets another record; false if there have been too many. */
  boolean moveTo(GroupId other) {
    int next = nextAttempt();
    if (next >= RecordId.ATTEMPTS) return false;
    group = other;
    attempt = next;
    return true;
  }

  /** The next attempt to write a piece elsewhere has a record id of its own (P3). */
  @Rule("P3")
  private int nextAttempt() {
    return attempt + 1;
  }

  public long sequence() {
    return number * RecordId.ATTEMPTS + attempt;
  }

  public RecordId record(long session) {
    return new RecordId(session, sequence());
  }

  /** The piece is stored elsewhere, or lost: returns the memory to its owner. */
  public void letGo() {
    bytes = null;
  }
}
