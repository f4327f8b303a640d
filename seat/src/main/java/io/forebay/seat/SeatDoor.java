// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat;

import io.forebay.base.GroupId;
import io.forebay.base.planted.Planted;
import io.forebay.base.planted.PlantedBug;
import io.forebay.ring.RingMap;
import io.forebay.seat.group.GroupHome;
import io.forebay.seat.group.GroupSeat;
import io.forebay.seat.journal.MemberJournal;
import io.forebay.seat.part.MapView;
import io.forebay.seat.put.MemberCopies;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** What comes in from clients and other seats: checked against the epoch (P12) and passed on. */
final class SeatDoor implements Network.Door, Handler, HeldMessages.Taker {
  private static final int CONNECTIONS_MAX = 8192;

  private final Seat seat;
  private final MapView maps;
  private final Planted planted;
  private final HeldMessages held;
  private final Set<Connection> connections = new LinkedHashSet<>();

  SeatDoor(Seat seat) {
    this.seat = seat;
    this.maps = seat.basics().maps();
    this.planted = seat.basics().planted();
    this.held = new HeldMessages(seat.basics().timers(), this);
  }

  int connections() {
    return connections.size();
  }

  @Override
  public Handshake.Answer answer(Handshake.Hello hello) {
    RingMap map = maps.map();
    long cluster = map == null ? 0 : map.cluster();
    if (hello.cluster() != 0 && cluster != 0 && hello.cluster() != cluster) {
      return new Handshake.Refusal(
          ErrorCode.WRONG_CLUSTER,
          "this seat belongs to cluster "
              + Long.toHexString(cluster)
              + ", not to "
              + Long.toHexString(hello.cluster()));
    }
    if (connections.size() >= CONNECTIONS_MAX) {
      return new Handshake.Refusal(
          ErrorCode.BUSY, "this seat has " + CONNECTIONS_MAX + " connections, its limit");
    }
    return new Handshake.Welcome(
        Handshake.VERSION_MAX,
        cluster,
        seat.config().creditBytes(),
        seat.basics().store().config().payloadBytesMax());
  }

  @Override
  public void opened(Connection connection) {
    connections.add(connection);
  }

  @Override
  public void closed(Connection connection, String reason) {
    connections.remove(connection);
    seat.reads().closed(connection);
    seat.holds().closed(connection);
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    if (message instanceof Data.Put put) return put(connection, request, put, payloadBytes);
    boolean fromSeat = connection.hello().role() == Handshake.Role.SEAT;
    if (fromSeat && message instanceof Data.Replicate copy) {
      return copy(connection, copy, payloadBytes);
    }
    refuse(connection, request, ErrorCode.MALFORMED, "no payload belongs to that message");
    return Landing.DISCARD;
  }

  private Landing put(Connection connection, long request, Data.Put put, int payloadBytes) {
    if (!seat.recordRights().mayPut(put.record(), put.secret())) {
      String session = Long.toHexString(put.record().session());
      refuse(connection, request, ErrorCode.ACCESS_DENIED, "that is not the secret of " + session);
      return seat.holds().over(connection, Landing.DISCARD);
    }
    GroupSeat group = seat.group(put.group());
    long epoch = group == null ? 0 : group.epoch();
    if (put.epoch() < epoch || seat.isOutOf(put.group(), put.epoch())) {
      stale(connection, request, put.group());
      return seat.holds().over(connection, Landing.DISCARD);
    }
    GroupHome home = group == null || put.epoch() > epoch ? null : group.home();
    if (home != null && home.serving()) {
      return home.puts().arriving(connection, request, put, payloadBytes);
    }
    if (put.epoch() == epoch && home == null) {
      refuse(connection, request, ErrorCode.NOT_HOME, seat.id() + " is not home of " + put.group());
      return seat.holds().over(connection, Landing.DISCARD);
    }
    if (put.epoch() > epoch) maps.fetchMap();
    if (!seat.holds().exhausted(connection)) return Landing.HOLD;
    refuse(connection, request, ErrorCode.UNAVAILABLE, put.group() + " is not served yet");
    return Landing.DISCARD;
  }

  private Landing copy(Connection connection, Data.Replicate copy, int payloadBytes) {
    GroupSeat group = seat.group(copy.group());
    long epoch = group == null ? 0 : group.epoch();
    MemberCopies copies = group == null ? null : group.copies();
    boolean present = copy.epoch() == epoch;
    boolean older = copy.epoch() < epoch && planted.is(PlantedBug.COPIES_OF_ANY_EPOCH);
    if ((present || older) && copies != null) {
      return copies.arriving(connection, copy, payloadBytes);
    }
    if (copy.epoch() == epoch && group != null && group.home() != null) {
      return seat.mending().arriving(connection, copy, payloadBytes);
    }
    if (copy.epoch() > epoch && !seat.isOutOf(copy.group(), copy.epoch())) {
      maps.fetchMap();
      if (!seat.holds().exhausted(connection)) return Landing.HOLD;
    }
    // An older epoch's home waits in vain, and the present one sends its own. It must not hold up
    // what comes behind it for other groups.
    return seat.holds().over(connection, Landing.DISCARD);
  }

  @Override
  public void received(Connection connection, long request, Message message) {
    if (message instanceof Data.Get get) {
      seat.reads().get(connection, request, get);
    } else if (message instanceof Names.Request names) {
      heard(names);
      atHome(
          connection,
          request,
          names.group(),
          names.epoch(),
          message,
          home -> home.names().request(connection, request, names));
    } else if (message instanceof Data.GetBacked get) {
      atHome(
          connection,
          request,
          get.treeGroup(),
          get.epoch(),
          message,
          home -> home.drain().getBacked(connection, request, get));
    } else if (message instanceof Maps.GetMap wanted) {
      connection.send(request, maps.mapSince(wanted.haveEpoch()));
    } else if (message instanceof Data.LooksDamaged damaged) {
      connection.send(request, new Replies.Done());
      seat.mending().suspect(damaged.record());
    } else if (message instanceof Data.AskHeld held) {
      connection.send(request, seat.readGuard().answer("AskHeld", () -> seat.mending().held(held)));
    } else if (message instanceof Data.AskSound sound) {
      seat.soundCheck().ask(connection, request, sound);
    } else if (message instanceof Drains.CheckBacking check) {
      seat.backings().check(check, answer -> connection.send(request, answer));
    } else if (message instanceof Statuses.GetStatus) {
      connection.send(request, seat.readGuard().answer("GetStatus", seat::status));
    } else if (message instanceof Maps.Ping) {
      seat.stabilizer().pinged(connection, request);
    } else if (message instanceof Maps.AskAlive ask) {
      seat.stabilizer().askedAlive(connection, request, ask);
    } else {
      receivedFromSeat(connection, request, message);
    }
  }

  /** A client may know a newer map than this seat does, and ask in vain: it lives all the same. */
  private void heard(Names.Request names) {
    GroupSeat group = seat.group(names.group());
    GroupHome home = group == null ? null : group.home();
    if (home != null) home.names().heard(names);
  }

  private void receivedFromSeat(Connection connection, long request, Message message) {
    if (connection.hello().role() != Handshake.Role.SEAT) {
      refuse(connection, request, ErrorCode.MALFORMED, "clients do not send " + nameOf(message));
      return;
    }
    switch (message) {
      case Loads.AskLoad ask -> connection.send(request, new Loads.LoadIs(seat.overload().own()));
      case Data.Confirm confirm -> confirmed(confirm);
      case Journals.Append append ->
          asMember(
              connection,
              request,
              append.group(),
              append.epoch(),
              message,
              journal -> journal.append(connection, request, append));
      case Journals.AskJournal ask ->
          asMember(
              connection,
              request,
              ask.group(),
              ask.epoch(),
              message,
              journal -> journal.ask(connection, request));
      case Journals.FetchEntries fetch ->
          asMember(
              connection,
              request,
              fetch.group(),
              fetch.epoch(),
              message,
              journal -> journal.fetch(connection, request, fetch));
      case Journals.Trim trim ->
          asMember(
              connection,
              request,
              trim.group(),
              trim.epoch(),
              message,
              journal -> journal.trim(trim));
      case Maps.Lease lease ->
          inEpoch(
              connection,
              request,
              lease.group(),
              lease.epoch(),
              message,
              group -> group.grant(connection, request, lease));
      case Data.KillCopies kill ->
          inEpoch(
              connection,
              request,
              kill.group(),
              kill.epoch(),
              message,
              group -> seat.kills().killCopies(connection, request, kill));
      case Data.AskMissing ask ->
          inEpoch(
              connection,
              request,
              ask.group(),
              ask.epoch(),
              message,
              group -> {
                MemberCopies copies = group.copies();
                if (copies != null) copies.missing(connection, request, ask);
              });
      case Data.SendAgain again ->
          inEpoch(
              connection,
              request,
              again.group(),
              again.epoch(),
              message,
              group -> seat.mending().sendAgain(connection, request, again));
      case Data.Kill kill ->
          atHome(
              connection,
              request,
              kill.group(),
              kill.epoch(),
              message,
              home -> home.reclaim().kill(connection, request, kill.dead()));
      case Data.SessionOver over ->
          atHome(
              connection,
              request,
              over.group(),
              over.epoch(),
              message,
              home -> home.reclaim().sessionOver(connection, request, over));
      case Data.GrowTree grow ->
          atHome(
              connection,
              request,
              grow.rootGroup(),
              grow.epoch(),
              message,
              home -> home.names().growTree(connection, request, grow));
      case Data.AskDead ask ->
          atHome(
              connection,
              request,
              ask.treeGroup(),
              ask.epoch(),
              message,
              home -> home.reclaim().askDead(connection, request, ask));
      case Data.AskKey ask ->
          atHome(
              connection,
              request,
              ask.treeGroup(),
              ask.epoch(),
              message,
              home -> home.names().askKey(connection, request, ask));
      case Data.PutBacked put ->
          atHome(
              connection,
              request,
              put.group(),
              put.epoch(),
              message,
              home -> home.drain().putBacked(connection, request, put));
      case Drains.WriteChunk chunk -> seat.drainWriter().write(connection, request, chunk);
      case Drains.ForceChunks force -> seat.drainWriter().force(connection, request, force);
      case Drains.AttemptOver over -> seat.drainWriter().over(connection, request, over);
      case Drains.WantRoom want ->
          atHome(
              connection,
              request,
              want.group(),
              want.epoch(),
              message,
              home -> {
                connection.send(request, new Replies.Done());
                home.drain().wantRoom(want.bytes());
              });
      default ->
          refuse(connection, request, ErrorCode.MALFORMED, "a seat answers no " + nameOf(message));
    }
  }

  private void confirmed(Data.Confirm confirm) {
    GroupSeat group = seat.group(confirm.group());
    if (confirm.code() == ErrorCode.CORRUPT) seat.mending().suspect(confirm.record());
    // Only confirmations of the present epoch count (P12).
    GroupHome home = group == null ? null : group.home();
    if (group == null || home == null) return;
    boolean present = group.epoch() == confirm.epoch();
    if (!present && !planted.is(PlantedBug.CONFIRMATIONS_OF_ANY_EPOCH)) return;
    home.slow().copyAnswered(confirm.member());
    home.puts().confirmed(confirm);
    home.repair().confirmed(confirm);
  }

  private void atHome(
      Connection connection,
      long request,
      GroupId id,
      long epoch,
      Message message,
      Consumer<GroupHome> then) {
    inEpoch(
        connection,
        request,
        id,
        epoch,
        message,
        group -> {
          GroupHome home = group.home();
          if (home == null) {
            refuse(connection, request, ErrorCode.NOT_HOME, seat.id() + " is not home of " + id);
          } else if (!home.started()) {
            refuse(connection, request, ErrorCode.UNAVAILABLE, id + " is " + home.stage());
          } else {
            then.accept(home);
          }
        });
  }

  private void asMember(
      Connection connection,
      long request,
      GroupId id,
      long epoch,
      Message message,
      Consumer<MemberJournal> then) {
    inEpoch(
        connection,
        request,
        id,
        epoch,
        message,
        group -> {
          MemberJournal journal = group.memberJournal();
          if (journal != null) then.accept(journal);
        });
  }

  /** Refuses what is older than the epoch entered, holds what is newer. */
  private void inEpoch(
      Connection connection,
      long request,
      GroupId id,
      long epoch,
      Message message,
      Consumer<GroupSeat> then) {
    GroupSeat group = seat.group(id);
    boolean let = message instanceof Journals.Append && planted.is(PlantedBug.JOURNAL_OF_ANY_EPOCH);
    boolean older = group == null ? seat.isOutOf(id, epoch) : epoch < group.epoch();
    if (older && !let) {
      stale(connection, request, id);
    } else if (group == null || epoch > group.epoch()) {
      held.hold(connection, request, message);
      maps.fetchMap();
    } else {
      then.accept(group);
    }
  }

  private void stale(Connection connection, long request, GroupId id) {
    connection.send(0, maps.mapSince(0));
    refuse(connection, request, ErrorCode.STALE_EPOCH, id + " has a newer epoch");
  }

  /** A newer epoch has been entered. */
  void entered() {
    held.release();
  }

  void poll() {
    held.poll();
  }

  @Override
  public void again(Connection connection, long request, Message message) {
    if (connection.isOpen()) received(connection, request, message);
  }

  @Override
  public void inVain(Connection connection, long request, Message message) {
    refuse(
        connection,
        request,
        ErrorCode.UNAVAILABLE,
        seat.id() + " has no map yet in which it could answer");
  }

  private void refuse(Connection connection, long request, ErrorCode code, String detail) {
    seat.basics().counters().refused();
    if (request != 0) connection.send(request, new Replies.Failed(code, detail));
  }

  private static String nameOf(Message message) {
    return message.getClass().getSimpleName();
  }
}
