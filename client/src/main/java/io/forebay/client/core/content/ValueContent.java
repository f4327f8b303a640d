// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content;

import io.forebay.base.rule.Rule;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.content.write.WriteCall;
import io.forebay.client.core.content.write.Writer;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The pieces of a value that is being written, from its first byte to its last. */
public final class ValueContent {
  private final Writer writer;
  private final long number;
  private final List<Piece> pieces = new ArrayList<>();
  private final CompletableFuture<List<Names.Piece>> whole = new CompletableFuture<>();
  private long sizeBytes;
  private int unacknowledged;
  private boolean ended;
  private @Nullable RequestFailed failure;

  public ValueContent(Writer writer, long number) {
    this.writer = writer;
    this.number = number;
  }

  /** The number of the file that is to be the value. */
  public long number() {
    return number;
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  /** Writes the next pieces. */
  public WriteCall write(List<Piece> next) {
    WriteCall call = new WriteCall(next.size());
    if (pieces.size() + next.size() > Names.PIECES_MAX) {
      // Fail now: sending the rest of a value that is too long is pointless.
      if (failure == null) failure = tooLarge();
      for (Piece piece : next) refuse(piece, call);
      return call;
    }
    long offset = sizeBytes;
    for (Piece piece : next) {
      piece.place(offset, false, writer.session().takePieceNumber());
      sizeBytes += piece.lengthBytes();
      pieces.add(piece);
      unacknowledged++;
    }
    for (Piece piece : next) writer.send(number, piece, false, new Sent(call, piece));
    return call;
  }

  private void refuse(Piece piece, WriteCall call) {
    piece.letGo();
    call.pieceLanded(failure);
  }

  private static RequestFailed tooLarge() {
    return new RequestFailed(
        ErrorCode.TOO_LARGE,
        "a value of more than " + Names.PIECES_MAX + " pieces; store it as a file");
  }

  /** All pieces, once nothing more is written and all of them are acknowledged. */
  public CompletableFuture<List<Names.Piece>> whole() {
    ended = true;
    finish();
    return whole;
  }

  /** It is entered under its key, or never will be. */
  public void settle() {
    for (Piece piece : pieces) writer.session().settle(piece.number());
  }

  private void finish() {
    if (!ended || isAwaited() || whole.isDone()) return;
    if (failure != null) {
      whole.completeExceptionally(failure);
      return;
    }
    List<Names.Piece> named = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      named.add(
          new Names.Piece(piece.offset(), piece.lengthBytes(), piece.group(), piece.sequence()));
    }
    whole.complete(named);
  }

  /** A pair is entered when all its pieces are acknowledged (P5). */
  @Rule("P5")
  private boolean isAwaited() {
    return unacknowledged > 0;
  }

  private final class Sent implements Writer.Outcome {
    private final WriteCall call;
    private final Piece piece;

    Sent(WriteCall call, Piece piece) {
      this.call = call;
      this.piece = piece;
    }

    @Override
    public void admitted() {
      call.pieceAdmitted();
    }

    @Override
    public @Nullable RequestFailed failureBefore() {
      return failure;
    }

    @Override
    public void refused(RequestFailed why) {
      failed(why);
    }

    @Override
    public void acknowledged() {
      landed(null);
    }

    @Override
    public void failed(RequestFailed why) {
      piece.letGo();
      landed(why);
    }

    private void landed(@Nullable RequestFailed why) {
      if (failure == null) failure = why;
      unacknowledged--;
      call.pieceLanded(why);
      finish();
    }
  }
}
