// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.RepeatedWarnings;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.part.SeatEvents;
import io.forebay.seat.part.Self;
import io.forebay.seat.part.WallClock;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.put.CopyQueue;
import io.forebay.seat.put.CopyQueues;
import io.forebay.seat.put.Intake;
import io.forebay.store.RecordWalk;
import io.forebay.store.Store;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.ReadResult;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Replaces records of this seat's log that do not match their checksums by copies from other
 * members of their groups. A copy is appended under the same id (P17), and the damaged record no
 * longer counts. A record that no other member can deliver is lost: that is reported, and the
 * record is requested again now and then, since a member that has it may come back.
 */
public final class CorruptRecordRepair {
  /** The maximum number of damaged records in work; the scrub finds more later. */
  private static final int WANTED_MAX = 10_000;

  private static final int ASKED_AT_ONCE = 64;
  private static final long ASKED_BYTES_MAX = 8L * 1024 * 1024;
  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();
  private static final long POLL_NANOS = 100_000_000L;

  /** The time after which a promised copy is requested again. */
  private static final long ARRIVAL_NANOS = 5_000_000_000L;

  private static final long RETRY_NANOS = 1_000_000_000L;
  private static final long LOST_RETRY_NANOS = 60_000_000_000L;

  /**
   * How long requests wait for the repair of a record; after that the member that has it may be
   * dead.
   */
  private static final long AWAITED_NANOS = 60_000_000_000L;

  private static final class Wanted {
    final GroupId group;
    final FileId file;
    final int payloadBytes;
    final long sinceNanos;
    final long foundNanos;
    final TreeSet<SeatId> without = new TreeSet<>();
    int turn;
    long askNanos;
    boolean lost;

    Wanted(GroupId group, FileId file, int payloadBytes, long sinceNanos, long askNanos) {
      this.group = group;
      this.file = file;
      this.payloadBytes = payloadBytes;
      this.sinceNanos = sinceNanos;
      this.foundNanos = askNanos;
      this.askNanos = askNanos;
    }
  }

  /** The groups with this seat as home. */
  public interface Homes {
    /** Null where another seat is the home. */
    @Nullable HomeRepair of(GroupId group);
  }

  private record Source(SeatId seat, GroupId group) {}

  private final Self seat;
  private final MapView maps;
  private final Timers timers;
  private final WallClock wallClock;
  private final Store store;
  private final SeatEvents events;
  private final RepeatedWarnings warnings;
  private final SeatCounters counters;
  private final Questions questions;
  private final Intake intake;
  private final CopyQueues copies;
  private final Homes homes;
  private final Map<RecordId, Wanted> wanted = new LinkedHashMap<>();
  private long polledNanos;

  public CorruptRecordRepair(
      Basics basics, Questions questions, Intake intake, CopyQueues copies, Homes homes) {
    this.seat = basics.self();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.wallClock = basics.wallClock();
    this.store = basics.store();
    this.events = basics.events();
    this.warnings = basics.warnings();
    this.counters = basics.counters();
    this.questions = questions;
    this.intake = intake;
    this.copies = copies;
    this.homes = homes;
    this.polledNanos = timers.nanos();
  }

  /** Takes up what recovery found damaged. */
  public void start() {
    RecordWalk walk = store.walk();
    while (walk.next((id, file, group, bytes) -> {}, this::damaged)) {
      // One segment at a time, all of them now: segments in which recovery found defects are
      // emptied.
    }
  }

  /** A record does not match its checksums. */
  void damaged(RecordId record, FileId file, int group, int payloadBytes) {
    if (wanted.size() >= WANTED_MAX || wanted.containsKey(record)) return;
    counters.corrupt();
    warnings.warn(
        "damaged records",
        "record %s of file %s is damaged here; another seat's copy is to replace it"
            .formatted(record, file));
    wanted.put(
        record,
        new Wanted(new GroupId(group), file, payloadBytes, wallClock.nanos(), timers.nanos()));
  }

  /** A reader got wrong bytes of a record: it is verified here. */
  public void suspect(RecordId record) {
    store.verify(
        record,
        result -> {
          // If it is damaged, the log reports it.
          if (result instanceof ReadResult.Bytes bytes) bytes.slice().close();
        });
  }

  /** The number of records that no other seat can deliver. */
  public long lost() {
    return wanted.values().stream().filter(each -> each.lost).count();
  }

  public void poll() {
    long now = timers.nanos();
    if (now - polledNanos < POLL_NANOS) return;
    polledNanos = now;
    takeDamaged();
    // Before that, no group seems to have this seat as a member.
    if (!wanted.isEmpty() && seat.hasPlace()) mend();
  }

  private void takeDamaged() {
    for (RecordId record : store.takeDamaged()) {
      FileId file = store.file(record);
      if (file == null || store.present(record)) continue;
      int bytes = store.payloadBytes(record);
      damaged(record, file, store.group(record), bytes);
    }
  }

  /** Whether records of the group may come back here, so that nothing is complete yet. */
  boolean awaits(GroupId group) {
    takeDamaged();
    return wanted.entrySet().stream()
        .anyMatch(each -> each.getValue().group.equals(group) && awaited(each.getKey()));
  }

  /** Whether the record is damaged here, and may be replaced before long. */
  boolean awaits(RecordId record) {
    takeDamaged();
    return awaited(record);
  }

  private boolean awaited(RecordId record) {
    Wanted each = wanted.get(record);
    return each != null
        && !each.lost
        && !store.present(record)
        && timers.nanos() - each.foundNanos < AWAITED_NANOS;
  }

  private void mend() {
    settle();
    Map<Source, List<RecordId>> batches = new LinkedHashMap<>();
    long bytes = 0;
    for (Map.Entry<RecordId, Wanted> each : wanted.entrySet()) {
      Wanted record = each.getValue();
      if (record.askNanos - timers.nanos() > 0) continue;
      SeatId from = source(record);
      if (from == null) continue;
      List<RecordId> batch =
          batches.computeIfAbsent(new Source(from, record.group), key -> new ArrayList<>());
      bytes += record.payloadBytes;
      boolean tooMany = batch.size() >= ASKED_AT_ONCE || bytes > ASKED_BYTES_MAX;
      if (tooMany && !batch.isEmpty()) break;
      batch.add(each.getKey());
      record.askNanos = timers.nanos() + ARRIVAL_NANOS;
    }
    batches.forEach(this::ask);
  }

  /** Removes records that are here again, or no longer needed. */
  private void settle() {
    wanted
        .entrySet()
        .removeIf(
            each -> {
              boolean here = store.present(each.getKey());
              if (here) counters.repaired();
              Wanted record = each.getValue();
              RingMap map = maps.map();
              Group group = map == null ? null : map.group(record.group);
              boolean member = group != null && group.indexOf(seat.id()) >= 0;
              return here || !member || maps.hasEnded(record.file.instance());
            });
  }

  /** The next member to ask, in turn; null if all have said that they lack it. */
  private @Nullable SeatId source(Wanted record) {
    RingMap map = maps.map();
    Group group = map == null ? null : map.group(record.group);
    if (group == null) return null;
    List<SeatId> others = new ArrayList<>();
    for (Group.Member member : group.members()) {
      boolean other = !member.seat().equals(seat.id());
      if (other && !record.without.contains(member.seat())) others.add(member.seat());
    }
    if (others.isEmpty()) {
      lose(record);
      return null;
    }
    return others.get(record.turn % others.size());
  }

  private void lose(Wanted record) {
    if (!record.lost) {
      events.warned(
          "a record of file " + record.file + " is damaged here, and no other seat has it");
    }
    record.lost = true;
    record.without.clear();
    record.askNanos = timers.nanos() + LOST_RETRY_NANOS;
  }

  private void ask(Source from, List<RecordId> records) {
    RingMap map = maps.map();
    Group group = map == null ? null : map.group(from.group);
    if (group == null || records.isEmpty()) return;
    questions.ask(
        from.seat,
        new Data.SendAgain(group.id(), group.epoch(), seat.id(), records),
        ANSWER_NANOS,
        reply -> answered(from.seat, records, reply));
  }

  private void answered(SeatId from, List<RecordId> records, @Nullable Message reply) {
    boolean told = reply instanceof Data.MissingAre;
    List<RecordId> lacking = reply instanceof Data.MissingAre are ? are.records() : records;
    for (RecordId record : lacking) {
      Wanted each = wanted.get(record);
      if (each == null) continue;
      if (told) each.without.add(from);
      else each.turn++;
      each.askNanos = timers.nanos() + (told ? 0 : RETRY_NANOS);
    }
  }

  // For others.

  /** Sends records to a seat that has them damaged. */
  public void sendAgain(Connection connection, long request, Data.SendAgain message) {
    List<RecordId> missing = new ArrayList<>();
    CopyQueue queue = copies.to(message.to());
    for (RecordId record : message.records()) {
      FileId file = store.file(record);
      if (file == null || !store.present(record)) {
        missing.add(record);
        continue;
      }
      Instance instance = maps.instance(file.instance());
      boolean forced = instance != null && instance.forced();
      int bytes = store.payloadBytes(record);
      RecordHeader header = RecordHeader.data(record, file, 0, message.group().number(), bytes);
      queue.add(new CopyQueue.Copy(message.group(), message.epoch(), header, forced, null));
    }
    connection.send(request, new Data.MissingAre(missing));
  }

  /** Takes a copy that a home asked for; members take theirs as they take all copies. */
  public Landing arriving(Connection connection, Data.Replicate message, int payloadBytes) {
    RecordHeader header =
        RecordHeader.data(
            message.record(),
            message.file(),
            message.offset(),
            message.group().number(),
            payloadBytes);
    return intake.land(
        connection,
        header,
        message.forced(),
        message.checksums(),
        new Intake.Outcome() {
          @Override
          public void committed() {
            counters.copied(payloadBytes);
            HomeRepair home = homes.of(message.group());
            // Members that are being brought up to date could not get it before.
            if (home != null) home.owe(message.record(), message.forced());
          }

          @Override
          public void reached() {}

          @Override
          public void failed(ErrorCode code, String detail) {
            warnings.warn(
                "copies of damaged records",
                "record " + message.record() + " was not replaced: " + detail);
          }
        });
  }

  /** Says which records this seat cannot give. */
  public Message held(Data.AskHeld message) {
    if (message.records().size() > Data.HELD_RECORDS_MAX) {
      return new Replies.Failed(
          ErrorCode.INVALID,
          "asks for %d records; at most %d"
              .formatted(message.records().size(), Data.HELD_RECORDS_MAX));
    }
    List<Data.Lacking> lacking = new ArrayList<>();
    for (RecordId record : message.records()) {
      FileId file = store.file(record);
      boolean here = file != null && file.instance() == message.instance();
      if (here && store.present(record)) continue;
      lacking.add(new Data.Lacking(record, damagedSince(record)));
    }
    return new Data.LackingAre(lacking);
  }

  /** When the record was found damaged here, in wall time; 0 if it was not. */
  long damagedSince(RecordId record) {
    Wanted known = wanted.get(record);
    return known == null ? 0 : known.sinceNanos;
  }
}
