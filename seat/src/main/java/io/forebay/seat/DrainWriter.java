package io.forebay.seat;

import io.forebay.backing.Attempt;
import io.forebay.backing.AttemptId;
import io.forebay.backing.AttemptPlan;
import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.FileAttributes;
import io.forebay.backing.StorePath;
import io.forebay.base.planted.PlantedBug;
import io.forebay.drain.pace.DrainYield;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.zip.CRC32C;

/**
 * The second phase of a drain: gathers what homes of trees ask for and writes it to the backing
 * store, within a budget of memory, and no faster than leaves writers most of what they had.
 */
final class DrainWriter {
  /** Bytes that are being gathered or written; one write more is always allowed alone. */
  private static final long BYTES_MAX = 64L * 1024 * 1024;

  /** Requests that wait for their turn; more are refused for now. */
  private static final int WAITING_MAX = 1024;

  private static final int PERMILLE_PER_PERCENT = 10;

  private record Wanted(Connection connection, long request, Drains.WriteChunk chunk) {}

  private final Seat seat;
  private final DrainYield pace = new DrainYield();
  private final ArrayDeque<Wanted> waiting = new ArrayDeque<>();
  private long underWayBytes;

  DrainWriter(Seat seat) {
    this.seat = seat;
  }

  static Attempt attemptOf(Drains.AttemptIs attempt) {
    return new Attempt(
        new AttemptPlan(
            new AttemptId(attempt.id()),
            StorePath.of(attempt.target()),
            attempt.sizeBytes(),
            new FileAttributes(
                attempt.mode() & FileAttributes.MODE_MASK,
                attempt.user(),
                attempt.group(),
                attempt.modifyNanos())),
        attempt.handle());
  }

  void write(Connection connection, long request, Drains.WriteChunk chunk) {
    boolean sensible =
        chunk.lengthBytes() > 0
            && chunk.offset() >= 0
            && chunk.sources().size() <= Drains.SOURCES_MAX;
    if (!sensible) {
      refuse(connection, request, ErrorCode.INVALID, "a write that makes no sense");
    } else if (waiting.size() >= WAITING_MAX) {
      refuse(connection, request, ErrorCode.BUSY, seat.id() + " has too many writes under way");
    } else {
      waiting.add(new Wanted(connection, request, chunk));
      poll();
    }
  }

  void tick() {
    pace.tick(
        seat.counters().putBytes(), seat.overload().own().usedPermille() / PERMILLE_PER_PERCENT);
    poll();
  }

  private void poll() {
    while (true) {
      Wanted next = waiting.peek();
      if (next == null || !pace.allowsMore()) return;
      boolean fits = underWayBytes + next.chunk.lengthBytes() <= BYTES_MAX;
      if (!fits && underWayBytes > 0) return;
      waiting.remove();
      start(next);
    }
  }

  private void start(Wanted wanted) {
    Drains.WriteChunk chunk = wanted.chunk;
    Backing backing = seat.backings().of(chunk.instance());
    if (backing == null) {
      refuse(
          wanted.connection,
          wanted.request,
          ErrorCode.REFUSED,
          "there is no backing store here: " + seat.backings().problem(chunk.instance()));
      return;
    }
    underWayBytes += chunk.lengthBytes();
    pace.begins(chunk.lengthBytes());
    ChunkGathering[] gathering = new ChunkGathering[1];
    gathering[0] =
        new ChunkGathering(
            seat,
            backing,
            chunk,
            new ChunkGathering.Gathered() {
              @Override
              public void complete() {
                write(wanted, backing, gathering[0]);
              }

              @Override
              public void incomplete(String why) {
                end(wanted, gathering[0], new Replies.Failed(ErrorCode.GONE, why));
              }
            });
    gathering[0].start();
  }

  private void write(Wanted wanted, Backing backing, ChunkGathering gathering) {
    if (backing.room() == 0) {
      end(wanted, gathering, new Replies.Failed(ErrorCode.BUSY, "the backing store is busy"));
      return;
    }
    CRC32C crc = new CRC32C();
    for (ByteBuffer part : gathering.parts()) crc.update(part);
    Drains.WriteChunk chunk = wanted.chunk;
    backing.write(
        attemptOf(chunk.attempt()),
        chunk.offset(),
        gathering.parts(),
        answer ->
            end(
                wanted,
                gathering,
                answer instanceof Backing.Answer.Failed<Backing.Nothing> failed
                    ? failed(failed.failure())
                    : new Drains.ChunkWritten((int) crc.getValue(), seat.processStart())));
  }

  private void end(Wanted wanted, ChunkGathering gathering, Message reply) {
    gathering.close();
    underWayBytes -= wanted.chunk.lengthBytes();
    wanted.connection.send(wanted.request, reply);
    poll();
  }

  void force(Connection connection, long request, Drains.ForceChunks message) {
    boolean another = message.start() != seat.processStart();
    if (another && !seat.planted(PlantedBug.DRAIN_FORCES_FOR_LOST_WRITER)) {
      // What the process before this one wrote may be lost, and no force would tell.
      refuse(
          connection,
          request,
          ErrorCode.STALE_HANDLE,
          seat.serverOf(seat.id()) + " was started again before what it wrote was forced");
      return;
    }
    Backing backing = seat.backings().of(message.instance());
    if (backing == null || backing.room() == 0) {
      refuse(connection, request, ErrorCode.BUSY, "the backing store is busy");
      return;
    }
    backing.force(
        attemptOf(message.attempt()),
        answer ->
            connection.send(
                request,
                answer instanceof Backing.Answer.Failed<Backing.Nothing> failed
                    ? failed(failed.failure())
                    : new Replies.Done()));
  }

  /** What a store says, for whoever asked this seat. */
  static Replies.Failed failed(BackingFailure failure) {
    ErrorCode code =
        switch (failure.advice()) {
          case TRY_AGAIN -> ErrorCode.UNAVAILABLE;
          case BEGIN_AGAIN -> ErrorCode.STALE_HANDLE;
          case ACCEPT -> ErrorCode.STALE_HANDLE;
          case TELL_AND_WAIT -> ErrorCode.REFUSED;
        };
    return new Replies.Failed(code, failure.sentence());
  }

  private static void refuse(Connection connection, long request, ErrorCode code, String detail) {
    connection.send(request, new Replies.Failed(code, detail));
  }
}
