// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.read;

import io.forebay.base.BlockChecksums;
import io.forebay.base.SeatId;
import io.forebay.base.rule.Rule;
import io.forebay.client.core.retry.Retry;
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
 * Fetches one piece directly into its target and verifies it; retries until it succeeds or the
 * deadline passes. Subclasses decide which seat to ask for what.
 */
abstract class Fetch implements Retry.Request {
  /** The result of a fetch; called once, when nothing writes into the target any more. */
  interface Outcome {
    void fetched();

    /**
     * With {@link ErrorCode#GONE} if, as far as this client can tell, no seat that should have it
     * has it.
     */
    void failed(RequestFailed failure);
  }

  final Router router;
  private final ReadWindow window;
  private final ByteBuffer target;
  private final int lengthBytes;
  private final Outcome outcome;
  private final Retry retry;
  private @Nullable Long waitingSince;

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
    this.retry = new Retry(router.retries(), router.config().times().operationNanos(), this);
  }

  final int lengthBytes() {
    return lengthBytes;
  }

  /** A read has waited for it since then. */
  final void awaitedSince(long nanos) {
    waitingSince = nanos;
  }

  final void start() {
    Long since = waitingSince;
    if (since == null) retry.start();
    else retry.start(since);
  }

  /** It was never started. */
  final void refuse(RequestFailed failure) {
    outcome.failed(failure);
  }

  /** A seat says why it does not give it. */
  abstract void refused(SeatId seat, Replies.Failed failed);

  /** A seat does not answer, or no more. */
  abstract void unanswered();

  /** The bytes of a seat do not match their checksums. */
  abstract void damaged(SeatId seat);

  /** A seat has fewer bytes than it was asked for. */
  abstract void tooFew(SeatId seat, int bytes);

  /** The buffer has it by now; only for bytes of the backing store. */
  void elsewhere(SeatId seat, Data.InBuffer found) {
    next(seat + " answered a read with " + found);
  }

  /** Chooses the seat for the next try. */
  Retry.Next chooseNext() {
    return Retry.Next.SAME;
  }

  /** Asks a seat. */
  final void ask(Retry.Try now, SeatId seat, Message question) {
    Link link = router.links().to(seat, Lane.CONTROL);
    if (link == null) {
      router.refreshMap(null);
      next(router.links().whyNot(seat));
      return;
    }
    link.send(
        question,
        null,
        new Link.Reply() {
          @Override
          public void answered(Message message) {
            if (now.isCurrent()) Fetch.this.answered(seat, message);
          }

          @Override
          public Landing arriving(Message message, int payloadBytes) {
            if (!now.isCurrent()) return Landing.DISCARD;
            return Fetch.this.arriving(seat, message, payloadBytes, link);
          }

          @Override
          public void lost(Link.Loss loss) {
            if (!now.isCurrent()) return;
            retry.unanswered(link.livedNanos());
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

  private Landing arriving(SeatId seat, Message message, int payloadBytes, Link link) {
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
            retry.unanswered(link.livedNanos());
            next(seat + " was lost while it sent");
          }
        });
  }

  private void verify(SeatId seat, Data.Got got) {
    if (isSound(target, got)) {
      end(null);
    } else {
      damaged(seat);
    }
  }

  /** A reader verifies what it gets with the checksums that the record was written with (P19). */
  @Rule("P19")
  private static boolean isSound(ByteBuffer bytes, Data.Got got) {
    return BlockChecksums.firstMismatch(bytes, got.checksums().toArray()) < 0;
  }

  /** Tries again, unless that has been tried for too long. */
  final void next(String why) {
    retry.again(why, this::chooseNext);
  }

  @Override
  public final void givenUp(String why, long triedNanos) {
    end(RequestFailed.givenUp(why, triedNanos));
  }

  final void end(@Nullable RequestFailed failure) {
    retry.end();
    if (failure == null) outcome.fetched();
    else outcome.failed(failure);
    window.ended(this);
  }

  /** Another fetch with the same target takes over, and reports the result. */
  final void passTo(RecordFetch.Source source) {
    retry.end();
    window.add(new RecordFetch(window, source, target, outcome));
    window.ended(this);
  }
}
