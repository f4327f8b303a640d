// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager.desk;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.RingArrangement;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.InstanceRules;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.Result;
import io.forebay.store.log.LogId;
import io.forebay.wire.LogPace;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Seats that join a running ring, and servers that leave it, while the manager serves. */
public final class JoinDesk {
  /** Refused seats that are remembered, the latest ones. */
  private static final int REFUSALS_MAX = 1024;

  private static final int REFUSALS_SHOWN_MAX = 16;

  /** A refused seat asks again within this time, unless it has ended. */
  private static final long WAITS_NANOS = 30_000_000_000L;

  /** Why a log was refused when it last asked, and when that was. */
  private record Refusal(String sentence, long nanos) {}

  private final ManagerState state;
  private final Decisions decisions;
  private final ManagerEvents events;
  private final Timers timers;
  private final int expectedServers;
  private final LogPace pace;
  private final BiConsumer<Maps.Init, Caller> welcome;
  private final Map<LogId, Refusal> refusals = new LinkedHashMap<>();

  /**
   * Makes a desk.
   *
   * @param expectedServers as many may come without being told to join
   * @param welcome answers a seat that the ring knows
   */
  public JoinDesk(
      DeskParts parts, int expectedServers, LogPace pace, BiConsumer<Maps.Init, Caller> welcome) {
    this.state = parts.state();
    this.decisions = parts.decisions();
    this.events = parts.events();
    this.timers = parts.timers();
    this.expectedServers = expectedServers;
    this.pace = pace;
    this.welcome = welcome;
  }

  /** The servers that are refused now, and why, as sentences. */
  public List<String> refused() {
    long now = timers.nanos();
    return refusals.values().stream()
        .filter(each -> now - each.nanos() < WAITS_NANOS)
        .map(Refusal::sentence)
        .distinct()
        .limit(REFUSALS_SHOWN_MAX)
        .toList();
  }

  /** A seat has come that the ring does not know. */
  public void join(Maps.Init init, Caller caller) {
    RingMap map = state.map();
    SeatId after =
        init.after().equals(Maps.Init.ANYWHERE)
            ? RingArrangement.placeFor(map.seats(), init.server())
            : init.after();
    Command.JoinRing command = new Command.JoinRing(Gathering.arrival(init), after);
    Result.Refused refused = check(init, map);
    if (refused == null) refused = state.check(command);
    if (refused != null) {
      warn(init, refused.sentence());
      caller.fail(refused);
      return;
    }
    decisions.propose(
        command,
        result -> {
          SeatEntry seat = state.seatOf(init.seat());
          if (seat != null) {
            refusals.remove(Gathering.logOf(init));
            events.told(seat.id() + " on server " + seat.server() + " joins behind " + after);
          }
          welcome.accept(init, caller);
        },
        why -> caller.fail(ErrorCode.UNAVAILABLE, "joining: " + why));
  }

  /** Seats that are refused ask again: only another reason is worth another line. */
  private void warn(Maps.Init init, String why) {
    String sentence = "refused a seat of server '" + init.server() + "': " + why;
    Refusal before = refusals.put(Gathering.logOf(init), new Refusal(sentence, timers.nanos()));
    if (before != null && before.sentence().equals(sentence)) return;
    pace.log("refused to join", () -> sentence, events::warned);
    if (refusals.size() > REFUSALS_MAX) refusals.remove(refusals.keySet().iterator().next());
  }

  /**
   * Whether a seat is one of those for which the ring would have waited, had it come in time. A
   * server that was in the ring with all its seats has lost them: an operator decides.
   */
  private boolean isExpected(Maps.Init init, RingMap map) {
    long ofServer =
        map.seats().stream().filter(seat -> seat.server().equals(init.server())).count();
    if (ofServer > 0) return ofServer < init.serverSeats();
    return map.seats().stream().map(SeatEntry::server).distinct().count() < expectedServers;
  }

  private Result.@Nullable Refused check(Maps.Init init, RingMap map) {
    String who = "server '" + init.server() + "'";
    if (!init.joins() && !isExpected(init, map)) {
      return new Result.Refused(
          ErrorCode.UNAVAILABLE,
          "the ring is formed, and does not know the log of this seat of %s; start the server with '--join true' to add it"
              .formatted(who));
    }
    if (map.seats().size() >= Gathering.SEATS_MAX || InstanceRules.isFull(map)) {
      return new Result.Refused(
          ErrorCode.BUSY, "the ring has had " + map.seats().size() + " seats; no more fit in");
    }
    long living =
        map.seats().stream()
            .filter(seat -> seat.server().equals(init.server()))
            .filter(seat -> seat.takesPart() && !seat.away())
            .count();
    if (living < init.serverSeats()) return null;
    return new Result.Refused(
        ErrorCode.INVALID,
        who
            + " has as many seats in the ring as it says that it has: give each server a name of"
            + " its own");
  }

  /** Makes a server leave. */
  public void leave(Maps.Leave leave, Caller caller) {
    Command.LeaveRing command = new Command.LeaveRing(leave.server());
    Result.Refused refused = state.check(command);
    if (refused != null) {
      caller.fail(refused);
      return;
    }
    decisions.propose(
        command,
        result -> {
          if (result instanceof Result.Refused late) {
            caller.fail(late);
            return;
          }
          events.told("server '" + leave.server() + "' leaves the ring");
          caller.done();
        },
        why -> caller.fail(ErrorCode.UNAVAILABLE, "leaving: " + why));
  }
}
