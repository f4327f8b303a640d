// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.SeatId;
import java.util.List;

/**
 * A seat, as an entry of the map.
 *
 * @param server the server that hosts it; copies go to different ones
 * @param host the identity of the machine, so that clients there use its Unix socket
 * @param logHigh with {@code logLow} the id of its log
 * @param incarnation changes when the seat returns without all that it had acknowledged
 * @param start a new random number at each start of its process
 * @param addresses where it listens
 * @param weight its share of new records, relative to the others'
 * @param away whether it has been silent for a while, so that others replaced it
 * @param stay whether it may be a member of groups
 * @param pool the pool that it belongs to; copies stay within it
 * @param keepsBytes the user bytes that it can keep for certain, and so may be promised
 * @param forcedBytes the user bytes of them that it can keep on its SSD
 */
public record SeatEntry(
    SeatId id,
    String server,
    String host,
    long logHigh,
    long logLow,
    long incarnation,
    long start,
    List<String> addresses,
    long memoryBytes,
    long ssdBytes,
    int weight,
    boolean away,
    Stay stay,
    String pool,
    long keepsBytes,
    long forcedBytes) {
  /** Whether groups count on a seat. */
  public enum Stay {
    HERE,
    /** Away for so long that its groups go on with others. */
    GONE,
    /** Other seats are to take over its groups, since the operator asked it to leave. */
    LEAVING,
    /** A tombstone: it marks the place from which its groups start, and is a member of none. */
    LEFT
  }

  /** A seat of the default pool that is here to stay, and keeps as much as its tiers are large. */
  public SeatEntry(
      SeatId id,
      String server,
      String host,
      long logHigh,
      long logLow,
      long incarnation,
      long start,
      List<String> addresses,
      long memoryBytes,
      long ssdBytes,
      int weight,
      boolean away) {
    this(
        id,
        server,
        host,
        logHigh,
        logLow,
        incarnation,
        start,
        addresses,
        memoryBytes,
        ssdBytes,
        weight,
        away,
        Stay.HERE,
        Pool.DEFAULT,
        memoryBytes + ssdBytes,
        ssdBytes);
  }

  public SeatEntry {
    addresses = List.copyOf(addresses);
    if (weight < 1) throw new IllegalArgumentException(id + " has weight " + weight);
  }

  /** The same, away or not. */
  public SeatEntry withAway(boolean now) {
    return with(now, stay);
  }

  /** The same, staying or not. */
  public SeatEntry withStay(Stay now) {
    return with(away, now);
  }

  /** Whether new records may go to its groups, and people may count on it. */
  public boolean takesPart() {
    return stay == Stay.HERE || stay == Stay.GONE;
  }

  private SeatEntry with(boolean nowAway, Stay nowStay) {
    return new SeatEntry(
        id,
        server,
        host,
        logHigh,
        logLow,
        incarnation,
        start,
        addresses,
        memoryBytes,
        ssdBytes,
        weight,
        nowAway,
        nowStay,
        pool,
        keepsBytes,
        forcedBytes);
  }

  /** The same in another pool. */
  public SeatEntry withPool(String other) {
    return new SeatEntry(
        id,
        server,
        host,
        logHigh,
        logLow,
        incarnation,
        start,
        addresses,
        memoryBytes,
        ssdBytes,
        weight,
        away,
        stay,
        other,
        keepsBytes,
        forcedBytes);
  }

  /** The same with other amounts that it can keep. */
  public SeatEntry withKept(long keeps, long forced) {
    return new SeatEntry(
        id,
        server,
        host,
        logHigh,
        logLow,
        incarnation,
        start,
        addresses,
        memoryBytes,
        ssdBytes,
        weight,
        away,
        stay,
        pool,
        keeps,
        forced);
  }
}
