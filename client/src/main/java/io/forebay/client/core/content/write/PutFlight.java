// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.client.core.retry.Retry;
import io.forebay.client.core.route.Link;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.Payload;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One piece on its way to a group, or, if that group does not take it, to another. The bytes of the
 * piece must stay until no connection refers to them.
 */
final class PutFlight implements Retry.Request {
  /** How often the same group is asked before another one is tried. */
  private static final int REFUSALS_MAX = 4;

  /** How often bytes may arrive damaged before this machine itself is suspected. */
  private static final int DAMAGES_MAX = 3;

  /**
   * For how many answer timeouts a home may leave a fully sent piece unanswered while it answers
   * other requests.
   */
  private static final int OVERDUE_ANSWERS = 3;

  /** A live home that takes this multiple of the overdue time for a piece is slow. */
  private static final int SLOW_OVERDUES = 2;

  /**
   * How often a piece goes to another group because its home is slow: if all are slow, it must
   * wait.
   */
  private static final int HEDGES_MAX = 2;

  private final Writer writer;
  private final Router router;
  private final FileId file;
  private final Piece piece;
  private final Writer.Outcome outcome;
  private final Retry retry;
  private int turn;
  private int refusalsHere;
  private int damages;

  /** The last refusal was for lack of room. */
  private boolean full;

  private int hedges;
  private int held;
  private boolean sent;
  private long sentNanos;
  private @Nullable RequestFailed failure;
  private @Nullable Link askedLink;
  private Link.@Nullable Reply awaited;
  private @Nullable String refusal;

  PutFlight(Writer writer, FileId file, Piece piece, Writer.Outcome outcome) {
    this.writer = writer;
    this.router = writer.router();
    this.file = file;
    this.piece = piece;
    this.outcome = outcome;
    this.retry = new Retry(router.retries(), router.config().times().operationNanos(), this);
  }

  int lengthBytes() {
    return piece.lengthBytes();
  }

  @Nullable RequestFailed failureBefore() {
    return outcome.failureBefore();
  }

  void start() {
    piece.sendTo(writer.route(file, piece));
    retry.start();
  }

  /** The group may have a new home: the old one may be dead. */
  void mapChanged() {
    if (piece.hasGroup()) retry.mapChanged(router.maps().map().group(piece.group()));
  }

  @Override
  public void send(Retry.Try now) {
    ByteBuffer bytes = piece.bytes();
    Group group = router.maps().map().group(piece.group());
    Link link = group == null ? null : router.links().to(group.home(), Lane.INGEST);
    if (group == null || link == null || bytes == null) {
      router.refreshMap(null);
      String noGroup = "the map has no " + piece.group();
      again(group == null ? noGroup : router.links().whyNot(group.home()), true);
      return;
    }
    retry.asksHome(group);
    askedLink = link;
    held++;
    sent = false;
    Link.Reply reply = reply(link, group, now);
    awaited = reply;
    link.send(
        new Data.Put(
            piece.group(),
            group.epoch(),
            piece.record(writer.session().id()),
            file,
            // The home of the tree decides where appended bytes go.
            piece.isAppended() ? 0 : piece.offset(),
            writer.session().instance().forced(),
            writer.session().secret(),
            piece.checksums()),
        payload(bytes, now),
        reply);
  }

  private Link.Reply reply(Link link, Group group, Retry.Try now) {
    return new Link.Reply() {
      @Override
      public void answered(Message message) {
        if (now.isCurrent()) PutFlight.this.answered(link, message);
        else if (message instanceof Replies.Failed late) {
          refusal = whom(group.home(), group.id()) + ", says: " + late.detail();
        }
      }

      @Override
      public void lost(Link.Loss loss) {
        if (now.isCurrent()) PutFlight.this.lost(link, loss);
      }
    };
  }

  /**
   * Called at intervals. The link detects a silent home; if the home is alive but slow, the piece
   * may go to another group as well.
   */
  void look(long nowNanos) {
    if (!retry.isAsking()) return;
    long overdueNanos = router.config().times().overdueNanos();
    long askedForNanos = nowNanos - retry.askedNanos();
    if (askedForNanos < overdueNanos) return;
    router.waits(retry.startNanos(), refusal != null ? refusal : whom() + " has not answered yet");
    if (!sent) {
      maybeLeaveUnreachable(askedForNanos);
      return;
    }
    long waitedNanos = nowNanos - sentNanos;
    if (askedLink != null) unanswered(askedLink);
    if (waitedNanos >= OVERDUE_ANSWERS * router.config().times().answerNanos()) {
      again(withRefusal(whom() + " does not answer"), ++refusalsHere > 1);
    } else if (waitedNanos >= SLOW_OVERDUES * overdueNanos
        && hedges < HEDGES_MAX
        && writer.mayHedge()) {
      hedges++;
      again(withRefusal(whom() + " is slow"), true);
    }
  }

  /**
   * A home to which there is no connection yet has nothing of the piece: another group may take it.
   * The home may be slow, and is dialled for long then, or out of this client's reach.
   */
  private void maybeLeaveUnreachable(long waitedNanos) {
    boolean isLong = waitedNanos >= SLOW_OVERDUES * router.config().times().overdueNanos();
    Link link = askedLink;
    Link.Reply reply = awaited;
    if (!isLong || hedges >= HEDGES_MAX || link == null || reply == null) return;
    if (!link.withdraw(reply)) return;
    hedges++;
    again(withRefusal(whom() + " cannot be reached"), true);
  }

  /** The last refusal explains more than a missing answer. */
  private String withRefusal(String why) {
    return refusal == null ? why : why + "; before, " + refusal;
  }

  private Payload payload(ByteBuffer bytes, Retry.Try now) {
    return new Payload() {
      @Override
      public ByteBuffer bytes() {
        return bytes;
      }

      @Override
      public void release() {
        held--;
        if (now.isCurrent()) {
          sent = true;
          sentNanos = router.timers().nanos();
        }
        finishIfFree();
      }
    };
  }

  private void answered(Link link, Message message) {
    if (message instanceof Data.PutDone) {
      writer.detours().taken(piece.group(), piece.number());
      writer.pieceTaken();
      over(null);
    } else if (message instanceof Data.PutElsewhere elsewhere) {
      redirected(elsewhere);
    } else if (message instanceof Replies.Failed failed) {
      refused(link, failed);
    } else {
      over(new RequestFailed(ErrorCode.MALFORMED, retry.asked() + " answered a write: " + message));
    }
  }

  /** The group is short of room and names one that has more. */
  private void redirected(Data.PutElsewhere elsewhere) {
    String why = whom() + ", says: " + elsewhere.reason();
    GroupId from = piece.group();
    GroupId to = elsewhere.group();
    if (!writer.takes(to) || to.equals(from)) {
      again(why, true);
      return;
    }
    writer.detours().begin(from, to, piece.number());
    if (piece.moveTo(to)) {
      refusalsHere = 0;
      retry.atOnce();
    } else {
      again(why, false);
    }
  }

  private String whom() {
    return whom(retry.asked(), piece.group());
  }

  private String whom(@Nullable SeatId seat, GroupId group) {
    SeatEntry entry = seat == null ? null : router.maps().map().seat(seat);
    String server = entry == null ? "" : " on server " + entry.server();
    return seat + server + ", home of " + group;
  }

  private void refused(Link link, Replies.Failed failed) {
    String why = whom() + ", says: " + failed.detail();
    refusal = why;
    full = failed.code() == ErrorCode.NO_SPACE;
    switch (failed.code()) {
      case STALE_EPOCH, NOT_HOME -> {
        router.refreshMap(link);
        again(why, ++refusalsHere >= REFUSALS_MAX);
      }
      case UNAVAILABLE -> again(why, ++refusalsHere >= REFUSALS_MAX);
      // It has waited there for a while already.
      case BUSY, NO_SPACE -> again(why, ++refusalsHere > 1);
      // A device of that seat is broken; others are not.
      case FAILED -> again(why, true);
      case CORRUPT -> {
        if (++damages < DAMAGES_MAX) retry.atOnce();
        else over(new RequestFailed(ErrorCode.CORRUPT, why + "; was the buffer changed?"));
      }
      case SESSION_ENDED -> {
        writer.session().toldEnded();
        over(Writer.ended());
      }
      case READ_ONLY -> {
        RequestFailed readOnly = new RequestFailed(failed.code(), failed.detail());
        writer.protection().refused(readOnly);
        over(readOnly);
      }
      default -> over(new RequestFailed(failed.code(), failed.detail()));
    }
  }

  private void lost(Link link, Link.Loss loss) {
    router.homeLost(piece.group());
    unanswered(link);
    // A connection that broke may come back at once; one that cannot be made will not, nor will a
    // home that says nothing, perhaps because its successor does not.
    boolean elsewhere = loss.kind() != Link.Loss.Kind.BROKEN || ++refusalsHere > 1;
    again(withRefusal(retry.asked() + " " + link.trouble()), elsewhere);
  }

  /** Whether the home works for this client, or only refuses for lack of room. */
  private void unanswered(Link link) {
    if (!full) retry.unanswered(link.livedNanos());
  }

  /** Fails without being sent. */
  void giveUp(RequestFailed why) {
    over(why);
  }

  private void again(String why, boolean elsewhere) {
    RequestFailed before = failureBefore();
    if (before != null) {
      over(before);
      return;
    }
    if (full) retry.progressed(writer.takenNanos());
    retry.again(why, () -> elsewhere && moveOn() ? Retry.Next.OTHER_GROUP : Retry.Next.SAME);
  }

  @Override
  public void givenUp(String why, long triedNanos) {
    RequestFailed given = RequestFailed.givenUp(why, triedNanos);
    over(full ? ringIsFull(given) : given);
  }

  /** The failure when no room came free within the time of a write. */
  private static RequestFailed ringIsFull(RequestFailed why) {
    return new RequestFailed(
        ErrorCode.NO_SPACE,
        "the ring is full: delete files, let them drain, or add servers ("
            + why.getMessage()
            + ")");
  }

  /** Chooses another group, if there is one, and with it another id. */
  private boolean moveOn() {
    refusalsHere = 0;
    GroupId from = piece.group();
    writer.detours().begin(from, null, piece.number());
    GroupId other = writer.alternative(file, piece, ++turn);
    return other != null && piece.moveTo(other);
  }

  private void over(@Nullable RequestFailed why) {
    retry.end();
    failure = why;
    finishIfFree();
  }

  private void finishIfFree() {
    if (!retry.isOver() || held > 0) return;
    // Told once: release is, too.
    held = Integer.MAX_VALUE;
    piece.letGo();
    RequestFailed why = failure;
    if (why == null) outcome.acknowledged();
    else outcome.failed(why);
    writer.landed(this, piece.lengthBytes());
  }
}
