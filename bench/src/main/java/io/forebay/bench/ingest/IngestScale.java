// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

import io.forebay.bench.Rounds;
import io.forebay.bench.transfer.Transfer;
import io.forebay.store.tier.StoreConfig;
import java.util.List;

/**
 * The scale of the measurements.
 *
 * @param warmUps rounds before the measured ones
 * @param bytes bytes of one measurement with long pieces
 * @param shortBytes bytes of one measurement with pieces shorter than 64 KiB
 * @param calls how many calls one measurement of latency or of pairs makes
 * @param warmUpCalls short calls that each client makes before it is measured
 * @param all whether cases without a target are measured too
 */
record IngestScale(
    int rounds,
    int warmUps,
    long bytes,
    long shortBytes,
    int calls,
    int warmUpCalls,
    int segmentBytes,
    boolean all) {
  static final int KIB = 1024;
  static final int MIB = 1024 * KIB;
  static final List<Integer> SIZES = List.of(4 * KIB, 64 * KIB, MIB, 4 * MIB);

  /** Pieces in flight; with 1 MiB pieces, half of a client's own window. */
  static final int WINDOW = 16;

  /** Segments beside those for the data: the reserves, and some in preparation. */
  private static final int SPARE_SEGMENTS = 8;

  static IngestScale full() {
    return new IngestScale(
        7, 3, 512L * MIB, 64L * MIB, 2000, 16_384, StoreConfig.SEGMENT_BYTES_DEFAULT, true);
  }

  static IngestScale quick() {
    return new IngestScale(
        Rounds.COUNT_MIN, 2, 256L * MIB, 32L * MIB, 500, 10_000, 32 * MIB, false);
  }

  Transfer transfer(int payloadBytes) {
    return Transfer.of(payloadBytes, payloadBytes < 64 * KIB ? shortBytes : bytes, WINDOW);
  }

  /** Memory for this many bytes of payload. */
  long memoryBytes(long payloadBytes) {
    return payloadBytes + (long) SPARE_SEGMENTS * segmentBytes;
  }
}
