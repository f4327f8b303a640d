// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.wire.Address;
import java.util.List;

/**
 * How a seat presents itself, and its bounds.
 *
 * @param managers where managers listen, tried in turn
 * @param server the server that hosts it
 * @param serverSeats how many seats that server hosts
 * @param host the machine, as clients on it know it too
 * @param logHigh with {@code logLow} the id of the seat's log
 * @param weight its share of new records
 * @param memoryBytes what its memory tier may hold, for people
 * @param ssdBytes what its SSD tier may hold, for people
 * @param creditBytes how many bytes a client may have under way to this seat
 * @param redirects whether clients are sent elsewhere when this seat is short of room
 * @param snapshotBytes by how much a group's journal grows before a snapshot is made of its state
 * @param scrubBytesPerSecond how fast it compares what it holds with its checksums; 0 for never
 * @param shuffleBytes memory for what it drains and other seats have
 * @param joins whether it sits down at a ring that is formed
 * @param after behind which seat then; 0 for any
 */
public record SeatConfig(
    List<Address> managers,
    String server,
    int serverSeats,
    String host,
    long logHigh,
    long logLow,
    int weight,
    long memoryBytes,
    long ssdBytes,
    long creditBytes,
    boolean redirects,
    long snapshotBytes,
    long scrubBytesPerSecond,
    long shuffleBytes,
    boolean joins,
    int after) {
  /**
   * The least size of its log's segments: a part of a journal's snapshot must fit into a record, of
   * which a segment holds four at least.
   */
  public static final int SEGMENT_BYTES_MIN = 512 * 1024;

  public static final long CREDIT_BYTES_DEFAULT = 32L * 1024 * 1024;
  public static final long SNAPSHOT_BYTES_DEFAULT = 32L * 1024 * 1024;
  public static final long SCRUB_BYTES_DEFAULT = 4L * 1024 * 1024;
  public static final long SHUFFLE_BYTES_DEFAULT = 256L * 1024 * 1024;

  /** One write of usual length fits. */
  public static final long SHUFFLE_BYTES_MIN = 8L * 1024 * 1024;

  /** For a seat that joins no ring that is formed. */
  public SeatConfig(
      List<Address> managers,
      String server,
      int serverSeats,
      String host,
      long logHigh,
      long logLow,
      int weight,
      long memoryBytes,
      long ssdBytes,
      long creditBytes,
      boolean redirects,
      long snapshotBytes,
      long scrubBytesPerSecond,
      long shuffleBytes) {
    this(
        managers,
        server,
        serverSeats,
        host,
        logHigh,
        logLow,
        weight,
        memoryBytes,
        ssdBytes,
        creditBytes,
        redirects,
        snapshotBytes,
        scrubBytesPerSecond,
        shuffleBytes,
        false,
        0);
  }

  /** The same for a seat that joins a ring, behind that seat or, with 0, any. */
  public SeatConfig joining(int behind) {
    return new SeatConfig(
        managers,
        server,
        serverSeats,
        host,
        logHigh,
        logLow,
        weight,
        memoryBytes,
        ssdBytes,
        creditBytes,
        redirects,
        snapshotBytes,
        scrubBytesPerSecond,
        shuffleBytes,
        true,
        behind);
  }

  public SeatConfig {
    managers = List.copyOf(managers);
    if (managers.isEmpty()) throw new IllegalArgumentException("a seat needs a manager's address");
    if (scrubBytesPerSecond < 0) {
      throw new IllegalArgumentException("a scrub of " + scrubBytesPerSecond + " bytes a second");
    }
    if (shuffleBytes < SHUFFLE_BYTES_MIN) {
      throw new IllegalArgumentException("a shuffle in " + shuffleBytes + " bytes");
    }
    if (serverSeats < 1)
      throw new IllegalArgumentException("a server of " + serverSeats + " seats");
  }
}
