// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.state;

import io.forebay.base.ByteSize;
import io.forebay.namespace.tree.outcome.Refused;
import io.forebay.wire.message.ErrorCode;

/**
 * The capacity of a tree, its used bytes, the bytes granted to other trees of the instance, and the
 * bytes promised to sessions. All three together never exceed the capacity.
 */
public final class TreeCapacity {
  /** The capacity of an unlimited tree: enough forever, and sums of it do not overflow. */
  static final long UNLIMITED_BYTES = 1L << 62;

  private long capacityBytes;
  private long usedBytes;
  private long usedBytesMax;
  private long grantedBytes;
  private long promisedBytes;

  /** A capacity of this many bytes; 0 for no limit. */
  TreeCapacity(long capacityBytes) {
    if (capacityBytes < 0) throw new IllegalArgumentException("a capacity of " + capacityBytes);
    this.capacityBytes = capacityBytes;
  }

  public long capacityBytes() {
    return capacityBytes;
  }

  /** The bytes that files hold. */
  public long usedBytes() {
    return usedBytes;
  }

  /** The bytes that files hold, and those that other trees have got. */
  public long takenBytes() {
    return usedBytes + grantedBytes;
  }

  /** The most bytes that files held after a change. */
  public long usedBytesMax() {
    return usedBytesMax;
  }

  public long promisedBytes() {
    return promisedBytes;
  }

  /** Sets the total; it never shrinks. */
  public void grow(long toBytes) {
    if (capacityBytes > 0) capacityBytes = Math.max(capacityBytes, toBytes);
  }

  /**
   * Sets the total, unless it is less than the taken and promised bytes; returns whether it is set.
   * A tree without a limit gets none.
   */
  public boolean resize(long toBytes) {
    if (capacityBytes == 0 || toBytes < 1 || takenBytes() + promisedBytes > toBytes) return false;
    capacityBytes = toBytes;
    return true;
  }

  public long freeBytes() {
    long limit = capacityBytes == 0 ? UNLIMITED_BYTES : Math.min(capacityBytes, UNLIMITED_BYTES);
    return limit - takenBytes() - promisedBytes;
  }

  /** Promises a session the requested room, or all free room if that is less. */
  public long promise(Session session, long wantedBytes) throws Refused {
    long givenBytes = Math.min(wantedBytes, freeBytes());
    if (givenBytes == 0) throw full(wantedBytes);
    session.promisedBytes += givenBytes;
    promisedBytes += givenBytes;
    return givenBytes;
  }

  /** Refuses bytes that exceed both the session's promise and the free room. */
  public void requireFor(Session session, long bytes) throws Refused {
    if (bytes - session.promisedBytes > freeBytes()) throw full(bytes);
  }

  private Refused full(long bytes) {
    return new Refused(
        ErrorCode.NO_SPACE,
        "the instance is full: no room for %s; of %s, %s are used and %s promised to writers; delete some"
            .formatted(
                ByteSize.format(bytes),
                ByteSize.format(capacityBytes),
                ByteSize.format(takenBytes()),
                ByteSize.format(promisedBytes)));
  }

  /** The session publishes bytes: its promise is spent first. */
  public void spend(Session session, long bytes) {
    long spentBytes = Math.min(bytes, session.promisedBytes);
    session.promisedBytes -= spentBytes;
    promisedBytes -= spentBytes;
  }

  /** The session ended. */
  public void giveBack(Session session) {
    promisedBytes -= session.promisedBytes;
    session.promisedBytes = 0;
  }

  /** Adds to the bytes that files hold; negative if they hold fewer. */
  public void addUsed(long bytes) {
    usedBytes += bytes;
  }

  /** Another tree of the instance gets a part of the capacity. */
  public void addGranted(long bytes) {
    grantedBytes += bytes;
  }

  /** A change of files is complete. */
  public void noteMost() {
    usedBytesMax = Math.max(usedBytesMax, usedBytes);
  }

  /** Restores the most bytes that files held. */
  public void restoreMost(long bytes) {
    usedBytesMax = bytes;
  }

  /** Restores a promise from a snapshot. */
  public void restorePromise(Session session, long bytes) {
    session.promisedBytes = bytes;
    promisedBytes += bytes;
  }
}
