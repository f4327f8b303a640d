package io.forebay.client.core.content;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.client.core.route.TreeSession;
import io.forebay.ring.Placement;
import io.forebay.wire.message.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends pieces, a bounded number of bytes at a time, until each is acknowledged or too much time
 * has passed.
 */
public final class Writer {
  /** Pieces that wait for their turn; more are refused. Their bytes are the callers' own. */
  static final int WAITING_MAX = 1024 * 1024;

  /** What comes of a piece: refused, or admitted and later one of the others. */
  interface Outcome {
    /** There is room for it. */
    void admitted();

    /** It was not sent. */
    void refused(RequestFailed failure);

    /** It is kept, and the network no longer needs its bytes. */
    void acknowledged();

    /** It could not be sent, and the network no longer needs its bytes. */
    void failed(RequestFailed failure);
  }

  private final Router router;
  private final TreeSession session;
  private final Supplier<Placement> placement;
  private final Room room;
  private final long roomAheadBytes;
  private final ArrayDeque<PutFlight> waiting = new ArrayDeque<>();
  private final Set<PutFlight> flying = new LinkedHashSet<>();
  private long flyingBytes;

  /**
   * Makes a writer for one session.
   *
   * @param placement how pieces choose their group by the map as it is
   */
  public Writer(Router router, TreeSession session, Supplier<Placement> placement) {
    this.router = router;
    this.session = session;
    this.placement = placement;
    this.roomAheadBytes = Room.aheadBytes(session.instance(), router.config().sizes().roomBytes());
    this.room = new Room(session, router.config().identity(), roomAheadBytes);
  }

  /** How much room is best taken at a time. */
  public long roomAheadBytes() {
    return roomAheadBytes;
  }

  Router router() {
    return router;
  }

  TreeSession session() {
    return session;
  }

  /**
   * Sends a piece of a file when its turn comes.
   *
   * @param roomTaken whether the caller has seen to it that there is room
   */
  void send(long file, Piece piece, boolean roomTaken, Outcome outcome) {
    if (session.hasEnded() || waiting.size() >= WAITING_MAX) {
      outcome.refused(session.hasEnded() ? ended() : busy());
      return;
    }
    FileId id = new FileId(session.instance().id(), file);
    PutFlight flight = new PutFlight(this, id, piece, outcome);
    Runnable admit =
        () -> {
          outcome.admitted();
          waiting.add(flight);
          pump();
        };
    if (roomTaken) admit.run();
    else room.take(piece.lengthBytes(), admit, outcome::refused);
  }

  /** The group for a piece, on its so-manieth try. */
  GroupId choose(FileId file, Piece piece, int attempt) {
    return placement.get().choose(file.number(), piece.offset(), attempt);
  }

  /** A piece is acknowledged or lost, and its bytes are no longer needed. */
  void landed(PutFlight flight, int lengthBytes) {
    if (!flying.remove(flight)) return;
    flyingBytes -= lengthBytes;
    pump();
  }

  static RequestFailed ended() {
    return new RequestFailed(
        ErrorCode.SESSION_ENDED,
        "the session has ended because the servers heard nothing of this client for too long;"
            + " what it had not published is lost: open the file again and write it again");
  }

  private static RequestFailed busy() {
    return new RequestFailed(
        ErrorCode.BUSY, "more than " + WAITING_MAX + " pieces wait to be sent; write less at once");
  }

  private void pump() {
    long window = router.config().sizes().writeWindowBytes();
    while (!waiting.isEmpty()) {
      PutFlight next = waiting.element();
      int bytes = next.lengthBytes();
      if (flyingBytes > 0 && flyingBytes + bytes > window) return;
      waiting.remove();
      flying.add(next);
      flyingBytes += bytes;
      next.start();
    }
  }

  /** The map has changed: whoever has been sent something may be home no longer. */
  public void mapChanged() {
    List<PutFlight> all = new ArrayList<>(flying);
    for (PutFlight flight : all) flight.mapChanged();
  }
}
