// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import io.forebay.bench.Rounds;
import io.forebay.bench.transfer.Transfer;
import java.util.ArrayList;
import java.util.List;

/**
 * How much is measured.
 *
 * @param bytes of one measurement
 * @param messagesMax a measurement with short messages ends after that many
 * @param powers the lengths of messages, as powers of two
 * @param threads at a device and a backing store
 */
record PathScale(
    int rounds,
    int warmUps,
    long bytes,
    long messagesMax,
    int segmentBytes,
    List<Integer> powers,
    List<Integer> threads) {
  private static final int KIB = 1024;
  static final int MIB = 1024 * KIB;

  /** Bytes that a client has in flight at most, of its own window. */
  private static final int WINDOW_BYTES = 16 * MIB;

  private static final int WINDOW_MAX = 16;

  /** NetPIPE's perturbation: this many bytes more than a power of two. */
  private static final int ODD_BYTES = 3;

  static PathScale full() {
    return new PathScale(
        5,
        1,
        256L * MIB,
        100_000,
        16 * MIB,
        List.of(6, 10, 12, 14, 16, 18, 20, 22, 24),
        List.of(1, 2, 4, 8));
  }

  static PathScale quick() {
    return new PathScale(
        Rounds.COUNT_MIN, 1, 32L * MIB, 20_000, 16 * MIB, List.of(6, 12, 16, 20), List.of(1, 4));
  }

  /** All lengths of messages: powers of two, and a little more than each. */
  List<Integer> messageBytes() {
    List<Integer> all = new ArrayList<>();
    for (int power : powers) {
      all.add(1 << power);
      all.add((1 << power) + ODD_BYTES);
    }
    return all;
  }

  /** How many messages of that length one of several streams sends. */
  long messages(int messageBytes, int streams) {
    return Math.clamp(bytes / messageBytes / streams, 1, Math.max(1, messagesMax / streams));
  }

  /** What one of several clients moves. */
  Transfer transfer(int payloadBytes, int clients) {
    int window = Math.clamp(WINDOW_BYTES / payloadBytes, 1, WINDOW_MAX);
    return new Transfer(payloadBytes, messages(payloadBytes, clients), window);
  }
}
