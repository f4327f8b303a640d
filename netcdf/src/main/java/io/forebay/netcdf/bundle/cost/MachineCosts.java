// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

/**
 * What messages and writes cost, as measured.
 *
 * @param near messages within a node
 * @param far messages between nodes; the same as near if there is one node
 * @param writeAlone bytes a second of one writer alone
 * @param writeTogether bytes a second of all groups' roots together
 * @param createNanos how long it takes to create a file
 */
public record MachineCosts(
    Link near, Link far, double writeAlone, double writeTogether, long createNanos) {
  /**
   * Messages of one kind.
   *
   * @param messageNanos what a message costs apart from its bytes
   * @param bytesPerSecond what a rank receives while all ranks exchange messages
   */
  public record Link(double messageNanos, double bytesPerSecond) {}

  private static final double NANOS = 1e9;

  /** The time of messages that one rank receives one after the other. */
  double messagesNanos(double nearShare, double messages, double bytes) {
    double nearNanos = messages * near.messageNanos + bytes / near.bytesPerSecond * NANOS;
    double farNanos = messages * far.messageNanos + bytes / far.bytesPerSecond * NANOS;
    return nearShare * nearNanos + (1 - nearShare) * farNanos;
  }

  /**
   * The time of writes.
   *
   * @param bytes of the writer that writes the most
   * @param allBytes of all writers, which share what the store takes
   */
  double writeNanos(double bytes, double allBytes) {
    return Math.max(bytes / writeAlone, allBytes / writeTogether) * NANOS;
  }
}
