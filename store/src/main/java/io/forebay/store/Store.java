// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import io.forebay.base.FileId;
import io.forebay.base.MonotonicClock;
import io.forebay.base.RecordId;
import io.forebay.base.rule.Rule;
import io.forebay.store.disk.Disk;
import io.forebay.store.index.HeldBytes;
import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.Mark;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.Scope;
import io.forebay.store.log.Stream;
import io.forebay.store.mark.Marks;
import io.forebay.store.record.AllReached;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Appender;
import io.forebay.store.segment.Flusher;
import io.forebay.store.segment.ReadBuffers;
import io.forebay.store.segment.Reader;
import io.forebay.store.segment.Reservation;
import io.forebay.store.segment.Reserve;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import io.forebay.store.segment.SlotReserve;
import io.forebay.store.segment.SsdWrites;
import io.forebay.store.tier.RoomLeft;
import io.forebay.store.tier.StoreConfig;
import io.forebay.store.upkeep.Compactor;
import io.forebay.store.upkeep.Freeing;
import io.forebay.store.upkeep.Housekeeper;
import io.forebay.store.upkeep.LogParts;
import io.forebay.store.upkeep.Rewriting;
import io.forebay.store.upkeep.Spill;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A seat's local store: records in a log of segments, found by their id. A record is reserved,
 * filled in place by its writer, and committed; from then on it is kept until a tombstone names it,
 * or, once it is marked clean, until its room is needed. Position in the log orders nothing.
 *
 * <p>Owned by one thread. Disk requests run between calls; {@link #poll} takes their answers,
 * notifies the waiters and frees room. After {@link Reserve.Full}, poll and retry.
 */
public final class Store {
  private static final long READ_BUFFER_BYTES = 64L * 1024 * 1024;

  /**
   * Upkeep looks at every segment. It is not done more often than this, and takes no more than this
   * share of the owner's time, for any number of segments.
   */
  private static final long UPKEEP_NANOS_MIN = 200_000;

  private static final int UPKEEP_SPACING = 10;

  private final StoreConfig config;
  private final StoreEvents events;
  private final Segments segments;
  private final SlotReserve room;
  private final Appender appender;
  private final Flusher flusher;
  private final Marks marks;
  private final Reader reader;
  private final Freeing freeing;
  private final Compactor compactor;
  private final Spill spill;
  private final Housekeeper housekeeper;
  private final List<Disk> disks;
  private final MonotonicClock clock;
  private boolean upkeepDue = true;
  private long nextUpkeepNanos;
  private final FoundDamage damage;
  private long suspectSegments;

  /** Built by {@link StoreOpening}, which also recovers the log. */
  Store(
      StoreConfig config,
      Segments segments,
      SlotReserve room,
      Set<Disk> disks,
      MonotonicClock clock,
      StoreEvents events) {
    this.config = config;
    this.events = events;
    this.damage = new FoundDamage(events);
    this.segments = segments;
    this.clock = clock;
    this.nextUpkeepNanos = clock.nanos();
    this.disks = new ArrayList<>(new LinkedHashSet<>(disks));
    this.room = room;
    this.appender = new Appender(room);
    this.flusher = new Flusher(this::suspect, clock);
    this.marks = new Marks(segments);
    this.reader =
        new Reader(
            new ReadBuffers(READ_BUFFER_BYTES),
            config.verifyMemoryReads(),
            damage::found,
            () -> upkeepDue = true);
    LogParts parts = new LogParts(room, segments, appender, flusher, marks);
    this.freeing = new Freeing(parts);
    this.compactor = new Compactor(parts, clock, damage::found);
    this.spill = new Spill(config, parts);
    this.housekeeper = new Housekeeper(parts, spill, freeing, compactor, new Rewriting(parts));
  }

  public StoreConfig config() {
    return config;
  }

  /**
   * How many segments are guaranteed to hold records in memory. An owner with slices of all of them
   * leaves no room for new records.
   */
  public int ingestSegments() {
    return room.ingestSlots();
  }

  /** What it must keep, by instance and group. */
  public HeldBytes held() {
    return segments.held;
  }

  /** How much room there is for new records. */
  public RoomLeft roomLeft() {
    return room.left();
  }

  /** Asks for room for a data record that is to reach that level. */
  public Reserve reserve(RecordHeader record, Level level) {
    requireForceable(level);
    if (record.payloadBytes() > config.payloadBytesMax()) {
      throw new IllegalArgumentException(
          "payload of " + record.payloadBytes() + " bytes; at most " + config.payloadBytesMax());
    }
    if (present(record.id())) return new Reserve.Duplicate();
    if (marks.killed(record)) return new Reserve.Dead();
    Appender.Attempt attempt = appender.reserve(Stream.INGEST, record, level);
    Reservation reservation = attempt.reservation();
    if (reservation != null) return new Reserve.Reserved(reservation);
    upkeepDue = true;
    return new Reserve.Full(attempt.reason());
  }

  /**
   * Ends a reservation whose payload is filled. Verifies its checksums in place, or computes them
   * when none are given. The record counts from now on; the waiter is notified when the record
   * reaches its level, unless it already has.
   */
  public Commit commit(Reservation reservation, int @Nullable [] checksums, Waiter waiter) {
    RecordHeader record = reservation.header;
    long standing = segments.index.find(record.id().session(), record.id().sequence());
    if (standing != RecordIndex.ABSENT && sound(standing)) {
      abandon(reservation);
      return Commit.DUPLICATE;
    }
    if (reservation.killed || marks.killed(record)) {
      abandon(reservation);
      return Commit.DEAD;
    }
    if (!appender.fill(reservation, checksums, State.LIVE)) {
      upkeepDue = true;
      return Commit.MISMATCH;
    }
    // A sound copy has come: the damaged one counts no longer.
    if (standing != RecordIndex.ABSENT) {
      segments.at(standing).change(RecordIndex.entryOf(standing), State.DEAD);
      marks.shadow(reservation.segment, segments.at(standing));
    }
    Segment segment = reservation.segment;
    segments.index.put(
        record.id().session(),
        record.id().sequence(),
        RecordIndex.location(segment.ordinal, reservation.entry));
    return reach(segment, reservation.level, waiter);
  }

  /** Gives up a reservation: its room is void. */
  public void abandon(Reservation reservation) {
    appender.abandon(reservation);
    upkeepDue = true;
  }

  /** Asks that a record which is here already reaches a level. */
  public Commit require(RecordId id, Level level, Waiter waiter) {
    requireForceable(level);
    long location = segments.index.find(id.session(), id.sequence());
    if (location == RecordIndex.ABSENT || !sound(location)) return Commit.ABSENT;
    Segment segment = segments.at(location);
    if (level == Level.FORCED && !segment.suspect && !room.giveFile(segment)) {
      upkeepDue = true;
      return Commit.FULL;
    }
    return reach(segment, level, waiter);
  }

  /** Whether a sound record of that id is here. */
  public boolean present(RecordId id) {
    long location = segments.index.find(id.session(), id.sequence());
    return location != RecordIndex.ABSENT && sound(location);
  }

  /** The payload's length of a record, or -1 when it is not here. */
  public int payloadBytes(RecordId id) {
    long location = segments.index.find(id.session(), id.sequence());
    if (location == RecordIndex.ABSENT) return -1;
    return segments.at(location).table.payloadBytes(RecordIndex.entryOf(location));
  }

  /** The file a record belongs to, or null when it is not here. */
  public @Nullable FileId file(RecordId id) {
    long location = segments.index.find(id.session(), id.sequence());
    if (location == RecordIndex.ABSENT) return null;
    return segments.at(location).table.file(RecordIndex.entryOf(location));
  }

  /** The number of the group a record belongs to, or -1 when it is not here. */
  public int group(RecordId id) {
    long location = segments.index.find(id.session(), id.sequence());
    if (location == RecordIndex.ABSENT) return -1;
    return segments.at(location).table.group(RecordIndex.entryOf(location));
  }

  /**
   * The checksums that a record in memory was committed with, from a block on, so that a reader can
   * verify without computing them again. Null if the record is on the SSD only: reads verify it.
   */
  public int @Nullable [] checksums(RecordId id, int firstBlock, int blocks) {
    long location = segments.index.find(id.session(), id.sequence());
    if (location == RecordIndex.ABSENT) return null;
    Segment segment = segments.at(location);
    return segment.image == null
        ? null
        : appender.checksums(segment, RecordIndex.entryOf(location), firstBlock, blocks);
  }

  /** Shows all data records, some at a call; see {@link RecordWalk}. */
  public RecordWalk walk() {
    return new RecordWalk(segments);
  }

  /** Reads a piece of a data record. */
  public void read(RecordId id, int offset, int lengthBytes, ReadResult.Receiver receiver) {
    long location = segments.index.find(id.session(), id.sequence());
    if (location == RecordIndex.ABSENT) receiver.received(new ReadResult.Absent());
    else readAt(location, offset, lengthBytes, receiver);
  }

  /** Reads a whole data record and compares it with its checksums, wherever it stands. */
  public void verify(RecordId id, ReadResult.Receiver receiver) {
    long location = segments.index.find(id.session(), id.sequence());
    if (location == RecordIndex.ABSENT) receiver.received(new ReadResult.Absent());
    else reader.verify(segments.at(location), RecordIndex.entryOf(location), receiver);
  }

  /**
   * Data records that were found damaged since the last call. Of very many, some are left out; a
   * walk shows them while their segments exist.
   */
  public List<RecordId> takeDamaged() {
    return damage.take();
  }

  /**
   * Appends an entry to one of the seat's journals. An entry of the same index and a lower epoch is
   * replaced; one of the same epoch makes it a duplicate. It is dead if one of a higher epoch
   * stands there, or if that part of the journal was trimmed or cut off.
   */
  public Commit journal(
      long journal, long epoch, long index, ByteBuffer payload, Level level, Waiter waiter) {
    requireForceable(level);
    long standing = segments.journals.epoch(journal, index);
    if (standing == epoch) return Commit.DUPLICATE;
    if (standing > epoch || marks.killedEntry(journal, epoch, index)) return Commit.DEAD;
    RecordHeader record =
        new RecordHeader(
            RecordType.JOURNAL,
            new RecordId(epoch, index),
            new FileId(0, journal),
            0,
            0,
            payload.remaining());
    Reservation reservation = append(record, payload, level);
    if (reservation == null) return Commit.FULL;
    Segment segment = reservation.segment;
    long location = RecordIndex.location(segment.ordinal, reservation.entry);
    long replaced = segments.journals.put(journal, epoch, index, location);
    if (replaced != RecordIndex.ABSENT) {
      Segment old = segments.at(replaced);
      marks.shadow(segment, old);
      old.change(RecordIndex.entryOf(replaced), State.DEAD);
      old.diedAt = segments.stamp;
    }
    return reachInOrder(level, waiter);
  }

  /** Requests that all journal entries and marks appended so far reach a level. */
  public Commit reachJournals(Level level, Waiter waiter) {
    requireForceable(level);
    return reachInOrder(level, waiter);
  }

  /** The lowest index a journal holds, or -1. */
  public long journalFirst(long journal) {
    return segments.journals.first(journal);
  }

  /** The highest index a journal holds, or -1. */
  public long journalLast(long journal) {
    return segments.journals.last(journal);
  }

  /** The epoch of a journal's entry, or -1 when it is not here. */
  public long journalEpoch(long journal, long index) {
    return segments.journals.epoch(journal, index);
  }

  /**
   * The lowest epoch in which entries may be appended: a tail that was cut is cut for every lower
   * one, and stays so while the cut is remembered.
   */
  public long journalEpochMin(long journal) {
    return marks.cutEpoch(journal);
  }

  /** Reads a whole journal entry and verifies its checksums: no other code would. */
  public void readJournal(long journal, long index, ReadResult.Receiver receiver) {
    long location = segments.journals.location(journal, index);
    if (location == RecordIndex.ABSENT) {
      receiver.received(new ReadResult.Absent());
      return;
    }
    reader.verify(segments.at(location), RecordIndex.entryOf(location), receiver);
  }

  /**
   * Writes a tombstone: the records in its scopes are dead. All of it takes effect, or none when
   * there is no room (FULL).
   */
  public Commit kill(List<Scope> scopes, Level level, Waiter waiter) {
    return mark(RecordType.TOMBSTONE, new Mark(0, scopes), level, waiter);
  }

  /**
   * Writes a clean mark: the drained copies of these data records are verified, so they may be
   * evicted, the lowest age first.
   */
  public Commit markClean(long age, List<Scope> scopes, Level level, Waiter waiter) {
    for (Scope scope : scopes) {
      if (scope instanceof Scope.JournalHead || scope instanceof Scope.JournalTail) {
        throw new IllegalArgumentException("journal entries are never clean: " + scope);
      }
    }
    return mark(RecordType.CLEAN, new Mark(age, scopes), level, waiter);
  }

  /**
   * Gives up a record without a tombstone: its room can be used, and the same record can be taken
   * in again. It may be here again after the next recovery.
   */
  public void giveUp(RecordId id) {
    long location = segments.index.find(id.session(), id.sequence());
    if (location == RecordIndex.ABSENT) return;
    housekeeper.giveUp(location);
    upkeepDue = true;
  }

  /** How many scopes one mark can take. */
  public int scopesMax() {
    return Mark.scopesMax(config.payloadBytesMax());
  }

  /** Evicts clean data, oldest first, and says how many bytes it were. */
  public long evict(long wantedBytes) {
    upkeepDue = true;
    return housekeeper.evict(wantedBytes);
  }

  /** Asks that the oldest segment in memory moves to the SSD, and says whether one will. */
  public boolean spillOldest() {
    return spill.startOldest();
  }

  /** Asks that the segment of which least counts is emptied, and says whether one will. */
  public boolean compactEmptiest() {
    if (compactor.busy()) return false;
    Segment emptiest = housekeeper.emptiest();
    if (emptiest == null) return false;
    compactor.start(emptiest);
    upkeepDue = true;
    return true;
  }

  /** Takes no further record into the open segments, so that they can be spilled or emptied. */
  public void seal() {
    for (Stream stream : Stream.values()) {
      Segment segment = appender.active(stream);
      if (segment != null) appender.seal(segment);
    }
    upkeepDue = true;
  }

  /** Answers when everything committed so far is forced. */
  public Commit forceAll(Waiter waiter) {
    requireForceable(Level.FORCED);
    List<Segment> unforced = new ArrayList<>();
    for (Segment segment : segments.all()) {
      if (segment.empty() || !segment.lacks(Level.FORCED)) continue;
      if (!segment.suspect && !room.giveFile(segment)) {
        upkeepDue = true;
        return Commit.FULL;
      }
      unforced.add(segment);
    }
    AllReached all = new AllReached(unforced.size(), waiter);
    for (Segment segment : unforced) flusher.want(segment, Level.FORCED, all);
    return unforced.isEmpty() ? Commit.DONE : Commit.PENDING;
  }

  /**
   * Copies data in memory that dies with the process into free slots that survive it, as far as
   * there are any; returns whether all of it was copied. For an orderly shutdown; no request may be
   * pending.
   */
  public boolean saveDying() {
    boolean saved = true;
    for (Segment segment : segments.all()) {
      boolean endangered = segment.imageDies() && segment.file == null && !segment.empty();
      if (endangered && !room.moveToLasting(segment)) saved = false;
    }
    return saved;
  }

  /** Takes the disks' answers and does a step of upkeep; returns whether anything was pending. */
  public boolean poll() {
    int answers = 0;
    for (Disk disk : disks) answers += disk.poll();
    upkeepDue |= answers > 0 || compactor.busy() || compactor.retryDue() || freeing.busy();
    long startNanos = clock.nanos();
    boolean now = upkeepDue && startNanos - nextUpkeepNanos >= 0;
    if (now) {
      upkeepDue = false;
      housekeeper.maintain();
      long endNanos = clock.nanos();
      nextUpkeepNanos =
          endNanos + Math.max(UPKEEP_NANOS_MIN, (endNanos - startNanos) * UPKEEP_SPACING);
    }
    return now || upkeepDue || pending() > 0;
  }

  /** Requests to disks that are not answered yet. */
  public int pending() {
    int pending = 0;
    for (Disk disk : disks) pending += disk.pending();
    return pending;
  }

  public StoreStats stats() {
    StoreStats.Counters counters =
        StoreStats.counted(
            flusher, freeing, spill, housekeeper, compactor, marks, damage, suspectSegments);
    return StoreStats.of(segments, room, counters, flusher.forceTimes());
  }

  /** The bytes of each instance that were written to the SSD, to be taken by the owner. */
  public SsdWrites ssdWrites() {
    return flusher.writes();
  }

  /** For recovery. */
  Marks marks() {
    return marks;
  }

  private Commit mark(RecordType type, Mark mark, Level level, Waiter waiter) {
    requireForceable(level);
    long number = marks.nextNumber();
    int bytes = Mark.payloadBytes(mark.scopes().size());
    RecordHeader record =
        new RecordHeader(type, new RecordId(0, number), new FileId(0, 0), 0, 0, bytes);
    ByteBuffer payload = ByteBuffer.allocate(bytes);
    mark.write(payload);
    Reservation reservation = append(record, payload, level);
    if (reservation == null) return Commit.FULL;
    Segment segment = reservation.segment;
    marks.apply(number, type, mark, segment, reservation.entry);
    if (type == RecordType.TOMBSTONE) killReservations();
    upkeepDue = true;
    return reachInOrder(level, waiter);
  }

  /**
   * A tombstone lasts no longer than the records that it finds. Records that are still being filled
   * are not among them, so they remember it themselves.
   */
  private void killReservations() {
    for (Reservation reservation : appender.open()) {
      if (marks.killed(reservation.header)) reservation.killed = true;
    }
  }

  /** Appends a small record of the seat's own; its payload is copied, since it is built here. */
  private @Nullable Reservation append(RecordHeader record, ByteBuffer payload, Level level) {
    if (payload.remaining() > config.payloadBytesMax()) {
      throw new IllegalArgumentException(
          "payload of " + payload.remaining() + " bytes; at most " + config.payloadBytesMax());
    }
    Reservation reservation = appender.reserve(Stream.JOURNAL, record, level).reservation();
    if (reservation == null) {
      upkeepDue = true;
      return null;
    }
    reservation.payload().put(payload.duplicate());
    appender.fill(reservation, null, State.LIVE);
    segments.markJournalled(reservation.segment);
    segments.stamp++;
    return reservation;
  }

  private Commit reach(Segment segment, Level level, Waiter waiter) {
    if (segment.fileComplete || (level == Level.KEPT && keptInMemory(segment))) return Commit.DONE;
    flusher.want(segment, level, waiter);
    return Commit.PENDING;
  }

  /**
   * Waits for everything of journals and marks that was appended before, wherever it stands: an
   * entry that is safe while an earlier one is not would leave a hole in its journal.
   */
  private Commit reachInOrder(Level level, Waiter waiter) {
    boolean memoryKeeps =
        config.mode() == StoreConfig.Mode.MEMORY || room.memory.existingDying() == 0;
    if (level == Level.KEPT && memoryKeeps) return Commit.DONE;
    List<Segment> lacking = new ArrayList<>();
    for (Segment segment : segments.journalled()) {
      if (level == Level.KEPT && keptInMemory(segment)) continue;
      if (segment.liveBytes > 0 && segment.lacks(level)) lacking.add(segment);
    }
    AllReached all = new AllReached(lacking.size(), waiter);
    for (Segment segment : lacking) {
      if (segment.suspect || !room.giveFile(segment)) {
        all.answered(new Waiter.Answer.Failed("segment " + segment.number() + " cannot be forced"));
      } else {
        flusher.want(segment, level, all);
      }
    }
    return lacking.isEmpty() ? Commit.DONE : Commit.PENDING;
  }

  /** Whether a filled record is kept without being written to a file. */
  private boolean keptInMemory(Segment segment) {
    return segment.image != null && mayKeepInMemory(segment);
  }

  /**
   * Memory that dies with the process keeps nothing (P19). Without an SSD the operator has accepted
   * such memory, and the log says that it is in use.
   */
  @Rule("P19")
  private boolean mayKeepInMemory(Segment segment) {
    return !config.hasSsd() || !segment.imageDies();
  }

  private boolean sound(long location) {
    return segments.at(location).table.state(RecordIndex.entryOf(location)) != State.DAMAGED;
  }

  private void readAt(long location, int offset, int lengthBytes, ReadResult.Receiver receiver) {
    reader.read(
        segments.at(location), RecordIndex.entryOf(location), offset, lengthBytes, receiver);
  }

  private void suspect(Segment segment, String detail) {
    suspectSegments++;
    appender.seal(segment);
    upkeepDue = true;
    events.segmentSuspect(segment.number(), detail);
  }

  private void requireForceable(Level level) {
    if (level == Level.FORCED && !config.hasSsd()) {
      throw new IllegalArgumentException("a store in memory only cannot force");
    }
  }
}
