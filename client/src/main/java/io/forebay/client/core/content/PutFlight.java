package io.forebay.client.core.content;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.base.planted.PlantedBug;
import io.forebay.client.core.route.Link;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.ring.Group;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One piece on its way to a group, or, if that group does not take it, to another. The piece's
 * bytes are needed until no connection holds them any more.
 */
final class PutFlight {
  /** So often the same group is asked before another one is tried. */
  private static final int REFUSALS_MAX = 4;

  /** So often bytes may arrive damaged before this machine itself must be suspected. */
  private static final int DAMAGES_MAX = 3;

  /**
   * So many times the time for an answer a home may keep silent about a piece that it was sent
   * whole, while it answers others.
   */
  private static final int OVERDUE_ANSWERS = 3;

  private final Writer writer;
  private final Router router;
  private final FileId file;
  private final Piece piece;
  private final Writer.Outcome outcome;
  private long deadlineNanos;
  private int tries;
  private int failures;
  private int refusalsHere;
  private int damages;
  private int held;
  private boolean over;
  private boolean sent;
  private long sentNanos;
  private @Nullable RequestFailed failure;
  private @Nullable SeatId askedSeat;

  PutFlight(Writer writer, FileId file, Piece piece, Writer.Outcome outcome) {
    this.writer = writer;
    this.router = writer.router();
    this.file = file;
    this.piece = piece;
    this.outcome = outcome;
  }

  int lengthBytes() {
    return piece.lengthBytes();
  }

  void start() {
    deadlineNanos = router.timers().nanos() + router.config().times().operationNanos();
    piece.moveTo(writer.choose(file, piece, 0), 0);
    attempt();
  }

  /** The home may be another now: whoever was asked may be dead. */
  void mapChanged() {
    if (over || askedSeat == null || !piece.hasGroup()) return;
    Group group = router.maps().map().group(piece.group());
    if (group != null && !group.home().equals(askedSeat)) attempt();
  }

  private void attempt() {
    int attempt = ++tries;
    askedSeat = null;
    ByteBuffer bytes = piece.bytes();
    Group group = router.maps().map().group(piece.group());
    Link link = group == null ? null : router.links().to(group.home(), Lane.INGEST);
    if (group == null || link == null || bytes == null) {
      router.refreshMap(null);
      String noGroup = "the map has no " + piece.group();
      retry(group == null ? noGroup : router.links().whyNot(group.home()), true);
      return;
    }
    askedSeat = group.home();
    held++;
    sent = false;
    link.send(
        new Data.Put(
            piece.group(),
            group.epoch(),
            piece.record(writer.session().id()),
            file,
            piece.offset(),
            writer.session().instance().forced(),
            piece.checksums()),
        payload(bytes, attempt),
        new Link.Reply() {
          @Override
          public void answered(Message message) {
            if (attempt == tries) PutFlight.this.answered(link, message);
          }

          @Override
          public void lost(Link.Loss loss) {
            if (attempt == tries) PutFlight.this.lost(link, loss);
          }
        });
    watch(attempt);
  }

  /** A link tells when nothing is answered; this, when this piece alone is not. */
  private void watch(int attempt) {
    long patience = OVERDUE_ANSWERS * router.config().times().answerNanos();
    router
        .timers()
        .after(
            patience,
            () -> {
              if (attempt != tries || over) return;
              boolean overdue = sent && router.timers().nanos() - sentNanos >= patience;
              if (overdue) retry(askedSeat + " does not answer", ++refusalsHere > 1);
              else watch(attempt);
            });
  }

  private Payload payload(ByteBuffer bytes, int attempt) {
    return new Payload() {
      @Override
      public ByteBuffer bytes() {
        return bytes;
      }

      @Override
      public void release() {
        held--;
        if (attempt == tries) {
          sent = true;
          sentNanos = router.timers().nanos();
        }
        finishIfFree();
      }
    };
  }

  private void answered(Link link, Message message) {
    if (message instanceof Data.PutDone) {
      over(null);
    } else if (message instanceof Replies.Failed failed) {
      refused(link, failed);
    } else {
      over(new RequestFailed(ErrorCode.MALFORMED, askedSeat + " answered a write: " + message));
    }
  }

  private void refused(Link link, Replies.Failed failed) {
    String why = askedSeat + ", home of " + piece.group() + ", says: " + failed.detail();
    switch (failed.code()) {
      case STALE_EPOCH, NOT_HOME -> {
        router.refreshMap(link);
        retry(why, ++refusalsHere >= REFUSALS_MAX);
      }
      case UNAVAILABLE, BUSY -> retry(why, ++refusalsHere >= REFUSALS_MAX);
      case CORRUPT -> {
        if (++damages < DAMAGES_MAX) attempt();
        else over(new RequestFailed(ErrorCode.CORRUPT, why + "; was the buffer changed?"));
      }
      case SESSION_ENDED -> {
        writer.session().toldEnded();
        over(Writer.ended());
      }
      default -> over(new RequestFailed(failed.code(), failed.detail()));
    }
  }

  private void lost(Link link, Link.Loss loss) {
    router.homeLost(piece.group());
    // A connection that broke may come back at once; one that cannot be made will not, nor will a
    // home that says nothing, perhaps because its successor does not.
    boolean elsewhere = loss.kind() != Link.Loss.Kind.BROKEN || ++refusalsHere > 1;
    retry(askedSeat + " cannot be reached at " + link.describe(), elsewhere);
  }

  private void retry(String why, boolean elsewhere) {
    int attempt = ++tries;
    if (router.timers().nanos() - deadlineNanos >= 0) {
      over(RequestFailed.givenUp(why, router.config().times().operationNanos()));
      return;
    }
    failures++;
    boolean moved = elsewhere && moveOn();
    // Another group is worth a try at once, unless many have been tried.
    long wait = moved && failures <= REFUSALS_MAX ? 0 : router.backoffNanos(failures);
    router
        .timers()
        .after(
            wait,
            () -> {
              if (attempt == tries && !over) attempt();
            });
  }

  /** Chooses another group, if there is one, and with it another id. */
  private boolean moveOn() {
    refusalsHere = 0;
    int last =
        Math.min(Piece.ATTEMPTS - 1, piece.attempt() + writer.session().instance().seats().size());
    for (int attempt = piece.attempt() + 1; attempt <= last; attempt++) {
      GroupId other = writer.choose(file, piece, attempt);
      if (!other.equals(piece.group())) {
        boolean same = router.config().planted().is(PlantedBug.RETRY_ELSEWHERE_UNDER_SAME_ID);
        piece.moveTo(other, same ? piece.attempt() : attempt);
        return true;
      }
    }
    return false;
  }

  private void over(@Nullable RequestFailed why) {
    tries++;
    over = true;
    failure = why;
    finishIfFree();
  }

  private void finishIfFree() {
    if (!over || held > 0) return;
    // Told once: release is, too.
    held = Integer.MAX_VALUE;
    piece.letGo();
    RequestFailed why = failure;
    if (why == null) outcome.acknowledged();
    else outcome.failed(why);
    writer.landed(this, piece.lengthBytes());
  }
}
