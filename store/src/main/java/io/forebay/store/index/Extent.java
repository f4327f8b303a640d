// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import io.forebay.base.RecordId;

/**
 * A run of a file's bytes that lies in one record.
 *
 * @param offset where in the file the run starts
 * @param lengthBytes how long it is; never 0
 * @param record the record that holds the bytes
 * @param recordOffset where in the record's payload the run starts
 * @param recordBytes the length of the record's whole payload
 * @param publish the number of the publish that placed the record into the file
 * @param group the group that holds the record
 */
public record Extent(
    long offset,
    int lengthBytes,
    RecordId record,
    int recordOffset,
    int recordBytes,
    long publish,
    int group) {
  public Extent {
    if (lengthBytes <= 0 || recordOffset < 0 || recordOffset > recordBytes - lengthBytes) {
      throw new IllegalArgumentException(
          "piece " + recordOffset + "+" + lengthBytes + " leaves its record of " + recordBytes);
    }
    if (offset < recordOffset || offset - recordOffset > Long.MAX_VALUE - recordBytes) {
      throw new IllegalArgumentException(
          "record of "
              + recordBytes
              + ", from "
              + recordOffset
              + " at "
              + offset
              + ", leaves file");
    }
    if (publish < 0) throw new IllegalArgumentException("negative publish number " + publish);
  }

  /** The first offset behind this extent. */
  public long endOffset() {
    return offset + lengthBytes;
  }

  /** The offset of the whole record in the file. */
  public long recordStart() {
    return offset - recordOffset;
  }

  /** Whether this is all of its record, so that no other extent can hold a piece of it. */
  public boolean isWholeRecord() {
    return lengthBytes == recordBytes;
  }

  /** The part of this extent that lies in {@code [fromOffset, toOffset)}, which it must contain. */
  public Extent cut(long fromOffset, long toOffset) {
    int skippedBytes = Math.toIntExact(fromOffset - offset);
    int keptBytes = Math.toIntExact(toOffset - fromOffset);
    return new Extent(
        fromOffset, keptBytes, record, recordOffset + skippedBytes, recordBytes, publish, group);
  }

  /**
   * Whether this extent's bytes prevail where both claim the same offset. The publish number
   * decides, then the client's sequence; the session only settles what no client should produce, so
   * that all replicas settle it alike. No extent is newer than itself.
   */
  public boolean isNewerThan(Extent other) {
    if (publish != other.publish) return publish > other.publish;
    int bySequence = Long.compareUnsigned(record.sequence(), other.record.sequence());
    if (bySequence != 0) return bySequence > 0;
    return Long.compareUnsigned(record.session(), other.record.session()) > 0;
  }
}
