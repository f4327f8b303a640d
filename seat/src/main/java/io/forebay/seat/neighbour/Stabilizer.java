// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.neighbour;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Loop;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.Links;
import io.forebay.seat.peer.ManagerLink;
import io.forebay.seat.peer.Peers;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Watches the seat's neighbours on the ring, as Chord's stabilization does: it pings the
 * predecessor and the first successors at intervals. If one is silent, the next one is watched too,
 * the seat asks another one whether it hears the silent one, and tells the manager. The neighbours
 * themselves come from the map alone (P14). The number of pings does not depend on the size of the
 * ring.
 */
public final class Stabilizer {
  static final int SUCCESSORS = 2;
  static final int PREDECESSORS = 1;

  /**
   * The maximum number of silent seats to skip in either direction; beyond it, this seat itself is
   * partitioned.
   */
  private static final int PASSED_MAX = 4;

  private static final ProtocolTimes.Silence TIMES = ProtocolTimes.DEFAULT.silence();

  /** A neighbour. */
  private static final class Watched {
    long heardNanos;
    long pingedNanos;
    long reportedNanos;

    /** The next witness, counted from the suspect on. */
    int turn;

    Watched(long nowNanos) {
      this.heardNanos = nowNanos;
      this.pingedNanos = nowNanos - TIMES.pingNanos();
      this.reportedNanos = nowNanos - TIMES.suspectNanos();
    }
  }

  private final Self seat;
  private final MapView maps;
  private final Timers timers;
  private final Loop loop;
  private final Questions questions;
  private final Peers peers;
  private final ManagerLink manager;
  private final Overload overload;
  private final Map<SeatId, Watched> watched = new TreeMap<>();
  private long lookedNanos;
  private boolean refused;

  public Stabilizer(Basics basics, Links links, Overload overload) {
    this.seat = basics.self();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.loop = basics.loop();
    this.questions = links.questions();
    this.peers = links.peers();
    this.manager = links.manager();
    this.overload = overload;
  }

  public void start() {
    lookedNanos = timers.nanos();
    lookLater();
  }

  private void lookLater() {
    timers.after(
        TIMES.lookNanos(),
        () -> {
          if (loop.closed()) return;
          look();
          lookLater();
        });
  }

  private void look() {
    long now = timers.nanos();
    // A seat that was itself paused for a while has not listened, and suspects no other.
    if (now - lookedNanos > TIMES.pingNanos())
      watched.values().forEach(each -> each.heardNanos = now);
    lookedNanos = now;
    RingMap map = maps.map();
    SeatEntry self = map == null ? null : map.seat(seat.id());
    if (map == null || self == null) return;
    Set<SeatId> chosen = new TreeSet<>();
    int place = map.seats().indexOf(self);
    walk(map.seats(), place, 1, SUCCESSORS, chosen);
    walk(map.seats(), place, -1, PREDECESSORS, chosen);
    watched.keySet().retainAll(chosen);
    for (SeatId each : chosen) watch(map, each, now);
  }

  /** Chooses the nearest seats in one direction, and further ones in place of silent ones. */
  private void walk(
      List<SeatEntry> ring, int place, int direction, int wanted, Set<SeatId> chosen) {
    int found = 0;
    int passed = 0;
    for (int step = 1; step < ring.size() && found < wanted && passed <= PASSED_MAX; step++) {
      SeatEntry next = ring.get(Math.floorMod(place + direction * step, ring.size()));
      // The manager has removed those already, and learns when they are back.
      if (next.away()) continue;
      chosen.add(next.id());
      if (isSuspect(next.id())) passed++;
      else found++;
    }
  }

  private void watch(RingMap map, SeatId peer, long now) {
    Watched known = watched.computeIfAbsent(peer, each -> new Watched(now));
    if (now - known.pingedNanos >= TIMES.pingNanos()) {
      known.pingedNanos = now;
      questions.ask(peer, ping(), TIMES.silentNanos(), reply -> ponged(peer, reply));
    }
    if (isSilent(peer, known) && now - known.reportedNanos >= TIMES.suspectNanos()) {
      known.reportedNanos = now;
      suspect(map, peer, known);
    }
  }

  private boolean isSilent(SeatId peer, Watched known) {
    long silentNanos = timers.nanos() - known.heardNanos;
    return silentNanos > TIMES.silentNanos()
        || (silentNanos > TIMES.refusedNanos() && peers.refuses(peer));
  }

  private boolean isSuspect(SeatId peer) {
    Watched known = watched.get(peer);
    return known != null && isSilent(peer, known);
  }

  private Maps.Ping ping() {
    return new Maps.Ping(maps.mapEpoch());
  }

  private void ponged(SeatId peer, @Nullable Message reply) {
    if (!(reply instanceof Maps.Pong pong)) return;
    overload.told(peer, pong.load());
    Watched known = watched.get(peer);
    if (known != null) known.heardNanos = timers.nanos();
    // In case the manager cannot be reached from here.
    if (pong.ringEpoch() > maps.mapEpoch()) fetchMap(peer);
  }

  private void fetchMap(SeatId peer) {
    questions.ask(
        peer,
        new Maps.GetMap(maps.mapEpoch()),
        TIMES.silentNanos(),
        reply -> {
          if (reply instanceof Maps.MapIs newer) maps.mapArrived(newer);
        });
  }

  private void suspect(RingMap map, SeatId peer, Watched known) {
    SeatId witness = witness(map.seats(), peer, known.turn);
    if (witness == null) {
      report(peer, false);
      return;
    }
    questions.ask(
        witness,
        new Maps.AskAlive(peer),
        2 * TIMES.probeNanos(),
        reply -> {
          if (!known.equals(watched.get(peer)) || !isSilent(peer, known)) return;
          boolean answered = reply instanceof Maps.AliveIs;
          // A seat that does not answer is no witness; the next one may be.
          if (!answered) known.turn++;
          report(peer, reply instanceof Maps.AliveIs is && !is.alive());
        });
  }

  /** Another seat that may hear the suspect: its neighbours first, in turn. */
  private @Nullable SeatId witness(List<SeatEntry> ring, SeatId suspect, int turn) {
    List<SeatId> others =
        ring.stream()
            .filter(each -> !each.away() && !each.id().equals(seat.id()))
            .map(SeatEntry::id)
            .filter(each -> each.equals(suspect) || !isSuspect(each))
            .toList();
    int place = others.indexOf(suspect);
    if (place < 0 || others.size() < 2) return null;
    return others.get((place + 1 + turn % (others.size() - 1)) % others.size());
  }

  private void report(SeatId suspect, boolean confirmed) {
    RingMap map = maps.map();
    SeatEntry entry = map == null ? null : map.seat(suspect);
    if (entry == null) return;
    manager.ask(
        new Maps.Suspect(suspect, entry.start(), seat.id(), confirmed),
        TIMES.suspectNanos(),
        reply -> {});
  }

  // Questions of neighbours.

  /** The manager refuses this seat's log. */
  public void refused() {
    refused = true;
  }

  /**
   * Answers for a seat of the ring only: a server whose directory was wiped listens where a seat
   * did whose groups others must take over.
   */
  public void pinged(Connection connection, long request) {
    if (refused && !seat.hasPlace()) {
      connection.send(
          request, new Replies.Failed(ErrorCode.UNAVAILABLE, "this log has no place in the ring"));
      return;
    }
    connection.send(request, new Maps.Pong(seat.processStart(), maps.mapEpoch(), overload.own()));
  }

  public void askedAlive(Connection connection, long request, Maps.AskAlive message) {
    probe(connection, request, message.suspect(), timers.nanos() + TIMES.probeNanos());
  }

  /** Asks until there is an answer: a connection may have to be made first. */
  private void probe(Connection connection, long request, SeatId suspect, long untilNanos) {
    if (suspect.equals(seat.id())) {
      connection.send(request, new Maps.AliveIs(suspect, true));
      return;
    }
    questions.ask(
        suspect,
        ping(),
        Math.max(TIMES.probeAgainNanos(), untilNanos - timers.nanos()),
        reply -> {
          boolean alive = reply instanceof Maps.Pong;
          if (alive || untilNanos - timers.nanos() <= 0) {
            connection.send(request, new Maps.AliveIs(suspect, alive));
          } else {
            timers.after(
                TIMES.probeAgainNanos(), () -> probe(connection, request, suspect, untilNanos));
          }
        });
  }
}
