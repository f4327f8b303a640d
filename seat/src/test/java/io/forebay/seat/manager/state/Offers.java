// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.state;

import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What seats and users say in tests. */
public final class Offers {
  public static final long GIB = 1L << 30;
  public static final Identity USER = new Identity(1000, List.of(100));
  public static final Identity OTHER = new Identity(2000, List.of(100));

  private static final AtomicLong OPS = new AtomicLong();

  private Offers() {}

  /** A seat's log has the server's number above its own. */
  public static Maps.SeatOffer seat(int server, int seat, long incarnation) {
    return seat(server, seat, incarnation, incarnation);
  }

  /** One of a process that started later than its seat came into being. */
  public static Maps.SeatOffer seat(int server, int seat, long incarnation, long start) {
    return new Maps.SeatOffer(
        server,
        seat,
        incarnation,
        start,
        List.of("10.0.0." + server + ":" + (7000 + seat)),
        GIB,
        2 * GIB,
        1);
  }

  public static Maps.Init init(int server, int seat, int serverSeats) {
    return init(server, serverSeats, 0, seat(server, seat, 1));
  }

  public static Maps.Init init(int server, int serverSeats, long knownEpoch, Maps.SeatOffer seat) {
    return new Maps.Init(0, "s" + server, serverSeats, "host" + server, knownEpoch, seat);
  }

  public static List<Command.Arrival> arrivals(int servers, int seatsEach) {
    List<Command.Arrival> arrivals = new ArrayList<>();
    for (int seat = 1; seat <= seatsEach; seat++) {
      for (int server = 1; server <= servers; server++) arrivals.add(arrival(server, seat, 1));
    }
    return arrivals;
  }

  public static Command.Arrival arrival(int server, int seat, long incarnation) {
    return new Command.Arrival("s" + server, "host" + server, seat(server, seat, incarnation));
  }

  /** A number for a change that nobody has asked for yet. */
  public static long op() {
    return OPS.incrementAndGet();
  }

  public static Maps.CreateInstance create(String name, int copies) {
    return create(op(), name, copies);
  }

  static Maps.CreateInstance create(long op, String name, int copies) {
    return new Maps.CreateInstance(
        op,
        name,
        USER,
        "persistent",
        "shared",
        0,
        copies,
        false,
        "continue",
        "ketama",
        0,
        0,
        "",
        "",
        "",
        false,
        "",
        "everyone",
        "squash",
        0,
        "");
  }
}
