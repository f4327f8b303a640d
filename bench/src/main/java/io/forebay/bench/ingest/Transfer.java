// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ingest;

/**
 * What is moved in one measurement.
 *
 * @param window how many pieces are unanswered at most
 */
record Transfer(int payloadBytes, long count, int window) {
  static Transfer of(int payloadBytes, long totalBytes, int window) {
    return new Transfer(payloadBytes, Math.max(1, totalBytes / payloadBytes), window);
  }

  long bytes() {
    return payloadBytes * count;
  }
}
