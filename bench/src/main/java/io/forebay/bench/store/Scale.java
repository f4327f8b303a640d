// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.bench.Rounds;
import io.forebay.store.log.RecordLayout;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.tier.StoreConfig;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The scale of the measurements.
 *
 * @param rounds how often each thing is measured
 * @param segmentBytes size of the stores' segments
 * @param payloads sizes of the records that are appended
 * @param appendBytes bytes of one measurement of appends
 * @param forcedNanos the maximum time of one measurement of forced appends
 * @param readPayloads sizes of the records that are read
 * @param readBytes bytes of one measurement of reads
 * @param recoveryBytes bytes to recover
 * @param indexCounts how many entries the indexes have, ascending
 * @param indexOperations one measurement of an index is the mean of at least this many
 */
record Scale(
    int rounds,
    int segmentBytes,
    List<Integer> payloads,
    long appendBytes,
    long forcedNanos,
    List<Integer> readPayloads,
    long readBytes,
    long recoveryBytes,
    List<Integer> indexCounts,
    int indexOperations) {
  static final int KIB = 1024;
  static final int MIB = 1024 * KIB;

  /** Slots beside those for the data: the reserves, a journal, one in preparation. */
  private static final int SPARE_SLOTS = 8;

  private static final List<Integer> PAYLOADS = List.of(4 * KIB, 64 * KIB, MIB, 4 * MIB);
  private static final List<Integer> READ_PAYLOADS = List.of(64 * KIB, MIB);

  static Scale full() {
    return new Scale(
        Rounds.COUNT_MIN,
        StoreConfig.SEGMENT_BYTES_DEFAULT,
        PAYLOADS,
        1024L * MIB,
        TimeUnit.SECONDS.toNanos(1),
        READ_PAYLOADS,
        1024L * MIB,
        1024L * MIB,
        List.of(10_000, 100_000, 1_000_000, 10_000_000),
        1_000_000);
  }

  static Scale quick() {
    return new Scale(
        Rounds.COUNT_MIN,
        17 * MIB,
        PAYLOADS,
        160L * MIB,
        TimeUnit.MILLISECONDS.toNanos(60),
        READ_PAYLOADS,
        160L * MIB,
        160L * MIB,
        List.of(10_000, 100_000, 1_000_000),
        200_000);
  }

  /** Half of the appended bytes, so that the other half spills; but no less than a store needs. */
  long memoryBytes() {
    return Math.max(appendBytes / 2, (long) StoreConfig.SLOTS_MIN * segmentBytes);
  }

  /** A budget that holds this much payload, for records of any size. */
  long budgetBytes(long payloadTotalBytes) {
    long segments = 0;
    for (List<Integer> sizes : List.of(payloads, readPayloads)) {
      for (int payload : sizes) {
        segments = Math.max(segments, segments(payloadTotalBytes / payload, payload));
      }
    }
    return (segments + SPARE_SLOTS) * segmentBytes;
  }

  /** How many segments this many records fill. */
  long segments(long records, int payload) {
    long each = recordsPerSegment(payload);
    return (records + each - 1) / each;
  }

  long recordsPerSegment(int payload) {
    return (segmentBytes - SegmentHeader.BYTES) / RecordLayout.recordBytes(payload);
  }
}
