// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.base.BlockChecksums;
import io.forebay.base.SeatId;
import io.forebay.base.planted.PlantedBug;
import io.forebay.client.core.route.Deadline;
import io.forebay.client.core.route.Link;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Brings one piece straight to where it is wanted, and verifies it; asks again until it is there or
 * too much time has passed. Whom to ask for what is up to those that extend it.
 */
abstract class Fetch {
  /** What comes of a fetch; told once, when nothing writes into the target any more. */
  interface Outcome {
    void fetched();

    /** With {@link ErrorCode#GONE} if nobody has it who should, as far as one can tell. */
    void failed(RequestFailed failure);
  }

  final Router router;
  private final ReadWindow window;
  private final ByteBuffer target;
  private final int lengthBytes;
  private final Outcome outcome;
  private @Nullable Long waitingSince;
  private @Nullable Deadline deadline;

  /** Counts the tries, so that what a given-up one brings is ignored. */
  private int tries;

  /**
   * Prepares a fetch.
   *
   * @param target what remains of it is filled; its position stays
   */
  Fetch(ReadWindow window, ByteBuffer target, Outcome outcome) {
    this.window = window;
    this.router = window.router();
    this.target = target;
    this.lengthBytes = target.remaining();
    this.outcome = outcome;
  }

  final int lengthBytes() {
    return lengthBytes;
  }

  /** Somebody has waited for it since then, in vain so far. */
  final void awaitedSince(long nanos) {
    waitingSince = nanos;
  }

  final void start() {
    Long since = waitingSince;
    long allowedNanos = router.config().times().operationNanos();
    long startNanos = since == null ? router.timers().nanos() : since;
    deadline = new Deadline(router.timers(), allowedNanos, startNanos);
    attempt();
  }

  /** It was never started. */
  final void refuse(RequestFailed failure) {
    outcome.failed(failure);
  }

  /** Asks whose turn it is. */
  abstract void attempt();

  /** A seat says why it does not give it. */
  abstract void refused(SeatId seat, Replies.Failed failed);

  /** A seat does not answer, or no more. */
  abstract void unanswered();

  /** What a seat sent does not match its checksums. */
  abstract void damaged(SeatId seat);

  /** A seat has fewer bytes than it was asked for. */
  abstract void tooFew(SeatId seat, int bytes);

  /** A seat says that another has it; only for what the backing store has. */
  void elsewhere(SeatId seat, Data.InBuffer found) {
    next(seat + " answered a read with " + found);
  }

  /** How long to wait before the next try. */
  abstract long waitNanos();

  /** Asks a seat. */
  final void ask(SeatId seat, Message question) {
    int attempt = ++tries;
    Link link = router.links().to(seat, Lane.CONTROL);
    if (link == null) {
      router.refreshMap(null);
      next(router.links().whyNot(seat));
      return;
    }
    long askedNanos = router.timers().nanos();
    link.send(
        question,
        null,
        new Link.Reply() {
          @Override
          public void answered(Message message) {
            if (attempt == tries) Fetch.this.answered(seat, message);
          }

          @Override
          public Landing arriving(Message message, int payloadBytes) {
            if (attempt != tries) return Landing.DISCARD;
            return Fetch.this.arriving(seat, message, payloadBytes, link, askedNanos);
          }

          @Override
          public void lost(Link.Loss loss) {
            if (attempt != tries) return;
            deadline().unanswered(link, askedNanos);
            unanswered();
            next(seat + " " + link.trouble());
          }
        });
  }

  private void answered(SeatId seat, Message message) {
    if (message instanceof Replies.Failed failed) refused(seat, failed);
    else if (message instanceof Data.Got) tooFew(seat, 0);
    else if (message instanceof Data.InBuffer found) elsewhere(seat, found);
    else next(seat + " answered a read with " + message);
  }

  private Landing arriving(
      SeatId seat, Message message, int payloadBytes, Link link, long askedNanos) {
    if (!(message instanceof Data.Got got) || payloadBytes > lengthBytes) {
      next(seat + " answered a read of " + lengthBytes + " bytes with " + payloadBytes);
      return Landing.DISCARD;
    }
    if (payloadBytes < lengthBytes) {
      tooFew(seat, payloadBytes);
      return Landing.DISCARD;
    }
    ByteBuffer view = target.duplicate();
    return new Landing.Into(
        view,
        new Landing.Arrival() {
          @Override
          public void filled() {
            verify(seat, got);
          }

          @Override
          public void aborted() {
            deadline().unanswered(link, askedNanos);
            next(seat + " was lost while it sent");
          }
        });
  }

  private void verify(SeatId seat, Data.Got got) {
    boolean blind = router.config().planted().is(PlantedBug.CHECKSUM_UNVERIFIED_BY_READER);
    if (!blind && BlockChecksums.firstMismatch(target, got.checksums().toArray()) >= 0) {
      damaged(seat);
    } else {
      end(null);
    }
  }

  /** Tries again, unless that has been tried for too long. */
  final void next(String why) {
    int attempt = ++tries;
    if (deadline().isOver()) {
      end(deadline().givenUp(why));
      return;
    }
    router.waits(deadline().startNanos(), why);
    router
        .timers()
        .after(
            waitNanos(),
            () -> {
              if (attempt == tries) attempt();
            });
  }

  private Deadline deadline() {
    if (deadline == null) throw new IllegalStateException("the fetch has not started");
    return deadline;
  }

  final void end(@Nullable RequestFailed failure) {
    tries++;
    if (failure == null) outcome.fetched();
    else outcome.failed(failure);
    window.ended(this);
  }

  /** Another fetch brings it to the same place, and tells what comes of it. */
  final void passTo(RecordFetch.Source source) {
    tries++;
    window.add(new RecordFetch(window, source, target, outcome));
    window.ended(this);
  }
}
