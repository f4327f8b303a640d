// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.ring.Pool;
import io.forebay.wire.Address;
import io.forebay.wire.UserBounds;
import java.util.List;

/**
 * The configuration of a seat.
 *
 * @param managers the addresses of managers, tried in turn
 * @param server the server that hosts it
 * @param serverSeats how many seats that server hosts
 * @param host the machine's identity, which its clients use too
 * @param logHigh with {@code logLow} the id of the seat's log
 * @param weight its share of new records
 * @param memoryBytes the size of its memory tier, for the status
 * @param ssdBytes the size of its SSD tier, for the status
 * @param creditBytes how many bytes a client may have in flight to this seat
 * @param redirects whether clients are redirected when this seat is short of room
 * @param snapshotBytes the growth of a group's journal before a snapshot of its state
 * @param scrubBytesPerSecond the rate of its checksum scan; 0 for none
 * @param shuffleBytes memory for drained bytes from other seats
 * @param joins whether it joins a running ring
 * @param after the seat behind which it joins; 0 for any
 * @param pool the pool that it belongs to
 * @param users how much of an instance one user may have
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
    int after,
    String pool,
    UserBounds users) {
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

  /** For a seat of the default pool that joins no ring that is formed. */
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
        0,
        Pool.DEFAULT,
        UserBounds.DEFAULT);
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
        behind,
        pool,
        users);
  }

  /** The same for a seat of another pool. */
  public SeatConfig inPool(String other) {
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
        joins,
        after,
        other,
        users);
  }

  /** The same with other bounds of users. */
  public SeatConfig withUsers(UserBounds other) {
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
        joins,
        after,
        pool,
        other);
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
