// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingPath;
import io.forebay.base.BlockChecksums;
import io.forebay.base.FileId;
import io.forebay.base.Timers;
import io.forebay.base.proof.ContentKey;
import io.forebay.seat.repair.CorruptRecordRepair;
import io.forebay.store.Store;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Drains;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the bytes of one write to the backing store: bytes of this seat stay in the log, bytes of
 * other seats land in slabs, and both are written from there. It takes no more slabs than the
 * length of its write, since each byte takes room in them at most once.
 */
final class ChunkGathering {
  /** The maximum number of pieces requested at a time. */
  private static final int OPEN_MAX = 64;

  /** The pause before a retry when too many reads are pending in this seat. */
  private static final long AGAIN_NANOS = 2_000_000L;

  private static final int AGAIN_MAX = 5_000;

  /** Told once. */
  interface Gathered {
    /** All bytes are in place, until {@link #close}. */
    void complete();

    /** Some bytes are unavailable. */
    void incomplete(String why);
  }

  /** Bytes of the log that stay until they are written. */
  private record Held(Slice slice, int part) {}

  private final WriterParts writer;
  private final Timers timers;
  private final Store store;
  private final CorruptRecordRepair mending;
  private final Backing backing;
  private final Drains.WriteChunk chunk;
  private final Slabs slabs;
  private final Gathered gathered;
  private final List<List<ByteBuffer>> parts = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private final List<ByteBuffer> taken = new ArrayList<>();

  /** The rest of the slab that was taken last. */
  private @Nullable ByteBuffer room;

  /** The pieces to get, in the order of the file. */
  private final List<Runnable> steps = new ArrayList<>();

  /** Of several files, the one with the next bytes, and where it begins. */
  private int member;

  private int memberStart;
  private int next;
  private int open;
  private int again;
  private boolean starting;
  private boolean over;
  private String problem = "";

  ChunkGathering(
      WriterParts writer,
      Backing backing,
      Drains.WriteChunk chunk,
      Slabs slabs,
      Gathered gathered) {
    this.writer = writer;
    this.timers = writer.basics().timers();
    this.store = writer.basics().store();
    this.mending = writer.mending();
    this.backing = backing;
    this.chunk = chunk;
    this.slabs = slabs;
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
      parts.add(List.of());
      steps.add(() -> take(source, part));
      at = source.chunkOffset() + source.lengthBytes();
    }
    gap(at, chunk.lengthBytes());
    goOn();
  }

  /** Bytes in no record, of one file or of several consecutive ones. */
  private void gap(int from, int to) {
    if (chunk.members().isEmpty()) {
      gap(from, to, chunk.offset(), chunk.backed());
      return;
    }
    while (member < chunk.members().size()) {
      Drains.Member current = chunk.members().get(member);
      int end = memberStart + current.lengthBytes();
      int start = Math.max(from, memberStart);
      if (start < Math.min(to, end)) gap(start, Math.min(to, end), -memberStart, current.backed());
      if (end > to) return;
      memberStart = end;
      member++;
    }
  }

  /**
   * The store's existing bytes, and then zeros.
   *
   * @param shift from an offset in the chunk to one in the file
   */
  private void gap(int from, int to, long shift, Drains.Backed backed) {
    int at = from;
    long backedEnd = Math.min(backed.bytes(), shift + to);
    if (at < to && backedEnd > shift + at) {
      List<ByteBuffer> targets = room((int) (backedEnd - shift) - at);
      parts.add(targets);
      for (ByteBuffer target : targets) {
        long offset = shift + at;
        steps.add(() -> readBacked(backed, offset, target.duplicate()));
        at += target.remaining();
      }
    }
    List<ByteBuffer> zeros = new ArrayList<>();
    while (at < to) {
      ByteBuffer some = Slabs.zeros(to - at);
      zeros.add(some);
      at += some.remaining();
    }
    if (!zeros.isEmpty()) parts.add(zeros);
  }

  /** Room for this many bytes, in several buffers where a slab ends. */
  private List<ByteBuffer> room(int bytes) {
    List<ByteBuffer> found = new ArrayList<>();
    for (int left = bytes; left > 0; ) {
      ByteBuffer slab = room;
      if (slab == null || !slab.hasRemaining()) {
        slab = slabs.take();
        taken.add(slab);
        room = slab;
      }
      int some = Math.min(left, slab.remaining());
      found.add(slab.slice(slab.position(), some));
      slab.position(slab.position() + some);
      left -= some;
    }
    return found;
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
    // Not before, even after a failure: pending answers still write into the slabs.
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
    FileId file = store.file(source.record());
    boolean here =
        file != null
            && file.instance() == chunk.instance()
            && store.present(source.record())
            && source.recordOffset() <= store.payloadBytes(source.record()) - source.lengthBytes();
    if (!here) {
      fetch(source, part);
      return;
    }
    store.read(
        source.record(),
        source.recordOffset(),
        source.lengthBytes(),
        result -> {
          if (result instanceof ReadResult.Busy && ++again < AGAIN_MAX) {
            letReadBuffersGo();
            timers.after(AGAIN_NANOS, () -> take(source, part));
          } else if (!(result instanceof ReadResult.Bytes bytes)) {
            fetch(source, part);
          } else if (!isSound(source, bytes.slice())) {
            bytes.slice().close();
            mending.suspect(source.record());
            fetch(source, part);
          } else {
            held.add(new Held(bytes.slice(), part));
            parts.set(part, List.of(bytes.slice().bytes().duplicate()));
            done("");
          }
        });
  }

  /**
   * Buffers for reads from SSD are few, and all may be held by writes that wait for more of them:
   * so what this one holds is copied. Its slabs have room for that.
   */
  private void letReadBuffersGo() {
    held.removeIf(
        each -> {
          if (each.slice.segment() != Slice.NONE) return false;
          ByteBuffer from = each.slice.bytes().duplicate();
          List<ByteBuffer> copy = room(from.remaining());
          for (ByteBuffer target : copy) {
            int at = from.position();
            target.put(0, from, at, target.capacity());
            from.position(at + target.capacity());
          }
          parts.set(each.part, copy);
          each.slice.close();
          return true;
        });
  }

  /**
   * The log has verified bytes from the SSD, and parts of blocks; whole blocks are verified here.
   */
  private boolean isSound(Drains.Source source, Slice slice) {
    int start = source.recordOffset();
    int length = source.lengthBytes();
    int payloadBytes = store.payloadBytes(source.record());
    boolean verified =
        slice.segment() == Slice.NONE || !BlockChecksums.areWhole(start, length, payloadBytes);
    if (verified) return true;
    int[] expected =
        store.checksums(
            source.record(), start / BlockChecksums.BLOCK_BYTES, BlockChecksums.count(length));
    return expected == null || BlockChecksums.firstMismatch(slice.bytes(), expected) < 0;
  }

  /** Bytes of another seat must land in memory before they can be written. */
  private void fetch(Drains.Source source, int part) {
    List<ByteBuffer> targets = room(source.lengthBytes());
    parts.set(part, targets);
    open += targets.size() - 1;
    int at = source.recordOffset();
    for (ByteBuffer target : targets) {
      Data.Get question =
          new Data.Get(
              source.group(),
              source.record(),
              chunk.instance(),
              at,
              target.remaining(),
              ContentKey.NO_PROOF);
      PieceFetch.start(
          writer.basics(),
          writer.questions(),
          question,
          target.duplicate(),
          done -> done(done ? "" : "no seat has record " + source.record() + " now"));
      at += target.capacity();
    }
  }

  private void readBacked(Drains.Backed backed, long offset, ByteBuffer target) {
    if (backing.room() == 0) {
      done("too many requests to the backing store are under way");
      return;
    }
    backing.read(
        BackingPath.of(backed.name()),
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
    return parts.stream().flatMap(List::stream).map(ByteBuffer::duplicate).toList();
  }

  /** Releases the log's slices and the slabs. */
  void close() {
    for (Held each : held) each.slice.close();
    held.clear();
    for (ByteBuffer slab : taken) slabs.give(slab);
    taken.clear();
    room = null;
  }
}
