// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.put;

import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Groups;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.part.RepeatedWarnings;
import io.forebay.seat.part.SeatCounters;
import io.forebay.seat.part.SeatLatencies;
import io.forebay.seat.part.Self;
import io.forebay.seat.use.Policies;
import io.forebay.seat.use.WriteCounting;
import io.forebay.store.Store;
import io.forebay.store.log.RecordHeader;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Replies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The home's side of writes: a record is appended here, sent along the group's order, and
 * acknowledged when every current member has confirmed it in the present epoch (P9). A duplicate
 * record is sent along again; its presence here alone never acknowledges it.
 */
public final class HomePuts {
  /** How long confirmations may be missing before a record is sent along again. */
  private static final long REDRIVE_NANOS = ProtocolTimes.DEFAULT.requests().redriveNanos();

  /** The same after a member has said that it could not keep the record at present. */
  private static final long REFUSED_REDRIVE_NANOS = ProtocolTimes.DEFAULT.requests().refusedNanos();

  /**
   * After this many refusals by members the client is refused, and tries another group or fails.
   */
  private static final int MEMBER_REFUSALS_MAX = 8;

  /** The maximum number of redirects of a piece for lack of room; then it is taken, or waits. */
  static final int REDIRECTS_MAX = 2;

  /** The sessions that have ended. */
  public interface Ended {
    /** Whether nothing more is taken from a session: it has ended. */
    boolean isOver(long session, FileId file);

    /** A record of a session that has ended is here, perhaps behind the search for such. */
    void foundLate(RecordId record, FileId file);
  }

  /** The members that are being brought up to date. */
  public interface Owed {
    /** A record has come to this seat: members that have not confirmed it must get it. */
    void owe(RecordId record, boolean forced);
  }

  private record Asker(Connection connection, long request) {}

  private static final class Put {
    final RecordHeader header;
    final boolean forced;
    final Checksums checksums;
    final long startNanos;
    final List<Asker> askers = new ArrayList<>();
    boolean reached;
    int confirmed;
    int refusals;
    long redriveNanos;

    Put(RecordHeader header, boolean forced, Checksums checksums, long startNanos) {
      this.header = header;
      this.startNanos = startNanos;
      this.forced = forced;
      this.checksums = checksums;
    }
  }

  private final Self seat;
  private final MapView maps;
  private final Groups groups;
  private final Timers timers;
  private final Store store;
  private final RepeatedWarnings warnings;
  private final SeatCounters counters;
  private final Holds holds;
  private final Intake intake;
  private final Overload overload;
  private final Supplier<String> remedy;
  private final PutParts.Homes homes;
  private final Policies policies;
  private final Group group;
  private final Ended ended;
  private final Owed owed;
  private final WriteCounting counting;
  private final CopySender sender;
  private final Map<RecordId, Put> puts = new LinkedHashMap<>();
  private int everyone;

  public HomePuts(PutParts parts, Group group, Ended ended, Owed owed, WriteCounting counting) {
    Basics basics = parts.basics();
    this.seat = basics.self();
    this.maps = basics.maps();
    this.groups = basics.groups();
    this.timers = basics.timers();
    this.store = basics.store();
    this.warnings = basics.warnings();
    this.counters = basics.counters();
    this.holds = parts.holds();
    this.intake = parts.intake();
    this.overload = parts.overload();
    this.remedy = parts.remedy();
    this.homes = parts.homes();
    this.policies = parts.policies();
    this.group = group;
    this.ended = ended;
    this.owed = owed;
    this.counting = counting;
    this.sender = new CopySender(basics, parts.copies(), group);
    int mask = 0;
    for (int i = 1; i < group.members().size(); i++) {
      if (group.members().get(i).current()) mask |= 1 << i;
    }
    this.everyone = mask;
  }

  public int underWay() {
    return puts.size();
  }

  /** Sets whether acknowledgements also require the member at that place. */
  public void count(int place, boolean counts) {
    everyone = counts ? everyone | (1 << place) : everyone & ~(1 << place);
    if (counts) return;
    for (Put put : new ArrayList<>(puts.values())) maybeAcknowledge(put);
  }

  /** Pending writes of an earlier epoch are sent along again in this one (P12). */
  public void adopt(HomePuts earlier) {
    puts.putAll(earlier.puts);
    earlier.puts.clear();
    if (!group.isWhole()) refuseWhatWaits();
    for (Put put : puts.values()) {
      put.confirmed = 0;
      drive(put);
    }
    for (Put put : new ArrayList<>(puts.values())) maybeAcknowledge(put);
  }

  /** Copies are missing: writers that need all of them try another group, or retry later. */
  private void refuseWhatWaits() {
    for (Put put : new ArrayList<>(puts.values())) {
      if (!waits(put.header.file())) continue;
      puts.remove(put.header.id());
      refuse(put, ErrorCode.UNAVAILABLE, tooFew(group));
    }
  }

  /** This seat is no longer home: waiting clients ask the next one. */
  public void stop() {
    for (Put put : puts.values()) {
      refuse(put, ErrorCode.NOT_HOME, seat.id() + " is home no longer");
    }
    puts.clear();
  }

  /**
   * Where a payload goes. A record that is here already drives its copies like the first: that it
   * is here says nothing about the other members (P9).
   */
  @Rule("P9")
  public Landing arriving(Connection connection, long request, Data.Put message, int payloadBytes) {
    if (!group.isWhole() && waits(message.file())) {
      refuse(new Asker(connection, request), ErrorCode.UNAVAILABLE, tooFew(group));
      return holds.over(connection, Landing.DISCARD);
    }
    if (ended.isOver(message.record().session(), message.file())) {
      refuseEnded(new Asker(connection, request), message.record());
      return holds.over(connection, Landing.DISCARD);
    }
    String readOnly = counting.refusal(message.file().instance());
    if (readOnly != null && !wasTaken(message.record())) {
      refuse(new Asker(connection, request), ErrorCode.READ_ONLY, readOnly);
      return holds.over(connection, Landing.DISCARD);
    }
    String tooLarge = tooLarge(message, payloadBytes);
    if (tooLarge != null) {
      refuse(new Asker(connection, request), ErrorCode.TOO_LARGE, tooLarge);
      return holds.over(connection, Landing.DISCARD);
    }
    if (needsPromisedRoom(message, payloadBytes)) {
      refusePromised(new Asker(connection, request), message);
      return holds.over(connection, Landing.DISCARD);
    }
    Data.PutElsewhere elsewhere = elsewhere(message);
    if (elsewhere != null) {
      counters.redirected();
      connection.send(request, elsewhere);
      return holds.over(connection, Landing.DISCARD);
    }
    Replies.Failed congestion = congestion();
    if (congestion != null) {
      if (!holds.exhausted(connection)) return Landing.HOLD;
      refuse(new Asker(connection, request), congestion.code(), congestion.detail());
      return Landing.DISCARD;
    }
    RecordHeader header =
        RecordHeader.data(
            message.record(), message.file(), message.offset(), group.id().number(), payloadBytes);
    Progress progress = new Progress(header, message, new Asker(connection, request));
    Landing landing =
        intake.land(connection, header, message.forced(), message.checksums(), progress);
    progress.isNew = landing instanceof Landing.Into;
    return landing;
  }

  /**
   * Why the file would get too large, or null. Appended pieces have no offset in the file yet: the
   * home of their tree decides when they are published.
   */
  private @Nullable String tooLarge(Data.Put message, int payloadBytes) {
    ProtectionPolicy policy = policies.of(message.file().instance());
    long endOffset = message.offset() + payloadBytes;
    if (policy.fileBytesMax() == 0 || endOffset <= policy.fileBytesMax()) return null;
    if (policy.logs()) warnOfSize(message.file(), policy, endOffset);
    boolean allowed = endOffset <= policy.allowedFileBytes() || wasTaken(message.record());
    return allowed ? null : policy.fileTooLarge(endOffset);
  }

  private void warnOfSize(FileId file, ProtectionPolicy policy, long endOffset) {
    warnings.warn(
        "large files of instance " + file.instance(),
        "file %d of instance %d: %s"
            .formatted(file.number(), file.instance(), policy.fileTooLarge(endOffset)));
  }

  /** What was taken once may be acknowledged: write protection refuses it no more (P30). */
  private boolean wasTaken(RecordId record) {
    return store.present(record);
  }

  /** Whether the record is new and would take room that others were promised. */
  private boolean needsPromisedRoom(Data.Put message, int payloadBytes) {
    return !overload.mayTake(group, message.file().instance(), payloadBytes)
        && !store.present(message.record());
  }

  /** Redirects the client to another group of its instance, or refuses as a full seat does. */
  private void refusePromised(Asker asker, Data.Put message) {
    Instance instance = maps.instance(message.file().instance());
    boolean tooOften = message.record().attempt() >= REDIRECTS_MAX;
    GroupId other = instance == null || tooOften ? null : overload.other(group, instance);
    String why = group.id() + " keeps its free room for instances that were promised it";
    if (other == null) {
      overload.refusedPromised();
      refuse(asker, ErrorCode.NO_SPACE, why + "; give this one a capacity, or delete files");
    } else {
      counters.redirected();
      asker.connection().send(asker.request(), new Data.PutElsewhere(message.record(), other, why));
    }
  }

  /** Whether nothing of the file is acknowledged while there are too few copies. */
  private boolean waits(FileId file) {
    Instance instance = maps.instance(file.instance());
    return instance != null && instance.whenDegraded() == Instance.WhenDegraded.WAIT;
  }

  public static String tooFew(Group group) {
    return "%s has %d of %d copies, and the instance waits for all of them; start the missing servers"
        .formatted(group.id(), group.currentMembers(), group.id().copies());
  }

  /** The redirect to a group that should rather take the record, or null. */
  private Data.@Nullable PutElsewhere elsewhere(Data.Put message) {
    Instance instance = maps.instance(message.file().instance());
    if (instance == null || message.record().attempt() >= REDIRECTS_MAX) return null;
    GroupId withGranules = overload.withGranules(group, instance);
    boolean strained = overload.strainOf(group) != Loads.Strain.NONE;
    // A record that is already here only needs its copies.
    if ((withGranules == null && !strained) || store.present(message.record())) return null;
    if (withGranules != null) {
      String why = "the instance has used up its granules of " + group.id();
      return new Data.PutElsewhere(message.record(), withGranules, why);
    }
    GroupId better = overload.better(group, instance);
    return better == null ? null : new Data.PutElsewhere(message.record(), better, strained());
  }

  private String strained() {
    return group.id() + " is short of room at " + seat.id() + " or one that keeps its copies";
  }

  /** Why no more is taken at present, or null. */
  private Replies.@Nullable Failed congestion() {
    if (everyone == 0) return null;
    SeatId full = overload.fullMember(group);
    if (full != null) return new Replies.Failed(ErrorCode.NO_SPACE, fullMember(full));
    String slow = sender.congestion();
    return slow == null ? null : new Replies.Failed(ErrorCode.BUSY, slow);
  }

  private String fullMember(SeatId member) {
    return maps.serverOf(member) + ", which keeps copies, is full; " + remedy.get();
  }

  /** The progress of one record at the home. */
  private final class Progress implements Intake.Outcome {
    private final RecordHeader header;
    private final Data.Put message;
    private final Asker asker;

    /** Whether its bytes are taken, and are not here already. */
    private boolean isNew;

    Progress(RecordHeader header, Data.Put message, Asker asker) {
      this.header = header;
      this.message = message;
      this.asker = asker;
    }

    @Override
    public void committed() {
      counters.put(header.payloadBytes());
      HomePuts now = present();
      WriteCounting counts = now == null ? counting : now.counting;
      if (isNew) counts.wrote(header.file().instance(), header.payloadBytes());
      if (now != null) now.committed(header, message, asker);
      else refuse(asker, ErrorCode.NOT_HOME, seat.id() + " is home no longer");
    }

    @Override
    public void reached() {
      HomePuts now = present();
      if (now != null) now.reached(header.id());
    }

    @Override
    public void failed(ErrorCode code, String detail) {
      if (code == ErrorCode.FAILED) groups.giveUp(group.id(), detail);
      // If it is here, but not as safe as required, it must not be acknowledged.
      HomePuts now = present();
      Put put = now == null ? null : now.puts.remove(header.id());
      if (put == null) refuse(asker, code, detail);
      else refuse(put, code, detail);
    }
  }

  /** The writes of the epoch that has been entered by now: a payload may arrive across a change. */
  private @Nullable HomePuts present() {
    return homes.of(group.id());
  }

  private void committed(RecordHeader header, Data.Put message, Asker asker) {
    if (!group.isWhole() && waits(header.file())) {
      // The group has changed while the payload was on its way.
      refuse(asker, ErrorCode.UNAVAILABLE, tooFew(group));
      return;
    }
    if (ended.isOver(header.id().session(), header.file())) {
      // The session ended while the payload was on its way, and its records were looked for.
      refuseEnded(asker, header.id());
      ended.foundLate(header.id(), header.file());
      return;
    }
    // It may be pending already, for another connection or from an earlier try.
    Put put =
        puts.computeIfAbsent(
            header.id(),
            key -> new Put(header, message.forced(), message.checksums(), timers.nanos()));
    put.askers.add(asker);
    owed.owe(header.id(), message.forced());
    drive(put);
  }

  private void reached(RecordId record) {
    Put put = puts.get(record);
    if (put == null) return;
    put.reached = true;
    maybeAcknowledge(put);
  }

  private void drive(Put put) {
    put.redriveNanos = timers.nanos() + REDRIVE_NANOS;
    sender.send(put.header, put.forced, put.checksums);
  }

  public void confirmed(Data.Confirm confirm) {
    Put put = puts.get(confirm.record());
    int place = group.indexOf(confirm.member());
    if (put == null || place < 1) return;
    if (confirm.code() != ErrorCode.NONE) {
      if (!group.members().get(place).current()) return;
      warnings.warn("copies at " + confirm.member(), notYetAt(confirm));
      if (confirm.code() == ErrorCode.BUSY || confirm.code() == ErrorCode.NO_SPACE) {
        // It already waited there for room: the client gets the reason, and may use another group.
        puts.remove(confirm.record());
        refuse(put, confirm.code(), fullMember(confirm.member()));
      } else if (++put.refusals >= MEMBER_REFUSALS_MAX) {
        // A resend would be refused again, as long as this seat lives.
        puts.remove(confirm.record());
        refuse(put, confirm.code(), refusedBy(confirm));
      } else {
        put.redriveNanos = timers.nanos() + REFUSED_REDRIVE_NANOS;
      }
      return;
    }
    put.confirmed |= 1 << place;
    took(SeatLatencies.Operation.COPY, put);
    maybeAcknowledge(put);
  }

  /** Nothing is lost: the writer still has unacknowledged bytes. */
  private static String notYetAt(Data.Confirm confirm) {
    return "%s has not taken its copy of record %s yet (%s); the record is sent again, and its writer is not answered before"
        .formatted(confirm.member(), confirm.record(), confirm.code());
  }

  private static String refusedBy(Data.Confirm confirm) {
    return confirm.member() + " could not keep record " + confirm.record() + ": " + confirm.code();
  }

  /** Whether a record is kept by all members before that place, and not yet there. */
  public boolean waitsFor(int place) {
    int here = 1 << place;
    int before = everyone & (here - 1);
    for (Put put : puts.values()) {
      if ((put.confirmed & before) == before && (put.confirmed & here) == 0) return true;
    }
    return false;
  }

  private void maybeAcknowledge(Put put) {
    if (!put.reached || !isConfirmedByAll(put)) return;
    puts.remove(put.header.id());
    took(SeatLatencies.Operation.PUT, put);
    Data.PutDone done = new Data.PutDone(put.header.id());
    for (Asker asker : put.askers) asker.connection.send(asker.request, done);
  }

  private void took(SeatLatencies.Operation operation, Put put) {
    counters.latencies().add(operation, timers.nanos() - put.startNanos);
  }

  /** A record is acknowledged when every current member has confirmed it in this epoch (P9). */
  @Rule("P9")
  private boolean isConfirmedByAll(Put put) {
    return (put.confirmed & everyone) == everyone;
  }

  /** The next member can be reached again: resends what it may have missed. */
  public void peerUp(SeatId peer) {
    if (!sender.sendsTo(peer)) return;
    for (Put put : puts.values()) {
      if ((put.confirmed & everyone) != everyone) drive(put);
    }
  }

  /** Resends records that have been unconfirmed for too long, oldest first. */
  public void redrive() {
    for (Put put : List.copyOf(puts.values())) {
      if (put.redriveNanos - timers.nanos() > 0) continue;
      if (!store.present(put.header.id())) {
        // The record was deleted or found damaged: there is nothing to forward.
        puts.remove(put.header.id());
        refuse(put, ErrorCode.BUSY, "record " + put.header.id() + " went away; send it again");
        continue;
      }
      if (sender.congestion() != null) return;
      drive(put);
    }
  }

  private void refuseEnded(Asker asker, RecordId record) {
    String session = Long.toHexString(record.session());
    refuse(asker, ErrorCode.SESSION_ENDED, "session " + session + " has ended");
  }

  private void refuse(Put put, ErrorCode code, String detail) {
    for (Asker each : put.askers) refuse(each, code, detail);
  }

  private void refuse(Asker asker, ErrorCode code, String detail) {
    counters.refused();
    asker.connection.send(asker.request, new Replies.Failed(code, detail));
  }
}
