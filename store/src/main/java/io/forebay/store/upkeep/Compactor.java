// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.upkeep;

import io.forebay.base.BlockChecksums;
import io.forebay.base.MonotonicClock;
import io.forebay.base.rule.Rule;
import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.Mark;
import io.forebay.store.log.RecordCodec;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.Stream;
import io.forebay.store.mark.Marks;
import io.forebay.store.record.Level;
import io.forebay.store.record.Waiter;
import io.forebay.store.segment.Appender;
import io.forebay.store.segment.Flusher;
import io.forebay.store.segment.Reader;
import io.forebay.store.segment.Reservation;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;
import io.forebay.store.tier.Slot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Moves what counts out of one segment after another, so that the segment can be freed. A record
 * keeps its identity; its old copy counts until the new one is as safe as the old one was. Each
 * record is verified before it is copied, so that damage is never copied as intact data.
 */
public final class Compactor {
  private static final int WINDOW_BYTES = 4 * 1024 * 1024;
  private static final long RETRY_NANOS_MIN = 10_000_000;
  private static final int RETRY_DOUBLINGS_MAX = 12;

  private final Segments segments;
  private final Appender appender;
  private final Flusher flusher;
  private final Marks marks;
  private final MonotonicClock clock;
  private final Reader.DamageListener damage;
  private final RecordCodec codec = new RecordCodec();

  /** When segments that could not be emptied are tried again, the next first. */
  private final PriorityQueue<Long> retries = new PriorityQueue<>((a, b) -> Long.signum(a - b));

  private @Nullable Job job;
  private long movedBytes;

  public Compactor(LogParts parts, MonotonicClock clock, Reader.DamageListener damage) {
    this.segments = parts.segments();
    this.appender = parts.appender();
    this.flusher = parts.flusher();
    this.marks = parts.marks();
    this.clock = clock;
    this.damage = damage;
  }

  public boolean busy() {
    return job != null;
  }

  /** Begins to empty a sealed segment. */
  public void start(Segment source) {
    if (job != null) throw new IllegalStateException("a compaction is under way");
    job = new Job(source);
  }

  /** Continues the current compaction: at most one window of bytes. */
  void step() {
    Job current = job;
    if (current != null) current.step();
  }

  public long movedBytes() {
    return movedBytes;
  }

  /** Whether emptying a segment is not tried yet again, since it failed not long ago. */
  boolean tooSoon(Segment segment) {
    return segment.moveFailures > 0 && clock.nanos() - segment.moveAgainNanos < 0;
  }

  /** Whether the time has come to try again what failed; said once for each. */
  public boolean retryDue() {
    boolean due = false;
    while (!retries.isEmpty() && clock.nanos() - retries.peek() >= 0) {
      retries.remove();
      due = true;
    }
    return due;
  }

  private void retryLater(Segment segment) {
    long pause = RETRY_NANOS_MIN << Math.min(segment.moveFailures, RETRY_DOUBLINGS_MAX);
    segment.moveFailures++;
    segment.moveAgainNanos = clock.nanos() + pause;
    retries.add(segment.moveAgainNanos);
  }

  /** A record on its way: where it counts, and its new copy. */
  private record Move(int entry, Segment target, int targetEntry) {}

  /** The emptying of one segment. */
  private final class Job {
    private final Segment source;
    private final TreeSet<Segment> targets =
        new TreeSet<>(Comparator.comparingLong(Segment::number));
    private final List<Move> moving = new ArrayList<>();
    private int next;
    private int waits;
    private boolean reading;
    private boolean failed;
    private boolean roomless;
    private @Nullable ByteBuffer window;
    private int windowPosition;
    private int windowEnd;

    Job(Segment source) {
      this.source = source;
      source.pins++;
    }

    /** The level that makes the new copies as safe as the old ones are by now. */
    private Level level() {
      return source.file != null || source.evacuate ? Level.FORCED : Level.KEPT;
    }

    void step() {
      if (reading || waits > 0) return;
      int budget = WINDOW_BYTES;
      while (!failed && budget > 0 && skipToNext()) {
        int bytes = source.table.recordBytes(next);
        ByteBuffer from = sourceBytes();
        if (from == null) break;
        if (!move(from)) {
          roomless = true;
          break;
        }
        budget -= bytes;
        next++;
      }
      if (!moving.isEmpty()) awaitSafety();
      // Without room it gives up, so that other ways to find some are tried.
      else if (failed || roomless || (!reading && next >= source.table.size())) end();
    }

    /** Goes to the next record that counts. */
    private boolean skipToNext() {
      while (next < source.table.size()) {
        State state = source.table.state(next);
        if (state == State.LIVE || state == State.CLEAN) return true;
        next++;
      }
      return false;
    }

    /** The buffer in which the next record stands, or null while it is being read. */
    private @Nullable ByteBuffer sourceBytes() {
      if (source.image != null) {
        windowPosition = 0;
        return source.bytes();
      }
      int position = source.table.position(next);
      int end = position + source.table.recordBytes(next);
      if (window != null && position >= windowPosition && end <= windowEnd) return window;
      readWindow(position, end);
      return null;
    }

    private void readWindow(int position, int recordEnd) {
      Slot file = source.file;
      if (file == null)
        throw new IllegalStateException("segment " + source.number() + " is nowhere");
      int bytes = Math.max(recordEnd - position, Math.min(WINDOW_BYTES, source.tail - position));
      ByteBuffer target = window;
      if (target == null || target.capacity() < bytes) {
        int most = Math.min(WINDOW_BYTES, source.header.segmentBytes());
        target = ByteBuffer.allocateDirect(Math.max(bytes, most));
      }
      window = target;
      windowPosition = position;
      windowEnd = position + bytes;
      reading = true;
      file.disk()
          .read(
              file.name(),
              position,
              target.slice(0, bytes),
              outcome -> {
                reading = false;
                if (!outcome.succeeded()) {
                  failed = true;
                  source.stuck = true;
                }
              });
    }

    /** Copies the next record; false when there is no room for it now. */
    private boolean move(ByteBuffer from) {
      RecordTable table = source.table;
      int position = table.position(next);
      int at = position - windowPosition;
      RecordHeader header =
          codec.headerAt(
              from, at, position, source.header.segmentBytes(), source.header.generation());
      int[] checksums = codec.table(from, at, table.payloadBytes(next));
      if (header == null
          || codec.fillState(from, at, checksums) != RecordCodec.Fill.COMPLETE
          || BlockChecksums.firstMismatch(payload(from, at, header), checksums) >= 0) {
        return moveDamaged();
      }
      Appender.Attempt attempt = appender.reserve(Stream.RELOCATION, header, level());
      Reservation reservation = attempt.reservation();
      if (reservation == null) return false;
      reservation.payload().put(payload(from, at, header));
      appender.fillVerified(reservation, checksums, State.MOVING);
      moved(reservation);
      return true;
    }

    /** Drops damaged data; rewrites a mark that is needed, for it is known in memory. */
    private boolean moveDamaged() {
      RecordTable table = source.table;
      RecordType type = table.type(next);
      Marks.Live mark =
          type == RecordType.DATA || type == RecordType.JOURNAL
              ? null
              : marks.byNumber(table.sequence(next));
      if (mark == null) {
        damage.damaged(source, next);
        return true;
      }
      int bytes = Mark.payloadBytes(mark.mark.scopes().size());
      RecordHeader header = new RecordHeader(type, table.id(next), table.file(next), 0, 0, bytes);
      Reservation reservation = appender.reserve(Stream.RELOCATION, header, level()).reservation();
      if (reservation == null) return false;
      mark.mark.write(reservation.payload());
      appender.fill(reservation, null, State.MOVING);
      moved(reservation);
      return true;
    }

    private void moved(Reservation reservation) {
      if (targets.add(reservation.segment)) {
        reservation.segment.pins++;
        // From now on each may hold copies of what counts in the other.
        marks.shadow(reservation.segment, source);
        marks.shadow(source, reservation.segment);
      }
      RecordType type = reservation.header().type();
      if (type == RecordType.TOMBSTONE || type == RecordType.CLEAN) {
        marks.stands(reservation.header().id().sequence(), reservation.segment);
      }
      if (reservation.header().type() != RecordType.DATA) {
        segments.markJournalled(reservation.segment);
      }
      moving.add(new Move(next, reservation.segment, reservation.entry));
      movedBytes += reservation.header().recordBytes();
    }

    private static ByteBuffer payload(ByteBuffer from, int at, RecordHeader header) {
      return from.slice(at + header.payloadOffset(), header.payloadBytes());
    }

    /** Waits until the new copies are as safe as the old ones; then the new ones count. */
    private void awaitSafety() {
      List<Move> batch = List.copyOf(moving);
      moving.clear();
      TreeSet<Segment> written = new TreeSet<>(targets.comparator());
      for (Move move : batch) written.add(move.target);
      waits = written.size();
      for (Segment target : written) {
        await(target, batch.stream().filter(m -> m.target == target).toList());
      }
    }

    private void await(Segment target, List<Move> moves) {
      Level level = level();
      // A copy in memory that dies with the process is kept by its file, if it has one.
      boolean keptAtOnce = level == Level.KEPT && !(target.imageDies() && target.file != null);
      if (keptAtOnce) {
        settle(moves, level, Waiter.Answer.Reached.NOW);
      } else {
        flusher.want(target, level, answer -> settle(moves, level, answer));
      }
    }

    private void settle(List<Move> moves, Level reached, Waiter.Answer answer) {
      if (answer instanceof Waiter.Answer.Reached && reached != level()) {
        // The old copies were forced for a waiter during the move; so the new ones must be forced
        // too.
        await(moves.getFirst().target, moves);
        return;
      }
      waits--;
      boolean safe = answer instanceof Waiter.Answer.Reached;
      if (!safe) failed = true;
      for (Move move : moves) {
        State was = source.table.state(move.entry);
        boolean counts = was == State.LIVE || was == State.CLEAN;
        if (!safe || !counts) {
          move.target.change(move.targetEntry, State.DEAD);
          continue;
        }
        relocate(move);
        move.target.change(move.targetEntry, was);
        source.change(move.entry, State.DEAD);
      }
    }

    /** Lets the indexes point to the new copy. */
    private void relocate(Move move) {
      RecordTable table = move.target.table;
      int entry = move.targetEntry;
      long location = RecordIndex.location(move.target.ordinal, entry);
      RecordType type = table.type(entry);
      switch (type) {
        case DATA -> index(segments.index, table.session(entry), table.sequence(entry), location);
        case JOURNAL ->
            segments.journals.put(
                table.fileNumber(entry), table.session(entry), table.sequence(entry), location);
        case TOMBSTONE, CLEAN -> marks.moved(table.sequence(entry), move.target, entry);
      }
    }

    /** A record keeps its identity where it is moved, and is found under it (P17). */
    @Rule("P17")
    private static void index(RecordIndex index, long session, long sequence, long location) {
      index.put(session, sequence, location);
    }

    private void end() {
      marks.copied(source, targets);
      for (Segment target : targets) target.pins--;
      source.pins--;
      boolean emptied = source.empty();
      // The remaining records could not be read; a retry would find the same.
      if (!failed && !roomless && !emptied) source.stuck = true;
      source.roomless = roomless && !emptied;
      if (!emptied) retryLater(source);
      job = null;
    }
  }
}
