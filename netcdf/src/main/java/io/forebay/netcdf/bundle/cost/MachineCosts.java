// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

/**
 * What messages and writes cost, as measured.
 *
 * @param near messages within a node
 * @param far messages between nodes; the same as near if there is one node
 * @param writeAlone bytes a second of one writer alone
 * @param writeTogether bytes a second of all groups' roots together
 * @param writersTogether how many of them there were
 * @param createNanos how long it takes to create a file
 */
public record MachineCosts(
    Link near,
    Link far,
    double writeAlone,
    double writeTogether,
    int writersTogether,
    long createNanos) {
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

  /** The time in which one of several writers writes this much. */
  double writeNanos(double bytes, int writers) {
    double each = Math.min(writeAlone, writeTogether / Math.max(1, writers));
    // Writers that do not share anything each have their own rate.
    if (writeTogether >= writeAlone * writersTogether) each = writeAlone;
    return bytes / each * NANOS;
  }
}
