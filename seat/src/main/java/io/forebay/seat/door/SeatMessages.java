// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.door;

import io.forebay.ring.Instance;
import io.forebay.seat.access.Entrances;
import io.forebay.seat.door.MessageTable.Sender;
import io.forebay.seat.group.GroupHome;
import io.forebay.seat.group.MemberGroups;
import io.forebay.seat.part.MapView;
import io.forebay.seat.put.MemberCopies;
import io.forebay.seat.repair.CorruptRecordRepair;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Stages;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.message.Uses;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Every message that a seat takes, with its senders and its handler. A new message is a line. */
final class SeatMessages {
  private final DoorParts parts;
  private final MemberGroups groups;
  private final EpochGate gate;
  private final MessageTable table = new MessageTable();

  private SeatMessages(DoorParts parts, EpochGate gate) {
    this.parts = parts;
    this.groups = parts.groups();
    this.gate = gate;
  }

  /**
   * The table of a seat.
   *
   * @param connections how many there are now
   */
  static MessageTable table(
      DoorParts parts, EpochGate gate, PayloadGate payloads, IntSupplier connections) {
    SeatMessages messages = new SeatMessages(parts, gate);
    messages.table.addPayload(Sender.CLIENT, Data.Put.class, payloads::put);
    messages.table.addPayload(Sender.SEAT, Data.Replicate.class, payloads::copy);
    messages.addRecords();
    messages.addNames();
    messages.addSeat(connections);
    messages.addJournal();
    messages.addCopies();
    messages.addReclaim();
    messages.addUses();
    messages.addDrain();
    return messages.table;
  }

  private void addRecords() {
    CorruptRecordRepair corruptRecords = parts.corruptRecords();
    table.add(Sender.CLIENT, Data.Get.class, parts.reads()::get);
    table.add(
        Sender.CLIENT,
        Data.LooksDamaged.class,
        (from, request, damaged) -> {
          from.send(request, new Replies.Done());
          corruptRecords.suspect(damaged.record());
        });
    table.add(
        Sender.CLIENT,
        Data.AskHeld.class,
        (from, request, ask) ->
            from.send(
                request, parts.readGuard().answer("AskHeld", () -> corruptRecords.held(ask))));
    table.add(Sender.CLIENT, Data.AskSound.class, parts.checksumCheck()::ask);
  }

  private void addNames() {
    MessageTable.Handler<Names.Request> atHome =
        gate.atHome((home, from, request, names) -> home.names().request(from, request, names));
    table.add(
        Sender.CLIENT,
        Names.Request.class,
        (from, request, names) -> {
          heard(names);
          atHome.handle(from, request, names);
        });
    table.add(
        Sender.SEAT,
        Data.GrowTree.class,
        gate.atHome((home, from, request, grow) -> home.names().growTree(from, request, grow)));
    table.add(
        Sender.SEAT,
        Data.AskKey.class,
        gate.atHome((home, from, request, ask) -> home.names().askKey(from, request, ask)));
  }

  /**
   * A client may know a newer map than this seat. Its request then waits or is refused. The client
   * is alive nevertheless, and its session must not expire.
   */
  private void heard(Names.Request names) {
    GroupHome home = groups.home(names.group());
    if (home != null) home.names().heard(names);
  }

  private void addSeat(IntSupplier connections) {
    MapView maps = parts.basics().maps();
    table.add(
        Sender.CLIENT,
        Maps.GetMap.class,
        (from, request, wanted) ->
            from.send(request, parts.entrances().mapFor(from, wanted.haveEpoch())));
    table.add(
        Sender.CLIENT,
        Access.Present.class,
        (from, request, shown) -> {
          Entrances.Refused refused = parts.entrances().present(from, shown.capability());
          from.send(
              request,
              refused == null
                  ? new Replies.Done()
                  : new Replies.Failed(refused.code(), refused.sentence()));
        });
    table.add(Sender.DIALLED_SEAT, Maps.MapIs.class, (from, request, map) -> maps.mapArrived(map));
    table.add(
        Sender.CLIENT,
        Statuses.GetStatus.class,
        (from, request, get) ->
            from.send(
                request,
                parts
                    .readGuard()
                    .answer("GetStatus", () -> parts.status().apply(connections.getAsInt()))));
    table.add(
        Sender.CLIENT,
        Maps.Ping.class,
        (from, request, ping) -> parts.stabilizer().pinged(from, request));
    table.add(Sender.CLIENT, Maps.AskAlive.class, parts.stabilizer()::askedAlive);
    table.add(
        Sender.CLIENT,
        Stages.CallToStage.class,
        (from, request, call) -> {
          from.send(request, new Replies.Done());
          Instance instance = maps.instance(call.instance());
          if (instance == null) return;
          parts.basics().events().calledToStage(instance.id(), instance.name());
        });
    table.add(
        Sender.SEAT,
        Loads.AskLoad.class,
        (from, request, ask) -> from.send(request, new Loads.LoadIs(parts.overload().own())));
  }

  private void addJournal() {
    table.add(
        Sender.SEAT,
        Journals.Append.class,
        gate.atMember((journal, from, request, append) -> journal.append(from, request, append)));
    table.add(
        Sender.SEAT,
        Journals.AskJournal.class,
        gate.atMember((journal, from, request, ask) -> journal.ask(from, request)));
    table.add(
        Sender.SEAT,
        Journals.FetchEntries.class,
        gate.atMember((journal, from, request, fetch) -> journal.fetch(from, request, fetch)));
    table.add(
        Sender.SEAT,
        Journals.Trim.class,
        gate.atMember((journal, from, request, trim) -> journal.trim(trim)));
    table.add(
        Sender.SEAT,
        Maps.Lease.class,
        gate.inEpoch((group, from, request, lease) -> group.grant(from, request, lease)));
  }

  private void addCopies() {
    MemberAnswers answers = new MemberAnswers(groups, parts.corruptRecords());
    table.add(
        Sender.SEAT, Data.Confirm.class, (from, request, confirm) -> answers.confirmed(confirm));
    table.add(
        Sender.DIALLED_SEAT,
        Journals.Appended.class,
        (from, request, appended) -> answers.appended(appended));
    table.add(
        Sender.SEAT,
        Data.AskMissing.class,
        gate.inEpoch(
            (group, from, request, ask) -> {
              MemberCopies copies = group.copies();
              if (copies != null) copies.missing(from, request, ask);
            }));
    table.add(
        Sender.SEAT,
        Data.SendAgain.class,
        gate.inEpoch(
            (group, from, request, again) ->
                parts.corruptRecords().sendAgain(from, request, again)));
  }

  private void addUses() {
    table.add(
        Sender.SEAT,
        Uses.Report.class,
        gate.atHome(
            (home, from, request, report) -> home.verdicts().report(from, request, report)));
    table.add(
        Sender.CLIENT,
        Uses.GetUses.class,
        (from, request, get) ->
            from.send(
                request, parts.readGuard().answer("GetUses", () -> uses(from, get.instance()))));
  }

  /** Only of instances that the client may know of. */
  private Uses.UsesAre uses(Connection from, int instance) {
    MapView maps = parts.basics().maps();
    List<Uses.GroupUse> visible = new ArrayList<>();
    Uses.UsesAre all = groups.uses(instance);
    for (Uses.GroupUse use : all.uses()) {
      Instance known = maps.instance(use.instance());
      if (known != null && parts.entrances().mayObserve(from, known)) visible.add(use);
    }
    return new Uses.UsesAre(visible, all.served());
  }

  private void addReclaim() {
    table.add(
        Sender.SEAT,
        Data.Kill.class,
        gate.atHome(
            (home, from, request, kill) -> home.reclaim().kill(from, request, kill.dead())));
    table.add(
        Sender.SEAT,
        Data.KillCopies.class,
        gate.inEpoch(
            (group, from, request, kill) -> parts.deletion().killCopies(from, request, kill)));
    table.add(
        Sender.SEAT,
        Data.SessionOver.class,
        gate.atHome(
            (home, from, request, over) -> home.reclaim().sessionOver(from, request, over)));
    table.add(
        Sender.SEAT,
        Data.PiecesGivenUp.class,
        gate.atHome(
            (home, from, request, told) -> home.reclaim().piecesGivenUp(from, request, told)));
    table.add(
        Sender.SEAT,
        Data.AskDead.class,
        gate.atHome((home, from, request, ask) -> home.reclaim().askDead(from, request, ask)));
  }

  private void addDrain() {
    table.add(
        Sender.CLIENT,
        Data.GetBacked.class,
        gate.atHome((home, from, request, get) -> home.drain().getBacked(from, request, get)));
    table.add(
        Sender.CLIENT,
        Drains.CheckBacking.class,
        (from, request, check) ->
            parts.backings().check(check, answer -> from.send(request, answer)));
    table.add(
        Sender.SEAT,
        Data.PutBacked.class,
        gate.atHome((home, from, request, put) -> home.drain().putBacked(from, request, put)));
    table.add(
        Sender.SEAT,
        Drains.WantRoom.class,
        gate.atHome(
            (home, from, request, want) -> {
              from.send(request, new Replies.Done());
              home.drain().wantRoom(want);
            }));
    table.add(Sender.SEAT, Drains.WriteChunk.class, parts.drainWriter()::write);
    table.add(Sender.SEAT, Drains.ForceChunks.class, parts.drainWriter()::force);
    table.add(Sender.SEAT, Drains.AttemptOver.class, parts.drainWriter()::over);
  }
}
