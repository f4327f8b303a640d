package io.forebay.client.core.content;

import io.forebay.base.BlockChecksums;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.planted.PlantedBug;
import io.forebay.client.core.route.Futures;
import io.forebay.client.core.route.Link;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.ring.Group;
import io.forebay.ring.SeatEntry;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Brings pieces of records straight to where they are wanted, a bounded number of bytes at a time:
 * from the home, or from any other member that has them.
 */
public final class RecordReader {
  /** Fetches that wait for their turn; more fail. */
  static final int WAITING_MAX = 1024 * 1024;

  /** Where bytes are. */
  record Source(GroupId group, RecordId record, int instance, int recordOffset) {}

  /** What comes of a fetch; told once, when nothing writes into the target any more. */
  interface Outcome {
    void fetched();

    /** With {@link ErrorCode#GONE} if no member has the record, as far as one can tell. */
    void failed(RequestFailed failure);
  }

  private final Router router;
  private final ArrayDeque<Fetch> waiting = new ArrayDeque<>();
  private long flyingBytes;

  public RecordReader(Router router) {
    this.router = router;
  }

  Router router() {
    return router;
  }

  /** Fills what remains of the target. */
  void fetch(Source source, ByteBuffer target, Outcome outcome) {
    if (waiting.size() >= WAITING_MAX) {
      String detail = "more than " + WAITING_MAX + " reads wait to be asked; read less at once";
      outcome.failed(new RequestFailed(ErrorCode.BUSY, detail));
      return;
    }
    waiting.add(new Fetch(source, target, outcome));
    pump();
  }

  private void pump() {
    long window = router.config().sizes().readWindowBytes();
    while (!waiting.isEmpty()) {
      int bytes = waiting.element().lengthBytes;
      if (flyingBytes > 0 && flyingBytes + bytes > window) return;
      flyingBytes += bytes;
      waiting.remove().start();
    }
  }

  private final class Fetch {
    private final Source source;
    private final ByteBuffer target;
    private final int lengthBytes;
    private final Outcome outcome;
    private long deadlineNanos;
    private int tries;
    private int failures;

    /** Who is asked next, counted through the members. */
    private int turn;

    /** Members in this round that said for certain that they cannot give it. */
    private final Set<SeatId> certain = new TreeSet<>();

    Fetch(Source source, ByteBuffer target, Outcome outcome) {
      this.source = source;
      this.target = target;
      this.lengthBytes = target.remaining();
      this.outcome = outcome;
    }

    void start() {
      deadlineNanos = router.timers().nanos() + router.config().times().operationNanos();
      attempt();
    }

    private void attempt() {
      int attempt = ++tries;
      Group group = router.maps().map().group(source.group());
      SeatId seat = group == null ? null : memberOnTurn(group);
      Link link = seat == null ? null : router.links().to(seat, Lane.CONTROL);
      if (group == null || seat == null || link == null) {
        router.refreshMap(null);
        String noGroup = "the map has no " + source.group();
        next(seat == null ? noGroup : router.links().whyNot(seat));
        return;
      }
      link.send(
          new Data.Get(
              source.group(),
              source.record(),
              source.instance(),
              source.recordOffset(),
              lengthBytes),
          null,
          new Link.Reply() {
            @Override
            public void answered(Message message) {
              if (attempt == tries) Fetch.this.answered(seat, message);
            }

            @Override
            public Landing arriving(Message message, int payloadBytes) {
              if (attempt != tries) return Landing.DISCARD;
              return Fetch.this.arriving(seat, message, payloadBytes);
            }

            @Override
            public void lost(Link.Loss loss) {
              if (attempt != tries) return;
              router.refreshMap(null);
              next(seat + " " + link.trouble());
            }
          });
    }

    /** The home first, unless another member is on this machine. */
    private SeatId memberOnTurn(Group group) {
      int size = group.members().size();
      return group.members().get((nearest(group) + turn) % size).seat();
    }

    private int nearest(Group group) {
      String node = router.config().node();
      for (int i = 0; i < group.members().size(); i++) {
        Group.Member member = group.members().get(i);
        SeatEntry seat = router.maps().map().seat(member.seat());
        if (member.current() && seat != null && seat.host().equals(node)) return i;
      }
      return 0;
    }

    private Landing arriving(SeatId seat, Message message, int payloadBytes) {
      if (!(message instanceof Data.Got got) || payloadBytes != lengthBytes) {
        next(seat + " answered a read of " + lengthBytes + " bytes with " + payloadBytes);
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
              next(seat + " was lost while it sent");
            }
          });
    }

    private void verify(SeatId seat, Data.Got got) {
      boolean blind = router.config().planted().is(PlantedBug.CHECKSUM_UNVERIFIED_BY_READER);
      if (!blind && BlockChecksums.firstMismatch(target, got.checksums().toArray()) >= 0) {
        // On its way, or in the memory of the seat, which looks for itself.
        Futures.then(
            router.askSeat(seat, new Data.LooksDamaged(source.record()), Replies.Done.class),
            done -> {},
            failed -> {});
        next("what " + seat + " sent of record " + source.record() + " was damaged on its way");
      } else {
        end(null);
      }
    }

    private void answered(SeatId seat, Message message) {
      if (!(message instanceof Replies.Failed failed)) {
        next(seat + " answered a read with " + message);
        return;
      }
      String why = seat + " says: " + failed.detail();
      // Whoever is no member any more says nothing about the record.
      boolean moved = failed.code() == ErrorCode.NOT_HOME;
      if (moved) router.refreshMap(null);
      boolean again =
          moved || failed.code() == ErrorCode.BUSY || failed.code() == ErrorCode.UNAVAILABLE;
      if (!again) certain.add(seat);
      if (!again && allAreCertain()) end(new RequestFailed(failed.code(), why));
      else next(why);
    }

    /** Their order may change between two turns, so that one is asked twice and another not. */
    private boolean allAreCertain() {
      Group group = router.maps().map().group(source.group());
      return group != null
          && group.members().stream().allMatch(member -> certain.contains(member.seat()));
    }

    private void next(String why) {
      int attempt = ++tries;
      if (router.timers().nanos() - deadlineNanos >= 0) {
        end(RequestFailed.givenUp(why, router.config().times().operationNanos()));
        return;
      }
      turn++;
      // Each member is asked at once, then all of them again after a while.
      Group group = router.maps().map().group(source.group());
      int members = group == null ? 1 : group.members().size();
      boolean newRound = turn % members == 0;
      if (newRound) certain.clear();
      long wait = newRound ? router.backoffNanos(++failures) : 0;
      router
          .timers()
          .after(
              wait,
              () -> {
                if (attempt == tries) attempt();
              });
    }

    private void end(@Nullable RequestFailed failure) {
      tries++;
      flyingBytes -= lengthBytes;
      if (failure == null) outcome.fetched();
      else outcome.failed(failure);
      pump();
    }
  }
}
