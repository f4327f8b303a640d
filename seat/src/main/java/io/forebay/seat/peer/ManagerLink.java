// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import io.forebay.base.Timers;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.ManagerAddresses;
import io.forebay.wire.Network;
import io.forebay.wire.UnreachedManagers;
import io.forebay.wire.message.Access;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The seat's connection to the manager: announces the seat, reports that it lives, and takes maps.
 * Without a manager the seat continues with its current map.
 */
public final class ManagerLink implements Handler {
  /** The link's view of its seat. */
  public interface Owner {
    Maps.Init init();

    /** Null before the seat has a place. */
    Maps.@Nullable SeatReport report();

    /** Whether the other end of a connection has proved to be a manager. */
    boolean isManager(Connection connection);

    void mapArrived(Maps.MapIs map);

    void keysArrived(Access.KeysAre keys);

    void trustArrived(Access.TrustIs trust);

    /** The manager refuses the seat, for another reason than the last time. */
    void refused(String reason);

    /** No manager has answered for a while. */
    void unmanaged(String sentence);
  }

  private static final ProtocolTimes.Manager TIMES = ProtocolTimes.DEFAULT.manager();

  private static final double NANOS_PER_SECOND = 1e9;

  /** Questions in a row without a useful answer after which another manager is tried. */
  private static final int UNANSWERED_MAX = 3;

  private final Timers timers;
  private final Network network;
  private final List<Address> configured;
  private final String host;
  private final Calls calls;
  private final Owner seat;
  private final UnreachedManagers unreached;

  /** Where managers are: as configured, and as one of them has said. */
  private List<Address> managers;

  private int current;
  private long pauseNanos = TIMES.dialNanosMin();
  private Address dialled;

  /** Dialled once before the others: it leads, as another manager said. */
  private @Nullable Address preferred;

  /** Whether the connected manager says that it leads: its refusals pass. */
  private boolean leads;

  /** Questions in a row that were not answered, or with a refusal for now. */
  private int unanswered;

  private @Nullable Connection connection;
  private boolean opened;
  private boolean closed;
  private long announced;

  /** When a refused seat asks again; null if it was not refused. */
  private Timers.@Nullable Timer announcesAgain;

  private long refusedPauseNanos = TIMES.dialNanosMin();

  /** Why the manager refused the seat when it was last asked, or an empty text. */
  private String refusal = "";

  /** Since when no manager is connected. */
  private long unmanagedSinceNanos;

  private long tellNanos;

  public ManagerLink(
      Timers timers,
      Network network,
      List<Address> managers,
      String host,
      Calls calls,
      Owner seat) {
    this.timers = timers;
    this.network = network;
    this.configured = List.copyOf(managers);
    this.managers = configured;
    this.dialled = managers.getFirst();
    this.host = host;
    this.calls = calls;
    this.seat = seat;
    this.unreached = new UnreachedManagers(timers::nanos);
  }

  public void start() {
    lost();
    dial();
    reportLater();
  }

  /** Asks the manager; the reply is null at once if it cannot be reached. */
  public void ask(Message message, long timeoutNanos, Calls.Reply reply) {
    Connection to = connection;
    if (to == null || !opened) {
      reply.replied(null);
      return;
    }
    to.send(calls.begin(timeoutNanos, reply), message);
  }

  /** Asks for a map newer than this; it arrives like any other. */
  public void fetchMap(long haveEpoch) {
    ask(new Maps.GetMap(haveEpoch), TIMES.reportNanos(), this::mapReplied);
  }

  /** Asks for the keys of capabilities. */
  public void fetchKeys() {
    ask(new Access.GetKeys(), TIMES.reportNanos(), this::keysReplied);
  }

  private void keysReplied(@Nullable Message message) {
    if (message instanceof Access.KeysAre keys) seat.keysArrived(keys);
  }

  public void close(String reason) {
    closed = true;
    if (connection != null) connection.close(reason);
  }

  private void dial() {
    if (closed) return;
    Address to = next();
    Maps.Init init = seat.init();
    opened = false;
    connection =
        network.connect(
            to,
            Handshake.Hello.of(
                Handshake.Role.SEAT, Handshake.Lane.CONTROL, init.cluster(), host, -1),
            this);
    if (managers.size() > 1) giveUpLater(connection);
  }

  /** With other managers to try, a silent one is not waited for long. */
  private void giveUpLater(Connection attempt) {
    timers.after(
        TIMES.reportNanos(),
        () -> {
          if (attempt.equals(connection) && !opened) attempt.close("it takes no connection");
        });
  }

  /** The manager that another one has named, or the next of the list. */
  private Address next() {
    Address named = preferred;
    preferred = null;
    current = unreached.next(managers, current);
    dialled = named == null ? managers.get(current) : named;
    return dialled;
  }

  @Override
  public void opened(Connection to) {
    if (!seat.isManager(to)) {
      to.close("it has not proved to be a manager");
      return;
    }
    opened = true;
    leads = false;
    unanswered = 0;
    unreached.reached(dialled);
    pauseNanos = TIMES.dialNanosMin();
    announce(to);
    fetchKeys();
  }

  /**
   * The manager answers when the ring is arranged, however long that takes: only a lost connection
   * ends the wait. A refusal may pass, such as that of a seat whose predecessor on the same server
   * does not count as away yet.
   */
  private void announce(Connection to) {
    if (closed || !opened || !to.equals(connection)) return;
    announcesAgain = null;
    announced =
        calls.begin(
            Long.MAX_VALUE / 2,
            reply -> {
              mapReplied(reply);
              if (reply != null) noteAnswer(reply);
              if (reply instanceof Replies.Failed) announceLater(to);
              if (reply instanceof Maps.MapIs) taken();
            });
    to.send(announced, seat.init());
  }

  private void announceLater(Connection to) {
    announcesAgain = timers.after(refusedPauseNanos, () -> announce(to));
    refusedPauseNanos = Math.min(TIMES.dialNanosMax() / managers.size(), refusedPauseNanos * 2);
  }

  /** The connected manager has begun to lead: it takes what it refused before. */
  private void announceNow(Connection to) {
    Timers.Timer again = announcesAgain;
    if (again == null) return;
    again.cancel();
    announce(to);
  }

  private void taken() {
    refusal = "";
    refusedPauseNanos = TIMES.dialNanosMin();
  }

  private void mapReplied(@Nullable Message message) {
    if (message instanceof Maps.MapIs map) {
      seat.mapArrived(map);
    } else if (message instanceof Replies.Failed failed && !failed.detail().equals(refusal)) {
      refusal = failed.detail();
      seat.refused(refusal);
    }
  }

  private void reportLater() {
    timers.after(
        TIMES.reportNanos(),
        () -> {
          if (closed) return;
          Maps.SeatReport report = seat.report();
          if (report != null) ask(report, TIMES.reportNanos(), this::noteAnswer);
          reportLater();
        });
  }

  /** A manager of several that is silent, or knows no leader, may be cut off from the others. */
  private void noteAnswer(@Nullable Message reply) {
    boolean helps =
        reply != null
            && (leads
                || !(reply instanceof Replies.Failed failed
                    && failed.code() == ErrorCode.UNAVAILABLE));
    unanswered = helps ? 0 : unanswered + 1;
    Connection useless = connection;
    if (useless == null || !opened || unanswered < UNANSWERED_MAX) return;
    unanswered = 0;
    boolean moves = !managers.get(afterDialled()).equals(dialled);
    if (moves) useless.close("the manager does not answer");
  }

  /** The manager to try after the one that was dialled; itself if no other may be reached. */
  private int afterDialled() {
    return unreached.next(managers, managers.indexOf(dialled) + 1);
  }

  /** A manager says where all of them are, and perhaps that another one leads. */
  private void redirected(Maps.ManagersAre told) {
    Connection follower = connection;
    try {
      managers = ManagerAddresses.with(configured, told.addresses());
      leads = told.leads();
      if (leads && follower != null) announceNow(follower);
      if (told.leader().isEmpty()) return;
      Address leader = Address.parse(told.leader());
      // A follower that names a leader which is gone will name the next one.
      if (follower == null || leader.equals(dialled) || unreached.has(leader)) return;
      preferred = leader;
      follower.close("the manager at " + leader + " leads");
    } catch (IllegalArgumentException e) {
      seat.refused("the manager names managers that have no address: " + e.getMessage());
    }
  }

  @Override
  public void received(Connection connection, long request, Message message) {
    if (request != 0) calls.answered(request, message);
    else if (message instanceof Maps.ManagersAre told) redirected(told);
    else if (message instanceof Maps.MapIs map) seat.mapArrived(map);
    else if (message instanceof Access.KeysAre keys) seat.keysArrived(keys);
    else if (message instanceof Access.TrustIs trust) seat.trustArrived(trust);
  }

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    connection.close("an unexpected payload from the manager");
    return Landing.DISCARD;
  }

  private void lost() {
    unmanagedSinceNanos = timers.nanos();
    tellNanos = unmanagedSinceNanos + TIMES.unmanagedNanos();
  }

  private void maybeTell(Address tried, String reason) {
    long now = timers.nanos();
    if (closed || now - tellNanos < 0) return;
    tellNanos = now + TIMES.unmanagedAgainNanos();
    seat.unmanaged(
        "no manager at %s for %.0f s: %s; it is tried again%s. Start one there, or correct 'managers' in the settings of this server"
            .formatted(
                tried,
                (now - unmanagedSinceNanos) / NANOS_PER_SECOND,
                reason,
                managers.size() == 1 ? "" : ", and so are the other " + (managers.size() - 1)));
  }

  @Override
  public void closed(Connection over, String reason) {
    if (!over.equals(connection)) return;
    if (opened) {
      lost();
    } else {
      unreached.failed(dialled);
      maybeTell(dialled, reason);
    }
    connection = null;
    opened = false;
    calls.failed(announced);
    current = afterDialled();
    timers.after(pauseNanos, this::dial);
    // All managers of a group are tried within that time.
    pauseNanos = Math.min(TIMES.dialNanosMax() / managers.size(), pauseNanos * 2);
  }
}
