// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.client.core.content.FileContent;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.retry.Retry;
import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.TreeSession;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One read of a range of a file: asks the home for its records, puts the client's own unpublished
 * pieces on top, and fetches everything into the caller's buffer. Nothing about the file is cached
 * between reads, so that a read sees everything that was published before it.
 */
public final class RangeRead {
  /** The maximum number of runs in one answer. */
  public static final int RUNS_MAX = 4096;

  /** The maximum of lookups of one run. A record that is gone was replaced after the lookup. */
  private static final int LOOKUPS_MAX = 16;

  /**
   * The shared parts of a session's reads.
   *
   * @param pieceBytesMax the maximum of one request to the backing store
   */
  public record Ground(
      TreeSession session, ReadWindow window, AheadMemory memory, int pieceBytesMax) {}

  /**
   * The range to read.
   *
   * @param who the reader's identity
   * @param target its remaining bytes are filled up to the end of the file; its position stays
   */
  public record Range(Identity who, long file, long offset, ByteBuffer target) {}

  private final Ground ground;
  private final Identity who;
  private final long file;
  private final @Nullable FileContent own;
  private final long offset;
  private final ByteBuffer target;
  private final CompletableFuture<Integer> future = new CompletableFuture<>();
  private @Nullable ReadAhead ahead;
  private int lookups;

  /** Bytes done, counted from the offset. */
  private int done;

  /** Pending fetches, and whether one of them found its record gone. */
  private int fetching;

  private boolean goneFound;

  /** The range that could not be fetched because it is gone, for the error message. */
  private String unreadable = "";

  private String goneDetail = "";

  private @Nullable RequestFailed failure;

  /**
   * Prepares a read.
   *
   * @param own what this client has not published of the file, if anything
   */
  public RangeRead(Ground ground, Range range, @Nullable FileContent own) {
    this.ground = ground;
    this.who = range.who();
    this.file = range.file();
    this.offset = range.offset();
    this.target = range.target();
    this.own = own;
  }

  /** Lets the read use chunks that were fetched ahead, and report itself to read-ahead. */
  public RangeRead with(ReadAhead readAhead) {
    this.ahead = readAhead;
    return this;
  }

  /** Reads; how many bytes, or -1 if the offset is not before the end. */
  public CompletableFuture<Integer> start() {
    if (!target.hasRemaining()) return CompletableFuture.completedFuture(0);
    ReadAhead watching = ahead;
    if (watching != null) {
      watching.reading(offset, target.remaining());
      CompletableFuture<?> unused = future.whenComplete((count, failed) -> watching.ended());
    }
    ask();
    return future;
  }

  /** Reads by an answer that came with another request. */
  public CompletableFuture<Integer> startWith(Names.RunsAre runs) {
    told(runs);
    return future;
  }

  private void ask() {
    long from = offset + done;
    int needed = target.remaining() - done;
    long aheadTo = ahead == null ? 0 : ahead.askTo();
    Names.FindRuns find =
        new Names.FindRuns(file, from, Math.max(needed, aheadTo - from), RUNS_MAX);
    Futures.then(
        ground.session().ask(who, find, Names.RunsAre.class),
        runs -> {
          told(runs);
          // Behind the range of this read.
          if (ahead != null) ahead.told(runs, from, aheadTo);
        },
        future::completeExceptionally);
  }

  private void told(Names.RunsAre runs) {
    long size = own == null ? runs.sizeBytes() : own.sizeBytes(runs.sizeBytes());
    long from = offset + done;
    long to = Math.min(size, offset + target.remaining());
    if (from >= to) {
      future.complete(done > 0 ? done : -1);
      return;
    }
    // Behind the published end there are only this client's unpublished bytes, which are known.
    long through =
        runs.throughOffset() >= Math.min(to, runs.sizeBytes())
            ? to
            : Math.min(to, runs.throughOffset());
    if (through <= from) {
      fail(
          new RequestFailed(
              ErrorCode.MALFORMED, "file " + file + ": an answer that tells nothing"));
      return;
    }
    ReadPlan plan = ReadPlan.of(ground.session(), from, through, runs, own, ground.pieceBytesMax());
    fetch(plan, (int) (through - from));
  }

  /** Executes the steps of a plan in order; when the last fetch ends, the read continues. */
  private void fetch(ReadPlan plan, int bytes) {
    fetching = 1;
    goneFound = false;
    for (ReadPlan.Step step : plan.steps()) {
      ByteBuffer place =
          target.slice(target.position() + (int) (step.offset() - offset), step.lengthBytes());
      if (step.bytes() != null) {
        place.put(step.bytes());
      } else if (step.source() != null || step.backed()) {
        fetching++;
        fetch(step, plan.proof(), place, new Landed(bytes, step));
      } else {
        ReadPlan.zero(place);
      }
    }
    landed(bytes);
  }

  private void fetch(ReadPlan.Step step, long proof, ByteBuffer place, Landed landed) {
    ReadWindow window = ground.window();
    RecordFetch.Source source = step.source();
    if (source == null) {
      window.add(
          new BackedFetch(
              window,
              new BackedFetch.Source(ground.session(), who, file, step.offset(), proof),
              place,
              landed));
    } else if (ahead == null || !ahead.give(source, place, landed)) {
      window.add(new RecordFetch(window, source, place, landed));
    }
  }

  private void landed(int bytes) {
    if (--fetching > 0) return;
    if (failure != null) {
      String detail = unreadable + " cannot be read: " + failure.getMessage();
      fail(new RequestFailed(failure.code(), detail));
    } else if (goneFound) {
      if (++lookups < LOOKUPS_MAX) askLater();
      else fail(new RequestFailed(ErrorCode.GONE, unreadable + goneDetail));
    } else {
      done += bytes;
      if (done == target.remaining()) future.complete(done);
      else ask();
    }
  }

  private void askLater() {
    Retry.Ground retries = ground.window().router().retries();
    retries.timers().after(retries.backoff().nanos(lookups), this::ask);
  }

  private void fail(RequestFailed why) {
    future.completeExceptionally(why);
  }

  private final class Landed implements Fetch.Outcome {
    private final int bytes;
    private final ReadPlan.Step step;

    Landed(int bytes, ReadPlan.Step step) {
      this.bytes = bytes;
      this.step = step;
    }

    @Override
    public void fetched() {
      landed(bytes);
    }

    @Override
    public void failed(RequestFailed why) {
      boolean gone = why.code() == ErrorCode.GONE;
      Piece piece = step.own();
      if (gone && own != null && piece != null) own.foundGone(piece);
      if (failure == null) {
        unreadable =
            "bytes %d to %d".formatted(step.offset(), step.offset() + step.lengthBytes() - 1);
        goneDetail =
            step.backed() ? " cannot be read: " + why.getMessage() : " are lost: no seat has them";
      }
      if (gone) goneFound = true;
      else if (failure == null) failure = why;
      landed(bytes);
    }
  }
}
