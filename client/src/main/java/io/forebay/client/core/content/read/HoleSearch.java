// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.client.core.content.FileContent;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.TreeSession;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Names;
import java.util.concurrent.CompletableFuture;

/** Finds the data and the holes of a file, page by page. */
public final class HoleSearch {
  /** Behind the end of the file there is neither. */
  public static final long NOTHING = -1;

  /** The first run shows where data is, unless the file changes during the search. */
  private static final int RUNS_FOR_DATA = 4;

  private final TreeSession session;
  private final Identity who;
  private final FileContent own;

  public HoleSearch(TreeSession session, Identity who, FileContent own) {
    this.session = session;
    this.who = who;
    this.own = own;
  }

  /** The first byte at or behind an offset that is in no hole. */
  public CompletableFuture<Long> data(long offset) {
    return covered(offset, RUNS_FOR_DATA)
        .thenCompose(
            found -> {
              long at = found.dataFrom(offset);
              if (at >= found.sizeBytes()) return done(NOTHING);
              return at < found.throughOffset() ? done(at) : data(found.throughOffset());
            });
  }

  /** The first byte at or behind an offset that is in a hole; the file's end counts as one. */
  public CompletableFuture<Long> hole(long offset) {
    return covered(offset, RangeRead.RUNS_MAX)
        .thenCompose(
            found -> {
              if (offset >= found.sizeBytes()) return done(NOTHING);
              return goOnFrom(offset, found);
            });
  }

  private CompletableFuture<Long> goOnFrom(long offset, Coverage found) {
    long at = found.holeFrom(offset);
    if (at >= found.sizeBytes()) return done(found.sizeBytes());
    if (at < found.throughOffset()) return done(at);
    return covered(at, RangeRead.RUNS_MAX).thenCompose(next -> goOnFrom(at, next));
  }

  /** How many bytes between two offsets are in holes, or behind the end. */
  public CompletableFuture<Long> holeBytes(long from, long to) {
    if (from >= to) return done(0);
    return covered(from, RangeRead.RUNS_MAX)
        .thenCompose(
            found -> {
              boolean last = found.throughOffset() >= found.sizeBytes();
              long through = last ? to : Math.min(to, found.throughOffset());
              return holeBytes(through, to)
                  .thenApply(rest -> rest + found.holeBytes(from, through));
            });
  }

  private CompletableFuture<Coverage> covered(long offset, int runs) {
    Names.FindRuns find = new Names.FindRuns(own.number(), offset, Long.MAX_VALUE - offset, runs);
    return session
        .ask(who, find, Names.RunsAre.class)
        .thenCompose(
            told -> {
              boolean tellsNothing = told.throughOffset() <= offset && offset < told.sizeBytes();
              if (!tellsNothing) {
                return CompletableFuture.completedFuture(Coverage.of(offset, told, own));
              }
              String detail = "file " + own.number() + ": an answer that tells nothing";
              return CompletableFuture.failedFuture(new RequestFailed(ErrorCode.MALFORMED, detail));
            });
  }

  private static CompletableFuture<Long> done(long value) {
    return CompletableFuture.completedFuture(value);
  }
}
