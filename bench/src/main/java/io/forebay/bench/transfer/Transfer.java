// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.transfer;

/**
 * The pieces of one measurement.
 *
 * @param window the maximum number of unanswered pieces
 */
public record Transfer(int payloadBytes, long count, int window) {
  public static Transfer of(int payloadBytes, long totalBytes, int window) {
    return new Transfer(payloadBytes, Math.max(1, totalBytes / payloadBytes), window);
  }

  public long bytes() {
    return payloadBytes * count;
  }
}
