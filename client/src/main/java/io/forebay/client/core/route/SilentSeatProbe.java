// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Distinguishes a silent seat from a slow one:
 *
 * <ol>
 *   <li>A seat that owes an answer is asked whether it lives.
 *   <li>If it does not answer that either, its requests go elsewhere.
 *   <li>The client asks the seat's predecessor on the ring whether it hears from the seat. If not,
 *       the client tells the manager.
 * </ol>
 *
 * <p>Only the manager decides anything about the seat.
 */
final class SilentSeatProbe {
  /** The maximum number of predecessors to ask in turn, since the first may be dead as well. */
  private static final int WITNESSES_MAX = 3;

  /** How long a seat probes another one itself before it says no. */
  private static final long PROBE_NANOS = 500_000_000L;

  private final Timers timers;
  private final MapKeeper maps;
  private final Links links;
  private final Link manager;
  private final long overdueNanos;

  /** How often the time of a seat that was given up doubles, until it is fast again. */
  private static final int DOUBLINGS_MAX = 6;

  /** How often each seat was given up in a row. */
  private final Map<SeatId, Integer> givenUp = new HashMap<>();

  /** Seats that are asked, or reported, at present. */
  private final Set<SeatId> asked = new HashSet<>();

  SilentSeatProbe(Timers timers, MapKeeper maps, Links links, Link manager, long overdueNanos) {
    this.timers = timers;
    this.maps = maps;
    this.links = links;
    this.manager = manager;
    this.overdueNanos = overdueNanos;
  }

  /** A seat has owed an answer for so long that it may be silent. */
  void suspect(SeatId seat) {
    Link link = links.to(seat, Lane.CONTROL);
    if (link == null || !asked.add(seat)) return;
    boolean[] answered = new boolean[1];
    long askedNanos = timers.nanos();
    link.send(
        new Maps.Ping(maps.epoch()),
        null,
        new Link.Reply() {
          @Override
          public void answered(Message message) {
            answered[0] = true;
            if (timers.nanos() - askedNanos < overdueNanos) givenUp.remove(seat);
          }

          @Override
          public void lost(Link.Loss loss) {
            // Found out below.
          }
        });
    timers.after(
        overdueNanos << givenUp.getOrDefault(seat, 0),
        () -> {
          if (answered[0]) asked.remove(seat);
          else silent(seat);
        });
  }

  private void silent(SeatId seat) {
    givenUp.merge(seat, 1, (before, one) -> Math.min(DOUBLINGS_MAX, before + one));
    links.giveUp(seat, "it says nothing");
    maps.ask();
    confirm(seat, witnesses(seat));
  }

  /** Its predecessors, nearest first. */
  private List<SeatId> witnesses(SeatId suspect) {
    RingMap map = maps.map();
    SeatEntry entry = map.seat(suspect);
    List<SeatId> found = new ArrayList<>();
    if (entry == null) return found;
    List<SeatEntry> ring = map.seats();
    int place = ring.indexOf(entry);
    for (int step = 1; step < ring.size() && found.size() < WITNESSES_MAX; step++) {
      SeatEntry before = ring.get(Math.floorMod(place - step, ring.size()));
      if (!before.away()) found.add(before.id());
    }
    return found;
  }

  private void confirm(SeatId suspect, List<SeatId> witnesses) {
    SeatId witness = witnesses.isEmpty() ? null : witnesses.get(0);
    Link link = witness == null ? null : links.to(witness, Lane.CONTROL);
    if (witness == null || link == null) {
      asked.remove(suspect);
      return;
    }
    boolean[] over = new boolean[1];
    Runnable next =
        () -> {
          if (over[0]) return;
          over[0] = true;
          confirm(suspect, witnesses.subList(1, witnesses.size()));
        };
    link.send(
        new Maps.AskAlive(suspect),
        null,
        new Link.Reply() {
          @Override
          public void answered(Message message) {
            if (over[0]) return;
            over[0] = true;
            asked.remove(suspect);
            // A seat that others hear is alive, and only unreachable from this client.
            if (message instanceof Maps.AliveIs is && !is.alive()) report(suspect, witness);
          }

          @Override
          public void lost(Link.Loss loss) {
            next.run();
          }
        });
    // It probes a while itself before it says no.
    timers.after(2 * overdueNanos + PROBE_NANOS, next);
  }

  private void report(SeatId suspect, SeatId witness) {
    SeatEntry entry = maps.map().seat(suspect);
    if (entry == null || entry.away()) return;
    manager.send(
        new Maps.Suspect(suspect, entry.start(), witness, true),
        null,
        new Link.Reply() {
          @Override
          public void answered(Message message) {
            maps.ask();
          }

          @Override
          public void lost(Link.Loss loss) {
            // The seat's neighbours report it too.
          }
        });
  }
}
