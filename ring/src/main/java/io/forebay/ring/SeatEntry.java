// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring;

import io.forebay.base.SeatId;
import java.util.List;

/**
 * A seat as the map has it.
 *
 * @param server the server that hosts it; copies go to different ones
 * @param host the machine, by its name and what tells it from others of that name, so that clients
 *     there use its Unix socket
 * @param logHigh with {@code logLow} the id of its log
 * @param incarnation changes when it came back without all that it had acknowledged
 * @param start drawn anew whenever its process starts
 * @param addresses where it listens
 * @param weight its share of new records, relative to the others'
 * @param away whether nobody has heard of it for a while, so that others took its place
 * @param stay whether it is to be a member of groups
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
    Stay stay) {
  /** Whether groups count on a seat. */
  public enum Stay {
    HERE,
    /** Away for so long that its groups go on with others. */
    GONE,
    /** Its groups are to go on with others, since somebody wants it to go. */
    LEAVING,
    /** A tombstone: it marks the place from which its groups start, and is a member of none. */
    LEFT
  }

  /** A seat that is here to stay. */
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
        Stay.HERE);
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
        nowStay);
  }
}
