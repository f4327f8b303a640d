package io.forebay.seat;

import io.forebay.base.Checksums;
import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.store.ReadResult;
import io.forebay.store.Slice;
import io.forebay.store.log.RecordHeader;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake.Lane;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Sends records from this seat's log to the next member in a group's order. */
final class CopySender {
  private final Seat seat;
  private final Group group;
  private final @Nullable SeatId next;

  CopySender(Seat seat, Group group) {
    this.seat = seat;
    this.group = group;
    int place = group.indexOf(seat.id());
    this.next =
        place >= 0 && place + 1 < group.members().size()
            ? group.members().get(place + 1).seat()
            : null;
  }

  /** The next member, or null for the last. */
  @Nullable SeatId next() {
    return next;
  }

  /**
   * Sends the record on, straight from the log, if there is a next member. Says false if that one
   * cannot be reached now; what is lost on the way the home will ask for again.
   */
  boolean send(RecordHeader record, boolean forced, Checksums checksums) {
    SeatId to = next;
    if (to == null) return true;
    if (!seat.peers().reachable(to, Lane.INGEST)) return false;
    Data.Replicate message =
        new Data.Replicate(
            group.id(),
            group.epoch(),
            record.id(),
            record.file(),
            record.offset(),
            forced,
            checksums);
    seat.store()
        .read(
            record.id(),
            0,
            record.payloadBytes(),
            result -> {
              if (result instanceof ReadResult.Bytes bytes) {
                seat.peers().send(to, Lane.INGEST, 0, message, payload(bytes.slice()));
              }
            });
    return true;
  }

  /** A slice of the log on its way out: its segment stays until the bytes are sent. */
  static Payload payload(Slice slice) {
    ByteBuffer bytes = slice.bytes();
    return new Payload() {
      @Override
      public ByteBuffer bytes() {
        return bytes;
      }

      @Override
      public void release() {
        slice.close();
      }
    };
  }
}
