// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

/**
 * What messages and files cost, as measured.
 *
 * @param near messages within a node
 * @param far messages between nodes; the same as near if there is one node
 */
public record MachineCosts(Link near, Link far, StoreCosts store) {
  /**
   * Messages of one kind.
   *
   * @param messageNanos what a message costs apart from its bytes
   * @param bytesPerSecond what a rank receives while all ranks exchange messages
   */
  public record Link(double messageNanos, double bytesPerSecond) {
    double nanos(long messages, long bytes) {
      return messages * messageNanos + bytes / bytesPerSecond * StoreCosts.NANOS;
    }
  }

  MachineCosts withStore(StoreCosts measured) {
    return new MachineCosts(near, far, measured);
  }
}
