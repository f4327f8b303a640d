package io.forebay.store;

import io.forebay.base.BlockChecksums;
import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.RecordCodec;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.Stream;
import io.forebay.store.tier.Slot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Moves what counts out of one segment after another, so that the segment can be freed. A record
 * keeps its identity; its old copy counts until the new one is as safe as the old one was. Each is
 * verified on the way, so that damage is never copied on as if it were sound.
 */
final class Compactor {
  private static final int WINDOW_BYTES = 4 * 1024 * 1024;

  private final Segments segments;
  private final Appender appender;
  private final Flusher flusher;
  private final Marks marks;
  private final StoreConfig config;
  private final Reader.DamageListener damage;
  private final RecordCodec codec = new RecordCodec();
  private @Nullable Job job;
  private long movedBytes;

  Compactor(
      StoreConfig config,
      Segments segments,
      Appender appender,
      Flusher flusher,
      Marks marks,
      Reader.DamageListener damage) {
    this.config = config;
    this.segments = segments;
    this.appender = appender;
    this.flusher = flusher;
    this.marks = marks;
    this.damage = damage;
  }

  boolean busy() {
    return job != null;
  }

  /** Begins to empty a sealed segment. */
  void start(Segment source) {
    if (job != null) throw new IllegalStateException("a compaction is under way");
    job = new Job(source);
  }

  /** Goes on with what is under way: at most one window of bytes. */
  void step() {
    Job current = job;
    if (current != null) current.step();
  }

  long movedBytes() {
    return movedBytes;
  }

  /** A record on its way: where it counts, and its new copy. */
  private record Move(int entry, Segment target, int targetEntry) {}

  /** The emptying of one segment. */
  private final class Job {
    private final Segment source;
    private final Level level;
    private final TreeSet<Segment> targets =
        new TreeSet<>(Comparator.comparingLong(Segment::number));
    private final List<Move> moving = new ArrayList<>();
    private int next;
    private int waits;
    private boolean reading;
    private boolean failed;
    private @Nullable ByteBuffer window;
    private int windowPosition;
    private int windowEnd;

    Job(Segment source) {
      this.source = source;
      this.level = config.hasSsd() && source.file != null ? Level.FORCED : Level.KEPT;
      source.pins++;
    }

    void step() {
      if (reading || waits > 0) return;
      int budget = WINDOW_BYTES;
      while (!failed && budget > 0 && skipToNext()) {
        int bytes = source.table.recordBytes(next);
        ByteBuffer from = sourceBytes();
        if (from == null || !move(from)) break;
        budget -= bytes;
        next++;
      }
      if (!moving.isEmpty()) awaitSafety();
      else if (failed || (!reading && next >= source.table.size())) end();
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
        target = ByteBuffer.allocateDirect(Math.max(bytes, WINDOW_BYTES));
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
        damage.damaged(source, next);
        return true;
      }
      Appender.Attempt attempt = appender.reserve(Stream.RELOCATION, header, level);
      Reservation reservation = attempt.reservation();
      if (reservation == null) return false;
      reservation.payload().put(payload(from, at, header));
      appender.fillVerified(reservation, checksums, State.MOVING);
      if (targets.add(reservation.segment)) reservation.segment.pins++;
      if (header.type() != RecordType.DATA) segments.markJournalled(reservation.segment);
      moving.add(new Move(next, reservation.segment, reservation.entry));
      movedBytes += header.recordBytes();
      return true;
    }

    private static ByteBuffer payload(ByteBuffer from, int at, RecordHeader header) {
      return from.slice(at + header.payloadOffset(), header.payloadBytes());
    }

    /** Waits until the new copies are as safe as the old ones; then they count. */
    private void awaitSafety() {
      List<Move> batch = List.copyOf(moving);
      moving.clear();
      TreeSet<Segment> written = new TreeSet<>(targets.comparator());
      for (Move move : batch) written.add(move.target);
      waits = written.size();
      for (Segment target : written) {
        List<Move> moves = batch.stream().filter(m -> m.target == target).toList();
        if ((level == Level.KEPT && target.lastingImage()) || target.file == null) {
          settle(moves, Waiter.Answer.Reached.NOW);
        } else {
          flusher.want(target, level, answer -> settle(moves, answer));
        }
      }
    }

    private void settle(List<Move> moves, Waiter.Answer answer) {
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
        case DATA -> segments.index.put(table.session(entry), table.sequence(entry), location);
        case JOURNAL ->
            segments.journals.put(
                table.fileNumber(entry), table.session(entry), table.sequence(entry), location);
        case TOMBSTONE, CLEAN -> marks.moved(table.sequence(entry), location);
      }
    }

    private void end() {
      marks.copied(source, targets);
      for (Segment target : targets) target.pins--;
      source.pins--;
      // What is left is damaged; trying again would find the same.
      if (!failed && source.liveBytes + source.cleanBytes > 0) source.stuck = true;
      job = null;
    }
  }
}
