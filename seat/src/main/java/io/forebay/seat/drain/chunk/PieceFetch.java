// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.part.Basics;
import io.forebay.seat.peer.Questions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Fetches a piece of a record from the other members of its group, in turn. */
final class PieceFetch {
  private static final long ANSWER_NANOS = 10_000_000_000L;

  /** The pause before a busy member is asked again. */
  private static final long AGAIN_NANOS = 5_000_000L;

  private static final int AGAIN_MAX = 1_000;

  /** Called once: whether the buffer has been filled with the record's bytes. */
  interface Fetched {
    void fetched(boolean done);
  }

  private final Timers timers;
  private final Questions questions;
  private final Data.Get question;
  private final ByteBuffer target;
  private final Fetched fetched;
  private final ArrayDeque<SeatId> members = new ArrayDeque<>();
  private int again;

  private PieceFetch(
      Basics basics, Questions questions, Data.Get question, ByteBuffer target, Fetched fetched) {
    this.timers = basics.timers();
    this.questions = questions;
    this.question = question;
    this.target = target;
    this.fetched = fetched;
  }

  /** Fills the buffer's remaining bytes from the record; its position stays. */
  static void start(
      Basics basics, Questions questions, Data.Get question, ByteBuffer target, Fetched fetched) {
    PieceFetch fetch = new PieceFetch(basics, questions, question, target, fetched);
    RingMap map = basics.maps().map();
    Group known = map == null ? null : map.group(question.group());
    if (known != null) {
      for (Group.Member member : known.members()) {
        boolean other = !member.seat().equals(basics.self().id());
        if (other && !basics.maps().away(member.seat())) fetch.members.add(member.seat());
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
    questions.askInto(
        next,
        question,
        target,
        ANSWER_NANOS,
        reply -> {
          if (reply instanceof Data.Got) {
            fetched.fetched(true);
          } else if (isBusy(reply) && ++again < AGAIN_MAX) {
            members.add(next);
            timers.after(AGAIN_NANOS, this::askNext);
          } else {
            askNext();
          }
        });
  }

  private static boolean isBusy(@Nullable Message reply) {
    return reply instanceof Replies.Failed failed && failed.code() == ErrorCode.BUSY;
  }
}
