// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.content.write;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.core.route.Router;
import io.forebay.client.core.route.TreeSession;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.Placement;
import io.forebay.wire.message.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends pieces, with a bounded number of bytes in flight, until each is acknowledged or its
 * deadline passes.
 */
public final class Writer {
  /** Pieces that wait for their turn; more are refused. Their bytes are the callers' own. */
  static final int WAITING_MAX = 1024 * 1024;

  /** How many groups in a row may redirect a piece before it is sent at all. */
  private static final int DETOURS_MAX = 2;

  /** The share of pieces that may be sent twice because their home is slow... */
  static final double HEDGED_SHARE = 0.05;

  /**
   * ...and the maximum burst of them: when a home slows down, a whole window of pieces is affected.
   */
  static final double HEDGES_MAX = 64;

  /** The result of a piece: refused, or admitted and later one of the others. */
  public interface Outcome {
    /** There is room for it. */
    void admitted();

    /** Why the piece is obsolete, checked before it is sent; null if it is not. */
    @Nullable RequestFailed failureBefore();

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
  private final WriteAllowance room;
  private final long roomAheadBytes;
  private final ArrayDeque<PutFlight> waiting = new ArrayDeque<>();
  private final Set<PutFlight> flying = new LinkedHashSet<>();
  private final AvoidedGroups detours;
  private final WriteProtection protection;
  private double hedges = HEDGES_MAX;
  private boolean looking;
  private long flyingBytes;
  private long takenNanos;

  /**
   * Makes a writer for one session.
   *
   * @param placement how pieces choose their group by the map as it is
   */
  public Writer(Router router, TreeSession session, Supplier<Placement> placement) {
    this.router = router;
    this.session = session;
    this.placement = placement;
    this.detours = new AvoidedGroups(router.timers());
    this.protection = new WriteProtection(router.timers());
    protection.follow(session.instance());
    this.takenNanos = router.timers().nanos();
    this.roomAheadBytes =
        WriteAllowance.aheadBytes(session.instance(), router.config().sizes().roomBytes());
    this.room = new WriteAllowance(session, router.identity(), roomAheadBytes);
  }

  /** The preferred amount of room to reserve at a time. */
  public long roomAheadBytes() {
    return roomAheadBytes;
  }

  public Router router() {
    return router;
  }

  public TreeSession session() {
    return session;
  }

  /**
   * Sends a piece of a file when its turn comes.
   *
   * @param roomTaken whether the caller has seen to it that there is room
   */
  public void send(long file, Piece piece, boolean roomTaken, Outcome outcome) {
    if (session.hasEnded() || waiting.size() >= WAITING_MAX) {
      outcome.refused(session.hasEnded() ? ended() : busy());
      return;
    }
    RequestFailed objection = protection.objection(endOffset(piece), piece.isAppended());
    if (objection != null) {
      outcome.refused(objection);
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
    else room.take(piece.lengthBytes(), endOffset(piece), admit, outcome::refused);
  }

  private static long endOffset(Piece piece) {
    return piece.offset() + piece.lengthBytes();
  }

  /** The failure of a file that ends at this offset, if there was no room for it. */
  public RequestFailed noRoom(RequestFailed failure, long endOffset) {
    return WriteAllowance.inUsersTerms(failure, session.instance(), endOffset);
  }

  /**
   * The first group for a piece: the placement's, or where that one's pieces go at present; one
   * that has all its copies if there is any (P15).
   */
  GroupId route(FileId file, Piece piece) {
    GroupId group = choose(file, piece, 0);
    for (int i = 0; i < DETOURS_MAX && detours.avoids(group, piece.number()); i++) {
      GroupId to = detours.target(group);
      if (to == null || !takes(to)) return otherThan(group, file, piece, true);
      group = to;
    }
    return isWhole(group) ? group : otherThan(group, file, piece, false);
  }

  private GroupId otherThan(GroupId group, FileId file, Piece piece, boolean any) {
    piece.sendTo(group);
    GroupId other = alternative(file, piece, 1);
    return other != null && (any || isWhole(other)) ? other : group;
  }

  /**
   * Another group for a piece: by preference one that has all its copies and is not avoided. Null
   * if there is only one.
   *
   * @param turn with which of the alternatives to begin, counted from 1
   */
  @Nullable GroupId alternative(FileId file, Piece piece, int turn) {
    GroupId second = null;
    GroupId third = null;
    int seats = instance().seats().size();
    for (int attempt = turn; attempt < turn + seats; attempt++) {
      GroupId other = choose(file, piece, attempt);
      if (other.equals(piece.group())) continue;
      boolean avoided = detours.isAvoided(other);
      if (!avoided && isWhole(other)) return other;
      if (!avoided && second == null) second = other;
      if (third == null) third = other;
    }
    return second != null ? second : third;
  }

  private boolean isWhole(GroupId id) {
    Group group = router.maps().map().group(id);
    return group != null && group.isWhole();
  }

  private GroupId choose(FileId file, Piece piece, int attempt) {
    return placement.get().choose(file.number(), piece.offset(), attempt);
  }

  /** Whether records of this instance can go to the group. */
  boolean takes(GroupId id) {
    Group group = router.maps().map().group(id);
    return group != null
        && id.copies() == session.instance().copies()
        && instance().seats().contains(id.origin())
        && group.members().get(0).current();
  }

  /** As the map has it now: servers that join or leave change its seats. */
  private Instance instance() {
    Instance now = router.maps().map().instance(session.instance().id());
    return now == null ? session.instance() : now;
  }

  /** What write protection refuses; any thread may ask. */
  public WriteProtection protection() {
    return protection;
  }

  AvoidedGroups detours() {
    return detours;
  }

  /** Whether one more piece may be sent twice because its home is slow; counts it if so. */
  boolean mayHedge() {
    if (hedges < 1) return false;
    hedges--;
    return true;
  }

  /** A piece is acknowledged or lost, and its bytes are no longer needed. */
  void landed(PutFlight flight, int lengthBytes) {
    if (!flying.remove(flight)) return;
    flyingBytes -= lengthBytes;
    hedges = Math.min(HEDGES_MAX, hedges + HEDGED_SHARE);
    pump();
  }

  public static RequestFailed ended() {
    return new RequestFailed(
        ErrorCode.SESSION_ENDED,
        "the session has ended because the servers heard nothing of this client for too long;"
            + " what it had not published is lost: open the file again and write it again");
  }

  private static RequestFailed busy() {
    return new RequestFailed(
        ErrorCode.BUSY, "more than " + WAITING_MAX + " pieces wait to be sent; write less at once");
  }

  /** A home has taken a piece: there is room somewhere. */
  void pieceTaken() {
    takenNanos = router.timers().nanos();
  }

  long takenNanos() {
    return takenNanos;
  }

  private void pump() {
    long window = router.config().sizes().writeWindowBytes();
    while (!waiting.isEmpty()) {
      PutFlight next = waiting.element();
      int bytes = next.lengthBytes();
      if (flyingBytes > 0 && flyingBytes + bytes > window) return;
      waiting.remove();
      RequestFailed failed = next.failureBefore();
      if (failed != null) {
        next.giveUp(failed);
        continue;
      }
      flying.add(next);
      flyingBytes += bytes;
      next.start();
    }
    lookLater();
  }

  /** One timer for all pieces in flight. */
  private void lookLater() {
    if (looking || flying.isEmpty()) return;
    looking = true;
    router
        .timers()
        .after(
            router.config().times().overdueNanos() / 2,
            () -> {
              looking = false;
              long now = router.timers().nanos();
              for (PutFlight flight : new ArrayList<>(flying)) flight.look(now);
              lookLater();
            });
  }

  /** The map has changed: a seat that got pieces may no longer be home. */
  public void mapChanged() {
    detours.lookSoon();
    protection.follow(instance());
    List<PutFlight> all = new ArrayList<>(flying);
    for (PutFlight flight : all) flight.mapChanged();
  }
}
