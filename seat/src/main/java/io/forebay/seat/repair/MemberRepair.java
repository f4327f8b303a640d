// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.repair;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.base.rule.Rule;
import io.forebay.ring.Group;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Loop;
import io.forebay.seat.part.MapView;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.peer.ManagerLink;
import io.forebay.seat.peer.Peers;
import io.forebay.seat.peer.Questions;
import io.forebay.seat.put.CopyQueue;
import io.forebay.seat.put.CopyQueues;
import io.forebay.store.Store;
import io.forebay.store.log.RecordHeader;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Repairs one member, in one epoch. {@link RecordComparison} finds the records of this seat that
 * the member lacks; they are owed to it, as is every record that arrives meanwhile, and each is
 * resent until the member has confirmed it.
 *
 * <p>When little is missing the member begins to count: from then on nothing is acknowledged or
 * committed without it. The records owed at that moment are its debt; once that is paid, it holds
 * everything acknowledged, and keeps doing so, whenever the manager makes it current.
 */
final class MemberRepair {
  /** The maximum number of owed records; beyond it the comparison has to be repeated. */
  private static final int OWED_MAX = 64 * 1024;

  /** The comparison pauses while this many records are owed. */
  private static final int OWED_ENOUGH = 4096;

  /** A member from which no more than this is missing begins to count... */
  private static final long DEBT_BYTES_MAX = 64L * 1024 * 1024;

  private static final long ENTRIES_LACKING_MAX = 256;

  /** ...and in the end regardless of what is missing: then writers have to wait for it. */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private static final long UNDER_WAY_BYTES_MAX = 16L * 1024 * 1024;

  /** Records read and sent at one call, so that the loop can do other things. */
  private static final int SENDS_AT_ONCE = 64;

  private static final long RESEND_NANOS = 3_000_000_000L;

  /** After the member has said that it cannot keep more at present. */
  private static final long REFUSED_PAUSE_NANOS = 200_000_000L;

  /** The maximum silence of a member that counts, before it no longer counts. */
  private static final long SILENCE_NANOS_MAX = 2_000_000_000L;

  /** How long writers may wait for its debt. */
  private static final long DEBT_NANOS_MAX = 30_000_000_000L;

  private static final long ASK_MANAGER_NANOS = 1_000_000_000L;
  private static final long ANSWER_NANOS = ProtocolTimes.DEFAULT.requests().answerNanos();

  private record Sent(int payloadBytes, boolean forced, long nanos) {}

  private final MapView maps;
  private final Timers timers;
  private final Store store;
  private final Loop loop;
  private final Questions questions;
  private final Peers peers;
  private final ManagerLink manager;
  private final CorruptRecordRepair mending;
  private final RepairPace repairPace;
  private final CopyQueues copies;
  private final RepairedHome home;
  private final Group group;
  private final Group.Member member;
  private final RecordComparison comparison;
  private final Map<RecordId, Boolean> owed = new LinkedHashMap<>();
  private final Map<RecordId, Sent> underWay = new LinkedHashMap<>();

  /** Deleted while in flight: deleted there once they have arrived. */
  private final Set<RecordId> doomed = new LinkedHashSet<>();

  /** Damaged here, and about to be replaced. */
  private final Map<RecordId, Boolean> unmended = new LinkedHashMap<>();

  private final TreeSet<RecordId> debt = new TreeSet<>();
  private long underWayBytes;
  private long pausedUntilNanos;
  private boolean begun;
  private boolean counted;
  private long countedNanos;
  private long comparedNanos;
  private long heardNanos;
  private boolean asked;
  private long askedNanos;

  MemberRepair(RepairParts parts, RepairedHome home, Group.Member member) {
    Basics basics = parts.basics();
    this.maps = basics.maps();
    this.timers = basics.timers();
    this.store = basics.store();
    this.loop = basics.loop();
    this.questions = parts.links().questions();
    this.peers = parts.links().peers();
    this.manager = parts.links().manager();
    this.mending = parts.mending();
    this.repairPace = parts.pace();
    this.copies = parts.copies();
    this.home = home;
    this.group = home.group();
    this.member = member;
    this.comparison = new RecordComparison(basics, questions, home, member.seat(), this::lacks);
    this.pausedUntilNanos = timers.nanos();
  }

  SeatId seat() {
    return member.seat();
  }

  long totalBytes() {
    return comparison.totalBytes();
  }

  long doneBytes() {
    return Math.max(0, comparison.comparedBytes() - leftBytes());
  }

  private long leftBytes() {
    long left = underWayBytes;
    for (RecordId record : owed.keySet()) left += Math.max(0, store.payloadBytes(record));
    return left;
  }

  private void lacks(RecordId record, boolean forced) {
    if (!underWay.containsKey(record)) owed.merge(record, forced, Boolean::logicalOr);
  }

  /** What comes during a repair is owed to the member, unless the comparison finds it (P11). */
  @Rule("P11")
  void owe(RecordId record, boolean forced) {
    if (!begun) return;
    if (owed.size() < OWED_MAX || owed.containsKey(record)) lacks(record, forced);
    else comparison.again();
  }

  void killed(List<Data.Dead> dead) {
    for (RecordId record : underWay.keySet()) {
      FileId file = store.file(record);
      if (file != null && dead.stream().anyMatch(each -> names(each, record, file))) {
        doomed.add(record);
      }
    }
  }

  private static boolean names(Data.Dead dead, RecordId record, FileId file) {
    if (dead.wholeFile()) return dead.file().equals(file);
    return dead.session() == record.session()
        && dead.fromSequence() <= record.sequence()
        && record.sequence() <= dead.toSequence();
  }

  void confirmed(Data.Confirm confirm) {
    RecordId record = confirm.record();
    Sent sent = underWay.remove(record);
    if (sent != null) underWayBytes -= sent.payloadBytes;
    boolean settled = confirm.code() == ErrorCode.NONE || confirm.code() == ErrorCode.GONE;
    if (settled) {
      heardNanos = timers.nanos();
      owed.remove(record);
      debt.remove(record);
    } else if (sent != null) {
      owed.put(record, sent.forced);
      pausedUntilNanos = timers.nanos() + REFUSED_PAUSE_NANOS;
    }
    if (doomed.remove(record)) dropThere(record);
    // It has a tombstone, which only a leased home's word brings about: this seat, then not a
    // member that was reached, missed it.
    if (confirm.code() == ErrorCode.GONE) home.drop(List.of(Data.Dead.record(record)));
  }

  /** A record that arrives after its tombstone would stay forever. */
  private void dropThere(RecordId record) {
    questions.ask(
        member.seat(),
        new Data.KillCopies(group.id(), group.epoch(), List.of(Data.Dead.record(record))),
        ANSWER_NANOS,
        reply -> {
          if (!(reply instanceof Replies.Done) && !home.stopped()) dropThere(record);
        });
  }

  void poll() {
    if (!home.serving()) return;
    boolean reachable =
        peers.reachable(member.seat(), Lane.CONTROL) && peers.reachable(member.seat(), Lane.INGEST);
    if (reachable) {
      begin();
      if (owed.size() < OWED_ENOUGH) comparison.poll();
      send();
    }
    settle(reachable);
  }

  private void begin() {
    if (begun) return;
    begun = true;
    if (!home.begun(member.seat())) home.wantSnapshot();
    comparison.start();
  }

  private void send() {
    CopyQueue queue = copies.to(member.seat());
    if (timers.nanos() - pausedUntilNanos < 0) return;
    Iterator<Map.Entry<RecordId, Boolean>> next = owed.entrySet().iterator();
    for (int i = 0; i < SENDS_AT_ONCE && next.hasNext(); i++) {
      // Writers' copies go first.
      if (underWayBytes >= UNDER_WAY_BYTES_MAX || !queue.idle()) return;
      if (!repairPace.allowsMore()) return;
      Map.Entry<RecordId, Boolean> each = next.next();
      RecordId record = each.getKey();
      boolean forced = each.getValue();
      next.remove();
      send(queue, record, forced);
    }
    if (next.hasNext()) loop.wake();
  }

  private void send(CopyQueue queue, RecordId record, boolean forced) {
    FileId file = store.file(record);
    if (mending.awaits(record)) {
      unmended.put(record, forced);
      return;
    }
    if (file == null || !store.present(record) || maps.hasEnded(file.instance())) {
      // Deleted meanwhile, so that it is not needed; or lost, so that it cannot be sent.
      debt.remove(record);
      return;
    }
    int bytes = store.payloadBytes(record);
    underWay.put(record, new Sent(bytes, forced, timers.nanos()));
    underWayBytes += bytes;
    repairPace.sent(bytes);
    RecordHeader header = RecordHeader.data(record, file, 0, group.id().number(), bytes);
    queue.add(new CopyQueue.Copy(group.id(), group.epoch(), header, forced, null));
  }

  /** Resends what was not answered. */
  void tick() {
    unmended.forEach((record, forced) -> owed.merge(record, forced, Boolean::logicalOr));
    unmended.clear();
    Iterator<Map.Entry<RecordId, Sent>> each = underWay.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<RecordId, Sent> oldest = each.next();
      Sent sent = oldest.getValue();
      if (timers.nanos() - sent.nanos < RESEND_NANOS) return;
      each.remove();
      underWayBytes -= sent.payloadBytes;
      owed.merge(oldest.getKey(), sent.forced, Boolean::logicalOr);
    }
  }

  // The end of the repair.

  private void settle(boolean reachable) {
    boolean compared = begun && comparison.done();
    long now = timers.nanos();
    if (!compared) comparedNanos = now;
    if (!counted) {
      if (!reachable || !compared || now - pausedUntilNanos < 0) return;
      // Damaged records are not compared: the member would be complete without them.
      if (mending.awaits(group.id())) return;
      // The snapshot with which its journal begins would never be committed if it counted before.
      boolean little =
          home.begun(member.seat())
              && home.lacking(member.seat()) <= ENTRIES_LACKING_MAX
              && (now - comparedNanos > PATIENCE_NANOS || littleOwed());
      if (little) count(true);
      return;
    }
    if (asked) {
      if (now - askedNanos > ASK_MANAGER_NANOS) askManager();
      return;
    }
    boolean complete = compared && isPaid() && home.lacking(member.seat()) == 0;
    if (complete) {
      // There is no way back from here: the manager may have received it, whatever its answer is.
      asked = true;
      askManager();
    } else if (!compared
        || now - heardNanos > SILENCE_NANOS_MAX
        || now - countedNanos > DEBT_NANOS_MAX) {
      count(false);
      pausedUntilNanos = now + REFUSED_PAUSE_NANOS;
    }
  }

  /** A member becomes current only with everything that it was owed (P11). */
  @Rule("P11")
  private boolean isPaid() {
    return debt.isEmpty();
  }

  private boolean littleOwed() {
    return owed.size() <= OWED_ENOUGH && leftBytes() <= DEBT_BYTES_MAX;
  }

  private void count(boolean counts) {
    counted = counts;
    countedNanos = timers.nanos();
    heardNanos = countedNanos;
    debt.clear();
    if (counts) {
      debt.addAll(owed.keySet());
      debt.addAll(underWay.keySet());
      debt.addAll(unmended.keySet());
    }
    home.count(member.seat(), counts);
  }

  private void askManager() {
    askedNanos = timers.nanos();
    manager.ask(
        new Maps.MemberComplete(group.id(), group.epoch(), member.seat(), member.incarnation()),
        ASK_MANAGER_NANOS,
        this::answered);
  }

  private void answered(@Nullable Message reply) {
    // A new map comes without a request, unless it was missed.
    if (reply instanceof Replies.Failed && !home.stopped()) maps.fetchMap();
  }
}
