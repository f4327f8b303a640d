// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Groups;
import io.forebay.seat.part.RepeatedWarnings;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.part.Self;
import io.forebay.seat.peer.Peers;
import io.forebay.store.Store;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A member's side of writes: append, send on, confirm to the home. */
public final class MemberCopies {
  /** The maximum number of confirmations for an unreachable home; beyond it the home asks again. */
  private static final int WAITING_MAX = 10_000;

  private final Self seat;
  private final Groups groups;
  private final Store store;
  private final RepeatedWarnings warnings;
  private final SeatCounters counters;
  private final Peers peers;
  private final Intake intake;
  private final Group group;
  private final CopySender sender;
  private final ArrayDeque<Data.Confirm> unconfirmed = new ArrayDeque<>();

  public MemberCopies(PutParts parts, Group group) {
    Basics basics = parts.basics();
    this.seat = basics.self();
    this.groups = basics.groups();
    this.store = basics.store();
    this.warnings = basics.warnings();
    this.counters = basics.counters();
    this.peers = parts.peers();
    this.intake = parts.intake();
    this.group = group;
    this.sender = new CopySender(basics, parts.copies(), group);
  }

  public Landing arriving(Connection connection, Data.Replicate message, int payloadBytes) {
    RecordHeader header =
        RecordHeader.data(
            message.record(), message.file(), message.offset(), group.id().number(), payloadBytes);
    return intake.land(
        connection,
        header,
        message.forced(),
        message.checksums(),
        new Intake.Outcome() {
          @Override
          public void committed() {
            counters.copied(payloadBytes);
            sender.send(header, message.forced(), message.checksums());
          }

          @Override
          public void reached() {
            confirm(message.record(), ErrorCode.NONE);
          }

          @Override
          public void failed(ErrorCode code, String detail) {
            warnings.warn(
                "copies for " + group.home(),
                "record %s is not copied here yet: %s; until it is, its writer is not answered"
                    .formatted(message.record(), detail));
            confirm(message.record(), code);
            if (code == ErrorCode.FAILED) groups.giveUp(group.id(), detail);
          }
        });
  }

  /** Reports the records that are not here with the required safety, once that is known. */
  public void missing(Connection connection, long request, Data.AskMissing ask) {
    List<RecordId> missing = new ArrayList<>();
    if (ask.forced() && !store.config().hasSsd()) {
      connection.send(request, new Data.MissingAre(ask.records()));
      return;
    }
    Level level = ask.forced() ? Level.FORCED : Level.KEPT;
    int[] open = {1};
    Runnable one =
        () -> {
          open[0]--;
          if (open[0] == 0) connection.send(request, new Data.MissingAre(missing));
        };
    for (RecordId record : ask.records()) {
      open[0]++;
      Commit commit =
          store.require(
              record,
              level,
              answer -> {
                if (answer instanceof Waiter.Answer.Failed) missing.add(record);
                one.run();
              });
      if (commit == Commit.PENDING) continue;
      if (commit != Commit.DONE) missing.add(record);
      one.run();
    }
    one.run();
  }

  private void confirm(RecordId record, ErrorCode code) {
    Data.Confirm confirm = new Data.Confirm(group.id(), group.epoch(), record, seat.id(), code);
    if (peers.send(group.home(), Lane.CONTROL, 0, confirm)) return;
    if (unconfirmed.size() < WAITING_MAX) unconfirmed.add(confirm);
  }

  public void peerUp(SeatId peer, Lane lane) {
    if (lane != Lane.CONTROL || !peer.equals(group.home())) return;
    for (int left = unconfirmed.size(); left > 0; left--) {
      Data.Confirm confirm = unconfirmed.remove();
      confirm(confirm.record(), confirm.code());
    }
  }
}
