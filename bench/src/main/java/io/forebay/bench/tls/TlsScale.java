// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import io.forebay.bench.Rounds;
import io.forebay.bench.transfer.Transfer;
import java.util.List;

/**
 * The scale of the measurements.
 *
 * @param warmUpsMax at most so many rounds before the measured ones of each size: the JVMs compile
 *     meanwhile
 * @param bytes bytes of one measurement
 * @param warmUpCalls short calls that each client makes before it is measured
 */
record TlsScale(int rounds, int warmUpsMax, long bytes, int warmUpCalls, int segmentBytes) {
  static final int KIB = 1024;
  static final int MIB = 1024 * KIB;

  /** Lengths of pieces; the first is the one with an aim. */
  static final List<Integer> SIZES = List.of(MIB, 64 * KIB);

  /** Pieces in flight. */
  private static final int WINDOW = 16;

  /** Segments beside those for the data: the reserves, and some in preparation. */
  private static final int SPARE_SEGMENTS = 8;

  static TlsScale full() {
    return new TlsScale(9, 24, 256L * MIB, 16_384, 32 * MIB);
  }

  static TlsScale quick() {
    return new TlsScale(Rounds.COUNT_MIN, 24, 96L * MIB, 5000, 16 * MIB);
  }

  Transfer transfer(int payloadBytes) {
    return Transfer.of(payloadBytes, bytes, WINDOW);
  }

  /** Memory for the bytes of one measurement. */
  int memoryBytes() {
    return Math.toIntExact(bytes + (long) SPARE_SEGMENTS * segmentBytes);
  }
}
