package io.forebay.seat;

import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.proof.ContentKey;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Gets a piece of a record from another member of its group, from one after the other. */
final class PieceFetch {
  private static final long ANSWER_NANOS = 10_000_000_000L;

  /** A member that reads too much at once from SSD is asked again. */
  private static final long AGAIN_NANOS = 5_000_000L;

  private static final int AGAIN_MAX = 1_000;

  /** Told once whether the buffer has been filled with what the record has there. */
  interface Fetched {
    void fetched(boolean done);
  }

  private final Seat seat;
  private final Data.Get question;
  private final ByteBuffer target;
  private final Fetched fetched;
  private final ArrayDeque<SeatId> members = new ArrayDeque<>();
  private int again;

  private PieceFetch(Seat seat, Data.Get question, ByteBuffer target, Fetched fetched) {
    this.seat = seat;
    this.question = question;
    this.target = target;
    this.fetched = fetched;
  }

  /** Fills the buffer's remaining bytes, whose position stays. */
  static void start(
      Seat seat,
      GroupId group,
      RecordId record,
      int instance,
      int recordOffset,
      ByteBuffer target,
      Fetched fetched) {
    Data.Get question =
        new Data.Get(
            group, record, instance, recordOffset, target.remaining(), ContentKey.NO_PROOF);
    PieceFetch fetch = new PieceFetch(seat, question, target, fetched);
    RingMap map = seat.map();
    Group known = map == null ? null : map.group(group);
    if (known != null) {
      for (Group.Member member : known.members()) {
        boolean other = !member.seat().equals(seat.id());
        if (other && !seat.away(member.seat())) fetch.members.add(member.seat());
      }
    }
    fetch.askNext();
  }

  private void askNext() {
    SeatId next = members.poll();
    if (next == null) {
      fetched.fetched(false);
      return;
    }
    seat.questions()
        .askInto(
            next,
            question,
            target,
            ANSWER_NANOS,
            reply -> {
              if (reply instanceof Data.Got) {
                fetched.fetched(true);
              } else if (isBusy(reply) && ++again < AGAIN_MAX) {
                members.add(next);
                seat.timers().after(AGAIN_NANOS, this::askNext);
              } else {
                askNext();
              }
            });
  }

  private static boolean isBusy(@Nullable Message reply) {
    return reply instanceof Replies.Failed failed && failed.code() == ErrorCode.BUSY;
  }
}
