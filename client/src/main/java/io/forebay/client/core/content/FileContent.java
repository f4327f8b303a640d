// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content;

import io.forebay.base.rule.Rule;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.content.write.PieceTable;
import io.forebay.client.core.content.write.WriteCall;
import io.forebay.client.core.content.write.Writer;
import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.client.core.route.TreeSession;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Names;
import io.forebay.wire.message.Replies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * This client's unpublished writes to one file. All its handles of the file share it, so that each
 * sees the writes of all.
 *
 * <p>A write that fails makes every later sync and close fail too: a file with a hole in it must
 * never pass for complete. The failed close of the last handle ends that: it gives up what its
 * handles wrote. A handle that is opened before the home has answered the release shows none of it.
 */
public final class FileContent {
  /** A request to publish everything up to that piece. */
  private record Sync(
      Identity who, long upToNumber, long opensUpTo, CompletableFuture<Void> future) {
    boolean close() {
      return opensUpTo != STAYS_OPEN;
    }
  }

  /** In place of the opens that a sync closes. */
  private static final long STAYS_OPEN = -1;

  private final Writer writer;
  private final TreeSession session;
  private final long number;
  private final PieceTable placed = new PieceTable();
  private final PieceTable appended = new PieceTable();
  private final ArrayDeque<Piece> unpublished = new ArrayDeque<>();
  private final Map<Long, Piece> unacknowledged = new LinkedHashMap<>();
  private final ArrayDeque<Sync> syncs = new ArrayDeque<>();
  private long lastNumber;
  private long appendedBytes;

  /** Appended bytes before this one are published. */
  private long appendBase;

  private List<Piece> publishing = List.of();
  private boolean asking;

  /** The pieces that are being published were dropped here during the publish. */
  private boolean dropped;

  /** Pieces of a publish without an answer: they may be published, and overwritten since. */
  private List<Piece> uncertain = List.of();

  private @Nullable RequestFailed failure;

  /** The last piece that the failure has cost. */
  private long lastLost;

  public FileContent(Writer writer, long number) {
    this.writer = writer;
    this.session = writer.session();
    this.number = number;
  }

  /** The file's number. */
  public long number() {
    return number;
  }

  public TreeSession session() {
    return session;
  }

  /** Writes pieces at an offset. The bytes belong to this client until they are acknowledged. */
  public WriteCall write(List<Piece> pieces, long offset, boolean roomTaken) {
    return write(pieces, offset, false, roomTaken);
  }

  /** Writes pieces to where the end of the file is when they are published. */
  public WriteCall append(List<Piece> pieces, boolean roomTaken) {
    long from = appendedBytes;
    for (Piece piece : pieces) appendedBytes += piece.lengthBytes();
    return write(pieces, from, true, roomTaken);
  }

  private WriteCall write(List<Piece> pieces, long offset, boolean atEnd, boolean roomTaken) {
    WriteCall call = new WriteCall(pieces.size());
    for (Piece piece : pieces) {
      piece.place(offset, atEnd, session.takePieceNumber());
      lastNumber = piece.number();
      tableOf(piece).put(piece);
      unpublished.add(piece);
      unacknowledged.put(piece.number(), piece);
    }
    for (Piece piece : pieces) send(piece, roomTaken, call);
    return call;
  }

  private PieceTable tableOf(Piece piece) {
    return piece.isAppended() ? appended : placed;
  }

  private void send(Piece piece, boolean roomTaken, WriteCall call) {
    writer.send(
        number,
        piece,
        roomTaken,
        new Writer.Outcome() {
          @Override
          public void admitted() {
            call.pieceAdmitted();
          }

          @Override
          public @Nullable RequestFailed failureBefore() {
            return failure == null || isPastFailure(piece) ? null : failure;
          }

          @Override
          public void refused(RequestFailed why) {
            // The write fails now, so that later syncs need not fail.
            remove(piece);
            call.pieceLanded(why);
            publishNext();
          }

          @Override
          public void acknowledged() {
            unacknowledged.remove(piece.number());
            call.pieceLanded(null);
            publishNext();
          }

          @Override
          public void failed(RequestFailed why) {
            // A failed write that a truncation dropped is no loss.
            if (remove(piece)) lost(piece.number(), why);
            call.pieceLanded(why);
            publishNext();
          }
        });
  }

  /** Whether a close that is pending ends the failure before the piece was written. */
  private boolean isPastFailure(Piece piece) {
    return syncs.stream()
        .anyMatch(
            each ->
                each.close() && lastLost <= each.upToNumber && each.upToNumber < piece.number());
  }

  private void lost(long piece, RequestFailed why) {
    if (failure == null) failure = why;
    lastLost = Math.max(lastLost, piece);
  }

  /** Forgets a piece that is not kept; false if it had been dropped before. */
  private boolean remove(Piece piece) {
    piece.letGo();
    session.settle(piece.number());
    unacknowledged.remove(piece.number());
    if (!unpublished.remove(piece)) return false;
    if (piece.isAppended()) {
      appended.remove(piece);
    } else {
      placed.withdraw(piece, unpublished.stream().filter(each -> !each.isAppended()).toList());
    }
    return true;
  }

  /** Whether everything written is published. */
  public boolean isPublished() {
    return unpublished.isEmpty() && syncs.isEmpty();
  }

  /** The same, and nothing was ever lost of it. */
  public boolean isClean() {
    return unpublished.isEmpty() && failure == null;
  }

  /** The file's size as this client sees it, given the published one. */
  public long sizeBytes(long publishedBytes) {
    return Math.max(publishedBytes, placed.endOffset()) + (appendedBytes - appendBase);
  }

  /** Publishes all writes so far, once all of them are acknowledged. */
  public CompletableFuture<Void> sync(Identity who) {
    return publish(who, STAYS_OPEN);
  }

  /** The same, and tells the home that this client has closed its opens up to that number. */
  public CompletableFuture<Void> syncAndRelease(Identity who, long opensUpTo) {
    return publish(who, opensUpTo);
  }

  private CompletableFuture<Void> publish(Identity who, long opensUpTo) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    syncs.add(new Sync(who, lastNumber, opensUpTo, future));
    publishNext();
    return future;
  }

  /** Drops unpublished writes: the file has been truncated. */
  public void discard() {
    for (Piece piece : unpublished) tableOf(piece).remove(piece);
    giveUp();
    uncertain = List.of();
    unpublished.clear();
    appendBase = appendedBytes;
  }

  /** Publishes nothing more; a publish that is pending may still succeed. */
  public void giveUp() {
    long awaited = publishing.isEmpty() ? 0 : publishing.get(publishing.size() - 1).number();
    for (Piece piece : unpublished) {
      if (piece.number() > awaited) session.settle(piece.number());
    }
    dropped = asking;
  }

  /** Goes on with the oldest sync, one request at a time, so that publishes keep their order. */
  private void publishNext() {
    while (!asking && !syncs.isEmpty()) {
      Sync sync = syncs.element();
      if (isAwaited(sync.upToNumber())) return;
      if (failure != null || (session.hasEnded() && !isClean())) {
        fail(sync);
        continue;
      }
      if (session.hasEnded()) {
        // Nothing is lost, and the end of the session has closed the file.
        syncs.remove();
        sync.future().complete(null);
        continue;
      }
      List<Piece> batch = nextBatch(sync.upToNumber());
      if (batch.isEmpty() && !sync.close()) {
        syncs.remove();
        sync.future().complete(null);
      } else {
        request(sync, batch);
      }
    }
  }

  /** What is published is acknowledged: until then its publication waits (P5). */
  @Rule("P5")
  private boolean isAwaited(long upToNumber) {
    return !unacknowledged.isEmpty() && unacknowledged.keySet().iterator().next() <= upToNumber;
  }

  /** The oldest pieces that can go into one request: all appended or none. */
  private List<Piece> nextBatch(long upToNumber) {
    List<Piece> batch = new ArrayList<>();
    for (Piece piece : unpublished) {
      boolean fits = batch.isEmpty() || batch.get(0).isAppended() == piece.isAppended();
      if (piece.number() > upToNumber || !fits || batch.size() == Names.PIECES_MAX) break;
      batch.add(piece);
    }
    return batch;
  }

  /** Whether nothing else has to be published up to that piece. */
  private boolean isAll(List<Piece> batch, long upToNumber) {
    return unpublished.stream()
        .skip(batch.size())
        .findFirst()
        .map(next -> next.number() > upToNumber)
        .orElse(true);
  }

  private void request(Sync sync, List<Piece> batch) {
    asking = true;
    publishing = batch;
    boolean close = sync.close() && isAll(batch, sync.upToNumber());
    Names.Change change =
        batch.isEmpty()
            ? new Names.Release(number, true, sync.opensUpTo())
            : new Names.Publish(
                number, batch.get(0).isAppended(), close, sync.opensUpTo(), named(batch));
    Class<? extends Message> expected =
        batch.isEmpty() ? Replies.Done.class : Names.Published.class;
    Futures.then(
        session.change(sync.who(), change, expected),
        answer -> {
          answered();
          for (Piece piece : batch) published(piece);
          if (close) {
            syncs.remove(sync);
            sync.future().complete(null);
          }
          publishNext();
        },
        why -> {
          answered();
          uncertain = batch;
          lost(batch.isEmpty() ? 0 : batch.get(batch.size() - 1).number(), why);
          publishNext();
        });
  }

  /** Settles pieces that were dropped during their publish: before the answer they had to stay. */
  private void answered() {
    asking = false;
    if (dropped) for (Piece piece : publishing) session.settle(piece.number());
    dropped = false;
    publishing = List.of();
  }

  private static List<Names.Piece> named(List<Piece> batch) {
    List<Names.Piece> named = new ArrayList<>(batch.size());
    long end = 0;
    for (Piece piece : batch) {
      // Appended pieces follow each other even if one between them was refused.
      long offset = piece.isAppended() ? end : piece.offset();
      named.add(new Names.Piece(offset, piece.lengthBytes(), piece.group(), piece.sequence()));
      end += piece.lengthBytes();
    }
    return named;
  }

  private void published(Piece piece) {
    session.settle(piece.number());
    unpublished.remove(piece);
    tableOf(piece).remove(piece);
    if (piece.isAppended()) appendBase = Math.max(appendBase, piece.endOffset());
  }

  /**
   * No seat has a piece that this client wrote and does not know to be published. So its unanswered
   * publish was applied, and other writes have replaced the piece since.
   */
  public void foundGone(Piece piece) {
    if (!uncertain.contains(piece)) return;
    for (Piece each : uncertain) published(each);
    uncertain = List.of();
  }

  /** Fails the sync; a file that is being closed is released nevertheless. */
  private void fail(Sync sync) {
    syncs.remove();
    RequestFailed why = failure != null ? failure : Writer.ended();
    if (!sync.close() || session.hasEnded()) {
      sync.future().completeExceptionally(why);
      return;
    }
    if (why.code() == ErrorCode.UNAVAILABLE) {
      // The servers have not answered for long, so do not wait as long again for this answer.
      Router router = writer.router();
      long nanos = router.config().times().answerNanos();
      router.timers().after(nanos, () -> sync.future().completeExceptionally(why));
    }
    // The home hears of it with the release: while writers wait for room, no other change may come
    // that tells it. Later publishes follow the release, which marks the file as incomplete.
    giveUpTo(sync.upToNumber());
    asking = true;
    Runnable released =
        () -> {
          answered();
          sync.future().completeExceptionally(why);
          publishNext();
        };
    Futures.then(
        session.change(
            sync.who(), new Names.Release(number, false, sync.opensUpTo()), Replies.Done.class),
        done -> released.run(),
        alsoFailed -> released.run());
  }

  /** Drops the pieces up to that one: all handles that wrote them are closed. */
  private void giveUpTo(long last) {
    while (!unpublished.isEmpty() && unpublished.element().number() <= last) {
      Piece piece = unpublished.remove();
      session.settle(piece.number());
      tableOf(piece).remove(piece);
    }
    appendBase = appended.startOffset(appendedBytes);
    uncertain = List.of();
    if (lastLost <= last) failure = null;
  }

  /** What of a range this client has not published; appended bytes follow the end of the rest. */
  public List<PieceTable.Part> unpublished(long from, long to, long publishedBytes) {
    List<PieceTable.Part> parts = placed.between(from, to);
    if (appended.isEmpty()) return parts;
    long end = Math.max(publishedBytes, placed.endOffset());
    long shift = end - appendBase;
    for (PieceTable.Part part : appended.between(from - shift, to - shift)) {
      parts.add(
          new PieceTable.Part(
              part.offset() + shift, part.lengthBytes(), part.piece(), part.pieceOffset()));
    }
    return parts;
  }
}
