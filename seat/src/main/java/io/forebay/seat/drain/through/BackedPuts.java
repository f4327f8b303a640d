// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.through;

import io.forebay.backing.Backing;
import io.forebay.backing.BackingPath;
import io.forebay.base.BlockChecksums;
import io.forebay.base.Checksums;
import io.forebay.seat.backing.Backings;
import io.forebay.seat.drain.chunk.DrainWriter;
import io.forebay.seat.part.Basics;
import io.forebay.seat.part.Self;
import io.forebay.seat.put.Holds;
import io.forebay.seat.put.InsideConnection;
import io.forebay.store.Store;
import io.forebay.wire.Connection;
import io.forebay.wire.Landing;
import io.forebay.wire.Limit;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;

/**
 * Reads pieces from the backing store and keeps them as records, as the home of a group that a
 * tree's home has chosen. They are put like a client's records, but do not wait for room.
 */
public final class BackedPuts {
  /** Bytes that are being read, or have been and are not in the log yet. */
  private static final long READING_BYTES_MAX = Limit.BACKING_READS.value();

  /** Its session is the home's, and it comes in by no door. */
  private static final long NO_SECRET = 0;

  private final Self seat;
  private final Store store;
  private final Holds holds;
  private final Backings backings;
  private final DrainHome home;
  private final LimitCounts limits;
  private long readingBytes;

  public BackedPuts(Basics basics, Backings backings, Holds holds, DrainHome home) {
    this.seat = basics.self();
    this.store = basics.store();
    this.holds = holds;
    this.backings = backings;
    this.home = home;
    this.limits = basics.counters().limits();
  }

  public void put(Connection connection, long request, Data.PutBacked message) {
    Backing backing = backings.of(message.file().instance());
    int bytesMax = Math.min(ReadThrough.READ_BYTES_MAX, store.config().payloadBytesMax());
    boolean sensible =
        message.offset() >= 0
            && message.lengthBytes() > 0
            && message.lengthBytes() <= bytesMax
            && BackingPath.accepts(message.name());
    if (!sensible) {
      refuse(connection, request, ErrorCode.INVALID, "a piece of " + message.lengthBytes());
    } else if (!home.serving() || backing == null) {
      refuse(connection, request, ErrorCode.UNAVAILABLE, seat.id() + " cannot read it now");
    } else if (backing.room() == 0 || readingBytes > READING_BYTES_MAX) {
      limits.reached(Limit.BACKING_READS);
      refuse(connection, request, ErrorCode.BUSY, "too much is being read");
    } else {
      read(connection, request, message, backing);
    }
  }

  private void read(Connection connection, long request, Data.PutBacked message, Backing backing) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(message.lengthBytes());
    readingBytes += message.lengthBytes();
    backing.read(
        BackingPath.of(message.name()),
        message.contentTag(),
        message.offset(),
        bytes,
        answer -> {
          readingBytes -= message.lengthBytes();
          bytes.flip();
          if (answer instanceof Backing.Answer.Failed<Integer> failed) {
            connection.send(request, DrainWriter.failed(failed.failure()));
          } else if (bytes.remaining() < message.lengthBytes()) {
            refuse(connection, request, ErrorCode.GONE, message.name() + " is shorter");
          } else if (home.stopped()) {
            refuse(connection, request, ErrorCode.NOT_HOME, seat.id() + " is home no longer");
          } else {
            land(connection, request, message, bytes);
          }
        });
  }

  private void land(Connection connection, long request, Data.PutBacked message, ByteBuffer bytes) {
    Data.Put put =
        new Data.Put(
            message.group(),
            home.group().epoch(),
            message.record(),
            message.file(),
            message.offset(),
            message.forced(),
            NO_SECRET,
            Checksums.of(BlockChecksums.of(bytes)));
    // No connection of its own: it would be held with all that others send on it.
    InsideConnection inside = new InsideConnection(reply -> connection.send(request, reply));
    Landing landing = home.puts().arriving(inside, request, put, bytes.remaining());
    switch (landing) {
      case Landing.Into into -> {
        into.target().put(bytes);
        into.arrival().filled();
      }
      case Landing.Hold hold -> {
        holds.closed(inside);
        refuse(connection, request, ErrorCode.BUSY, seat.id() + " has no room at present");
      }
      case Landing.Discard discard -> {}
    }
  }

  private static void refuse(Connection connection, long request, ErrorCode code, String detail) {
    connection.send(request, new Replies.Failed(code, detail));
  }
}
