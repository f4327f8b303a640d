// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import io.forebay.base.GroupId;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.desk.DeskParts;
import io.forebay.seat.manager.desk.Gathering;
import io.forebay.seat.manager.desk.LeaseDesk;
import io.forebay.seat.manager.desk.ReturningSeats;
import io.forebay.seat.manager.desk.SilentSeats;
import io.forebay.seat.manager.state.Command;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.store.log.LogId;
import io.forebay.wire.Connection;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Decides that seats are back, and asks again for their waiting callers. */
final class SeatReturns implements ReturningSeats.Host {
  private final DeskParts parts;
  private final ManagerState state;
  private final SilentSeats silence;
  private final BooleanSupplier serving;
  private final Consumer<Gathering.Guest> readmit;
  private final ReturningSeats returns;

  SeatReturns(
      DeskParts parts,
      SilentSeats silence,
      BooleanSupplier serving,
      Consumer<Gathering.Guest> readmit) {
    this.parts = parts;
    this.state = parts.state();
    this.silence = silence;
    this.serving = serving;
    this.readmit = readmit;
    this.returns = new ReturningSeats(parts.timers(), parts.leases(), this);
  }

  void add(Gathering.Guest guest) {
    returns.add(guest);
  }

  void left(Connection connection) {
    returns.left(connection);
  }

  @Override
  public List<GroupId> leased(Maps.Init init) {
    return state.disturbedBy(Gathering.arrival(init)).stream()
        .filter(id -> LeaseDesk.soleHome(state.map().group(id)) != null)
        .toList();
  }

  @Override
  public void propose(LogId log, Maps.Init init) {
    if (!serving.getAsBoolean()) {
      end(log);
      return;
    }
    parts
        .decisions()
        .propose(
            new Command.SeatReturned(Gathering.arrival(init)),
            result -> {
              SeatEntry seat = state.seatOf(init.seat());
              if (seat != null) {
                silence.back(seat.id());
                parts.events().told(seat.id() + " is back, on server " + seat.server());
              }
              end(log);
            },
            why -> {
              Gathering.Guest guest = returns.end(log);
              if (guest != null) {
                guest.caller().fail(ErrorCode.UNAVAILABLE, "a seat's return " + why);
              }
            });
  }

  /** It may have sent another request since. */
  private void end(LogId log) {
    Gathering.Guest guest = returns.end(log);
    if (guest != null) readmit.accept(guest);
  }
}
