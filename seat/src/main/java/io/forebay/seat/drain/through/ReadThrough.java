// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingFailure;
import io.forebay.backing.BackingPath;
import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.base.GroupId;
import io.forebay.namespace.tree.BackingView;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.drain.naming.ConflictCheck;
import io.forebay.seat.part.HomeView;
import io.forebay.store.index.Extent;
import io.forebay.wire.Connection;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads bytes for clients that only the backing store has, as the home of their tree; where {@link
 * ReadCache} puts them into the buffer, clients learn which record has them.
 */
public final class ReadThrough {
  /** The longest piece that is read through for a client at a time. */
  static final int READ_BYTES_MAX = 4 * 1024 * 1024;

  /** Bytes that are being read through; more wait at the client. */
  private static final long READING_BYTES_MAX = Limit.BACKING_READS.value();

  /** A client's read request. */
  public record Asker(Connection connection, long request, Data.GetBacked message) {
    void send(Message reply) {
      connection.send(request, reply);
    }

    void refuse(ErrorCode code, String detail) {
      send(new Replies.Failed(code, detail));
    }

    long endOffset() {
      return message.offset() + message.lengthBytes();
    }
  }

  private final Backings backings;
  private final HomeView home;
  private final LimitCounts limits;
  private final ReadTree.All drain;
  private long readingBytes;

  public ReadThrough(Backings backings, HomeView home, ReadTree.All drain, LimitCounts limits) {
    this.limits = limits;
    this.backings = backings;
    this.home = home;
    this.drain = drain;
  }

  public void get(Asker asker) {
    get(asker, true);
  }

  /** The same for one that has waited for the buffer to have it; now it is read in any case. */
  public void getAfterFill(Asker asker) {
    get(asker, false);
  }

  private void get(Asker asker, boolean mayFill) {
    Data.GetBacked message = asker.message;
    BackingView view =
        home.leased() ? home.state().backing(message.instance(), message.tree()) : null;
    BackingView.Stored stored = view == null ? null : view.stored(message.file());
    Backing backing = backings.of(message.instance());
    if (view == null) {
      asker.refuse(ErrorCode.UNAVAILABLE, home.group().id() + " has no leases");
    } else if (message.offset() < 0
        || message.lengthBytes() < 1
        || message.lengthBytes() > READ_BYTES_MAX) {
      asker.refuse(ErrorCode.INVALID, "a piece of " + message.lengthBytes());
    } else if (view.isLost(message.file())) {
      String path = view.entry(message.file()).path();
      asker.refuse(ErrorCode.FAILED, ConflictCheck.lost(path).sentence());
    } else if (stored == null || backing == null) {
      asker.refuse(ErrorCode.GONE, "the backing store does not have it");
    } else if (!answered(asker, view, stored, mayFill)) {
      read(asker, stored, backing, view.renamedTo(message.file()));
    }
  }

  /** Whether the buffer has it by now, or will soon. */
  private boolean answered(
      Asker asker, BackingView view, BackingView.Stored stored, boolean mayFill) {
    Data.GetBacked message = asker.message;
    ReadTree tree = drain.tree(message.instance(), message.tree());
    if (tree == null || !tree.cache().isWanted()) return false;
    Extent found = view.extentFrom(message.file(), message.offset());
    if (found == null || found.offset() >= asker.endOffset()) {
      return mayFill && tree.cache().take(asker, view, stored);
    }
    if (found.offset() <= message.offset() && found.endOffset() >= asker.endOffset()) {
      int within = (int) (message.offset() - found.offset());
      asker.send(
          new Data.InBuffer(
              new GroupId(found.group()), found.record(), found.recordOffset() + within));
    } else {
      asker.refuse(ErrorCode.GONE, "a part of it is in the buffer by now");
    }
    return true;
  }

  private void read(
      Asker asker, BackingView.Stored stored, Backing backing, @Nullable String otherName) {
    Data.GetBacked message = asker.message;
    if (backing.room() == 0 || readingBytes > READING_BYTES_MAX) {
      limits.reached(Limit.BACKING_READS);
      asker.refuse(ErrorCode.BUSY, "too much is being read through");
      return;
    }
    // The store's bytes are in no log, and must be somewhere on their way to the socket.
    ByteBuffer bytes = ByteBuffer.allocateDirect(message.lengthBytes());
    readingBytes += message.lengthBytes();
    backing.read(
        BackingPath.of(stored.name()),
        stored.contentTag(),
        message.offset(),
        bytes,
        answer -> {
          readingBytes -= message.lengthBytes();
          switch (answer) {
            case Backing.Answer.Done<Integer> done -> {
              ReadTree tree = drain.known(message.instance(), message.tree());
              if (tree != null) tree.sound(message.file());
              ByteBuffer read = bytes.flip();
              asker.connection.send(
                  asker.request,
                  new Data.Got(Checksums.of(BlockChecksums.of(read))),
                  Payload.of(read));
            }
            case Backing.Answer.Failed<Integer> failed -> {
              if (otherName != null && backing.room() > 0) {
                // It may have been renamed, though the journal does not say so yet.
                BackingView.Stored renamed =
                    new BackingView.Stored(otherName, stored.contentTag(), stored.backedBytes());
                read(asker, renamed, backing, null);
              } else {
                notRead(asker, stored, failed.failure());
              }
            }
          }
        });
  }

  private void notRead(Asker asker, BackingView.Stored stored, BackingFailure failure) {
    Data.GetBacked message = asker.message;
    ErrorCode code = code(message, stored, failure);
    String changed =
        code == ErrorCode.FAILED ? ConflictCheck.sentence(failure, stored.name()) : null;
    ReadTree tree = drain.known(message.instance(), message.tree());
    if (changed != null && tree != null) tree.changedUnderneath(message.file(), changed);
    asker.refuse(code, changed == null ? failure.sentence() : changed);
  }

  /** Reads during a rename in the store are retried. */
  private ErrorCode code(Data.GetBacked message, BackingView.Stored asked, BackingFailure failure) {
    if (home.stopped()) return ErrorCode.UNAVAILABLE;
    BackingView view = home.state().backing(message.instance(), message.tree());
    boolean changes =
        view != null
            && (view.isChanging(message.file()) || !asked.equals(view.stored(message.file())));
    boolean passes = failure.advice() == BackingFailure.Advice.TRY_AGAIN;
    return changes || passes ? ErrorCode.UNAVAILABLE : ErrorCode.FAILED;
  }
}
