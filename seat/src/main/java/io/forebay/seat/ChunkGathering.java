package io.forebay.seat;

import io.forebay.backing.Backing;
import io.forebay.backing.StorePath;
import io.forebay.base.BlockChecksums;
import io.forebay.base.FileId;
import io.forebay.store.ReadResult;
import io.forebay.store.Slice;
import io.forebay.wire.message.Drains;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the bytes of one write to the backing store together: what this seat has stays where it is
 * in the log, what others have lands in buffers, and both are written from there.
 */
final class ChunkGathering {
  /** So many pieces are asked for at a time. */
  private static final int OPEN_MAX = 64;

  /** Told once. */
  interface Gathered {
    /** All bytes are in place, until {@link #close}. */
    void complete();

    /** Some bytes cannot be had. */
    void incomplete(String why);
  }

  private final Seat seat;
  private final Backing backing;
  private final Drains.WriteChunk chunk;
  private final Gathered gathered;
  private final List<ByteBuffer> parts = new ArrayList<>();
  private final List<Slice> slices = new ArrayList<>();

  /** What has to be got, in the order of the file. */
  private final List<Runnable> steps = new ArrayList<>();

  private int next;
  private int open;
  private boolean starting;
  private boolean over;
  private String problem = "";

  ChunkGathering(Seat seat, Backing backing, Drains.WriteChunk chunk, Gathered gathered) {
    this.seat = seat;
    this.backing = backing;
    this.chunk = chunk;
    this.gathered = gathered;
  }

  void start() {
    int at = 0;
    for (Drains.Source source : chunk.sources()) {
      boolean fits =
          source.chunkOffset() >= at
              && source.lengthBytes() > 0
              && source.lengthBytes() <= chunk.lengthBytes() - source.chunkOffset();
      if (!fits) {
        end("the plan makes no sense");
        return;
      }
      gap(at, source.chunkOffset());
      int part = parts.size();
      parts.add(ByteBuffer.allocate(0));
      steps.add(() -> take(source, part));
      at = source.chunkOffset() + source.lengthBytes();
    }
    gap(at, chunk.lengthBytes());
    goOn();
  }

  /** What no record has: zeros, or what the store has already. */
  private void gap(int from, int to) {
    if (from >= to) return;
    // New ones are zeros; a copy is needed since nothing in the log has these bytes.
    ByteBuffer buffer = ByteBuffer.allocateDirect(to - from);
    parts.add(buffer);
    long offset = chunk.offset() + from;
    long backedEnd = Math.min(chunk.backed().bytes(), chunk.offset() + to);
    if (backedEnd <= offset) return;
    ByteBuffer target = buffer.duplicate().limit((int) (backedEnd - offset));
    steps.add(() -> readBacked(offset, target));
  }

  private void goOn() {
    if (starting) return;
    starting = true;
    while (problem.isEmpty() && open < OPEN_MAX && next < steps.size()) {
      open++;
      steps.get(next++).run();
    }
    starting = false;
    boolean all = next == steps.size() || !problem.isEmpty();
    if (open == 0 && all && !over) end(problem);
  }

  private void end(String why) {
    over = true;
    if (why.isEmpty()) gathered.complete();
    else gathered.incomplete(why);
  }

  private void done(String why) {
    open--;
    if (problem.isEmpty()) problem = why;
    goOn();
  }

  private void take(Drains.Source source, int part) {
    FileId file = seat.store().file(source.record());
    boolean here =
        file != null
            && file.instance() == chunk.instance()
            && seat.store().present(source.record())
            && source.recordOffset()
                <= seat.store().payloadBytes(source.record()) - source.lengthBytes();
    if (!here) {
      fetch(source, part);
      return;
    }
    seat.store()
        .read(
            source.record(),
            source.recordOffset(),
            source.lengthBytes(),
            result -> {
              if (!(result instanceof ReadResult.Bytes bytes)) {
                fetch(source, part);
              } else if (!isSound(source, bytes.slice().bytes())) {
                bytes.slice().close();
                seat.mending().suspect(source.record());
                fetch(source, part);
              } else {
                slices.add(bytes.slice());
                parts.set(part, bytes.slice().bytes().duplicate());
                done("");
              }
            });
  }

  /** The log has verified parts of blocks; whole ones are verified by who gets them. */
  private boolean isSound(Drains.Source source, ByteBuffer bytes) {
    int start = source.recordOffset();
    int length = source.lengthBytes();
    int payloadBytes = seat.store().payloadBytes(source.record());
    if (!BlockChecksums.areWhole(start, length, payloadBytes)) return true;
    int[] expected =
        seat.store()
            .checksums(
                source.record(), start / BlockChecksums.BLOCK_BYTES, BlockChecksums.count(length));
    return expected == null || BlockChecksums.firstMismatch(bytes, expected) < 0;
  }

  private void fetch(Drains.Source source, int part) {
    // What another seat has must land somewhere before it can be written.
    ByteBuffer target = ByteBuffer.allocateDirect(source.lengthBytes());
    parts.set(part, target);
    PieceFetch.start(
        seat,
        source.group(),
        source.record(),
        chunk.instance(),
        source.recordOffset(),
        target,
        done -> done(done ? "" : "no seat has record " + source.record() + " now"));
  }

  private void readBacked(long offset, ByteBuffer target) {
    Drains.Backed backed = chunk.backed();
    if (backing.room() == 0) {
      done("too many requests to the backing store are under way");
      return;
    }
    backing.read(
        StorePath.of(backed.name()),
        backed.version(),
        offset,
        target,
        answer ->
            done(
                switch (answer) {
                  case Backing.Answer.Done<Integer> read ->
                      target.hasRemaining() ? "'" + backed.name() + "' is shorter than it was" : "";
                  case Backing.Answer.Failed<Integer> failed -> failed.failure().sentence();
                }));
  }

  /** The bytes, one part behind the other. */
  List<ByteBuffer> parts() {
    return parts.stream().map(ByteBuffer::duplicate).toList();
  }

  /** Lets go of the log. */
  void close() {
    for (Slice slice : slices) slice.close();
    slices.clear();
  }
}
