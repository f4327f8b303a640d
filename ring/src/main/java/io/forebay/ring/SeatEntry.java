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
    boolean away) {
  public SeatEntry {
    addresses = List.copyOf(addresses);
    if (weight < 1) throw new IllegalArgumentException(id + " has weight " + weight);
  }

  /** The same, away or not. */
  public SeatEntry withAway(boolean now) {
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
        now);
  }
}
