// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

/**
 * How collective requests are carried out.
 *
 * @param aggregators how many ranks read and write for all; 0 for two on each node
 * @param windowBytes how much of the file an aggregator works on at a time
 * @param stripeBytes the file is cut between aggregators at multiples of this
 */
public record DirectSettings(int aggregators, int windowBytes, int stripeBytes) {
  /** Settings that suit most stores. */
  public static final DirectSettings DEFAULT = new DirectSettings(0, 16 << 20, 1 << 20);

  private static final int WINDOW_BYTES_MIN = 4 << 10;
  private static final int WINDOW_BYTES_MAX = 1 << 30;

  public DirectSettings {
    if (aggregators < 0) throw new IllegalArgumentException("cb_nodes: " + aggregators);
    if (windowBytes < WINDOW_BYTES_MIN || windowBytes > WINDOW_BYTES_MAX) {
      throw new IllegalArgumentException(
          "cb_buffer_size: %d is not between %d and %d"
              .formatted(windowBytes, WINDOW_BYTES_MIN, WINDOW_BYTES_MAX));
    }
    if (stripeBytes <= 0) throw new IllegalArgumentException("striping_unit: " + stripeBytes);
  }
}
