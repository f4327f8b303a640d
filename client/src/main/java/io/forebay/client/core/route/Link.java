// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.route;

import io.forebay.base.Timers;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Payload;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one peer: dialled when there is a request, and again after it was lost. It sends
 * each request once; the caller decides about retries. Never calls back from within a call.
 */
public final class Link {
  /** How often the answer timeout doubles for a slow server that answers. */
  static final int DOUBLINGS_MAX = 2;

  /** Requests that wait for the connection; more are refused as lost. */
  static final int WAITING_MAX = 64 * 1024;

  private static final int ROUNDS_MAX = 8;

  /** The callback for an answer. Exactly one of these is called. */
  public interface Reply {
    void answered(Message message);

    /** The answer has a payload. Callers that expect none keep this default. */
    default Landing arriving(Message message, int payloadBytes) {
      lost(new Loss("an unexpected answer with a payload", Loss.Kind.BROKEN));
      return Landing.DISCARD;
    }

    void lost(Loss loss);
  }

  /** No answer came. */
  public record Loss(String reason, Kind kind) {
    /** How a request was lost. */
    public enum Kind {
      /** It was never sent: there is no connection. */
      UNSENT,
      /** The connection broke; another one may do. */
      BROKEN,
      /** The other end says nothing. */
      SILENT
    }
  }

  private enum State {
    IDLE,
    DIALLING,
    /** Requests wait until the client has introduced itself. */
    INTRODUCING,
    OPEN,
    CLOSED
  }

  private record Asked(
      Message message, @Nullable Payload payload, int payloadBytes, long sinceNanos, Reply reply) {}

  private final LinkGround ground;
  private final Handshake.Lane lane;
  private final long dialNanos;
  private final Handler handler = new Ends();
  private final ArrayDeque<Asked> waiting = new ArrayDeque<>();
  private final Map<Long, Asked> unanswered = new LinkedHashMap<>();
  private final PeerAddresses addresses;
  private Runnable whenLost = () -> {};
  private Consumer<Message> whenTold = message -> {};
  private Runnable whenOverdue = () -> {};
  private Proving proving = Proving.NONE;

  /** What was sent on this connection to prove the client's user. */
  private @Nullable Message introduced;

  private State state = State.IDLE;
  private @Nullable Connection connection;
  private int failures;
  private long notBeforeNanos;
  private long nextRequest = 1;
  private long unansweredBytes;
  private long heardNanos;
  private long receivedNanos;
  private long livedNanos;
  private long dialledNanos;
  private long receivedBytes;
  private long sentBytes;
  private int doublings;
  private int landings;
  private Timers.@Nullable Timer watch;

  /**
   * Dials nothing yet.
   *
   * @param dialNanos for one address; grows when all fail, up to the answer timeout of a slow
   *     server
   */
  Link(LinkGround ground, Handshake.Lane lane, List<Address> addresses, long dialNanos) {
    this.ground = ground;
    this.lane = lane;
    this.dialNanos = dialNanos;
    this.addresses = new PeerAddresses(addresses, ground.timers()::nanos);
    this.notBeforeNanos = ground.timers().nanos();
    this.livedNanos = notBeforeNanos;
    this.receivedNanos = notBeforeNanos;
  }

  /**
   * When the peer last showed that it works for this client: it answered a request or anything
   * late, or payload bytes moved. An immediate answer to a probe says nothing about requests.
   */
  public long livedNanos() {
    return livedNanos;
  }

  /** When the peer last sent anything; the time of construction if it never did. */
  long receivedNanos() {
    return receivedNanos;
  }

  private void heard() {
    heardNanos = ground.timers().nanos();
    receivedNanos = heardNanos;
  }

  /** Called whenever an open connection, or an attempt at one, has ended. */
  void whenLost(Runnable action) {
    whenLost = action;
  }

  /** Called with what the other end tells unasked, besides maps: managers do, and are believed. */
  void whenTold(Consumer<Message> action) {
    whenTold = action;
  }

  /** Called at intervals while the other end owes an answer and sends nothing. */
  void whenOverdue(Runnable action) {
    whenOverdue = action;
  }

  /** Sets what proves the client's user to the other end. */
  void provedBy(Proving proof) {
    proving = proof;
  }

  /** The addresses to dial from now on. */
  void moveTo(List<Address> places) {
    if (!addresses.moveTo(places)) return;
    failures = 0;
    notBeforeNanos = ground.timers().nanos();
    if (state != State.IDLE) drop("it has moved to " + places, Loss.Kind.BROKEN);
  }

  /**
   * Any of these may serve instead of the one that is connected, which may lead them; one is
   * dialled next if given, without a request.
   */
  void servedBy(List<Address> places, boolean leads, @Nullable Address next) {
    addresses.servedBy(places, leads);
    if (next == null || state == State.CLOSED || !addresses.prefer(next)) return;
    drop("go to " + next, Loss.Kind.BROKEN);
    long waitNanos = notBeforeNanos - ground.timers().nanos();
    ground.timers().after(waitNanos, this::dialIfIdle);
  }

  /** The longest payload that the peer takes, or {@code otherwise} while it is unknown. */
  int payloadBytesMax(int otherwise) {
    return connection != null && state == State.OPEN
        ? connection.welcome().payloadBytesMax()
        : otherwise;
  }

  /** The dialled addresses and the results, for messages to users. */
  public String describe() {
    return addresses.describe();
  }

  /** The trouble with this connection, as the end of a sentence. */
  public String trouble() {
    if (state == State.OPEN) return "does not answer at " + addresses.last();
    return "cannot be reached at " + describe();
  }

  /** Each manager that could not be reached, with the reason, and what to do. */
  String describeManagers() {
    return addresses.describeManagers();
  }

  /** Whether trying all addresses again is of little use. */
  boolean isHopeless() {
    return addresses.areHopeless();
  }

  /** Asks; the payload, if there is one, is released when it is sent or never will be. */
  public void send(Message message, @Nullable Payload payload, Reply reply) {
    Replies.Failed unproved = proving.refusal();
    if (unproved != null) {
      refuse(payload, () -> reply.answered(unproved));
      return;
    }
    if (state == State.CLOSED || waiting.size() >= WAITING_MAX || mustWait()) {
      String reason =
          waiting.size() >= WAITING_MAX ? "too many requests wait" : addresses.lastReason();
      refuse(payload, () -> reply.lost(new Loss(reason, Loss.Kind.UNSENT)));
      return;
    }
    int payloadBytes = payload == null ? 0 : payload.bytes().remaining();
    waiting.add(new Asked(message, payload, payloadBytes, ground.timers().nanos(), reply));
    if (state == State.OPEN) pump();
    else dialIfIdle();
  }

  /**
   * Takes back a request that waits for the connection to be made, and releases its payload; false
   * if the connection is open, so that the request may be on its way.
   */
  public boolean withdraw(Reply reply) {
    if (state == State.OPEN) return false;
    for (Asked asked : waiting) {
      if (!asked.reply.equals(reply)) continue;
      waiting.remove(asked);
      if (asked.payload != null) asked.payload.release();
      return true;
    }
    return false;
  }

  /** The peer is silent on other connections too: unanswered requests are lost. */
  void giveUp(String reason) {
    if (state == State.OPEN) slower();
    if (state != State.IDLE && state != State.CLOSED) drop(reason, Loss.Kind.SILENT);
  }

  /** Closes it permanently. Unanswered requests are lost. */
  void close(String reason) {
    if (state == State.CLOSED) return;
    drop(reason, Loss.Kind.BROKEN);
    state = State.CLOSED;
  }

  private boolean mustWait() {
    return state == State.IDLE && notBeforeNanos - ground.timers().nanos() > 0;
  }

  private void refuse(@Nullable Payload payload, Runnable answer) {
    ground
        .timers()
        .after(
            0,
            () -> {
              if (payload != null) payload.release();
              answer.run();
            });
  }

  private void dialIfIdle() {
    if (state != State.IDLE) return;
    state = State.DIALLING;
    Handshake.Hello hello = ground.hello().get().on(lane);
    connection = ground.network().connect(addresses.next(), hello, handler);
    heardNanos = ground.timers().nanos();
    dialledNanos = heardNanos;
    receivedBytes = 0;
    sentBytes = 0;
    watchOver();
  }

  /** Sends what waits, as far as the other end's credit goes. */
  private void pump() {
    Connection open = connection;
    if (open == null) return;
    while (!waiting.isEmpty() && state == State.OPEN) {
      Asked next = waiting.element();
      // A payload larger than all credit still goes, alone.
      if (next.payloadBytes > 0
          && unansweredBytes > 0
          && unansweredBytes + next.payloadBytes > open.welcome().creditBytes()) {
        return;
      }
      waiting.remove();
      long request = nextRequest++;
      if (unanswered.isEmpty()) heardNanos = ground.timers().nanos();
      unanswered.put(request, next);
      unansweredBytes += next.payloadBytes;
      if (next.payload == null) open.send(request, next.message);
      else open.send(request, next.message, next.payload);
      watchOver();
    }
  }

  /** What {@link FirstWords} does with this link. */
  private final class Beginning implements FirstWords.Ground {
    private final Connection to;

    Beginning(Connection to) {
      this.to = to;
    }

    @Override
    public boolean isAwaited() {
      return to.equals(connection) && state == State.INTRODUCING;
    }

    @Override
    public void send(@Nullable Message introduction) {
      introduce(to, introduction);
    }

    @Override
    public void ask(Message proof, Reply reply) {
      heardNanos = ground.timers().nanos();
      unanswered.put(nextRequest, new Asked(proof, null, 0, heardNanos, reply));
      to.send(nextRequest++, proof);
      watchOver();
    }

    @Override
    public void ready() {
      state = State.OPEN;
      pump();
    }

    @Override
    public void refuse(Replies.Failed refusal) {
      for (Asked asked : waiting) {
        Link.this.refuse(asked.payload, () -> asked.reply.answered(refusal));
      }
      waiting.clear();
    }

    @Override
    public void drop(Loss loss) {
      Link.this.drop(loss.reason(), loss.kind());
    }
  }

  /** Sends a proof. If the other end does not take it, it says so to the next request. */
  private void introduce(Connection to, @Nullable Message introduction) {
    introduced = introduction;
    if (introduction != null) to.send(nextRequest++, introduction);
  }

  /** The other end wants a better proof: the request is lost, so that its caller sends it again. */
  private void unproved(Connection to, Asked asked, Replies.Failed failed) {
    proving.renew(
        introduced,
        failed,
        new Proving.Renewal() {
          @Override
          public void introduces(Message introduction) {
            boolean here = to.equals(connection) && state == State.OPEN;
            if (here && !introduction.equals(introduced)) introduce(to, introduction);
            asked.reply.lost(new Loss("it wanted a proof of the user", Loss.Kind.BROKEN));
          }

          @Override
          public void reconnects() {
            String why = "it wanted a proof of the user";
            asked.reply.lost(new Loss(why, Loss.Kind.BROKEN));
            if (to.equals(connection)) drop(why, Loss.Kind.BROKEN);
          }

          @Override
          public void refused(Replies.Failed refusal) {
            asked.reply.answered(refusal);
          }

          @Override
          public void later(String why) {
            asked.reply.lost(new Loss(why, Loss.Kind.BROKEN));
          }
        });
  }

  private @Nullable Asked taken(long request) {
    heard();
    Asked asked = unanswered.remove(request);
    if (asked == null) {
      // The answer to a request that timed out: late, but a sign of life.
      livedNanos = heardNanos;
      return null;
    }
    failures = 0;
    unansweredBytes -= asked.payloadBytes;
    long tookNanos = heardNanos - asked.sinceNanos;
    boolean late = tookNanos >= ground.overdueNanos();
    if (late || !SignsOfLife.isOnly(asked.message)) livedNanos = heardNanos;
    if (!late) doublings = Math.max(0, doublings - 1);
    return asked;
  }

  // One timer for all requests: it looks at the oldest.

  private void watchOver() {
    if (watch != null) return;
    long lookNanos = Math.min(patienceNanos(), ground.overdueNanos());
    watch = ground.timers().after(lookNanos, this::look);
  }

  private long patienceNanos() {
    if (state != State.DIALLING) return ground.answerNanos() << doublings;
    int rounds = Math.min(ROUNDS_MAX, failures / addresses.count());
    return Math.min(
        ground.answerNanos() << DOUBLINGS_MAX, addresses.dialNanos(dialNanos) << rounds);
  }

  private void look() {
    watch = null;
    long now = ground.timers().nanos();
    noteMoved(now);
    long patience = patienceNanos();
    boolean silent = now - heardNanos >= patience;
    String reason = "no answer within " + patience / 1_000_000 + " ms";
    if (silent && isExpecting()) {
      if (state == State.OPEN) slower();
      drop(reason, Loss.Kind.SILENT);
      return;
    }
    // The peer answers other requests: only overdue requests are given up, unless their payload may
    // still be in flight.
    List<Asked> overdue = new ArrayList<>();
    unanswered
        .values()
        .removeIf(
            asked -> {
              boolean old = now - asked.sinceNanos >= patience;
              if (!old || asked.payload != null) return false;
              overdue.add(asked);
              return true;
            });
    if (!overdue.isEmpty()) slower();
    if (isExpecting()) {
      watchOver();
      if (now - heardNanos >= ground.overdueNanos()) whenOverdue.run();
    }
    for (Asked asked : overdue) asked.reply.lost(new Loss(reason, Loss.Kind.SILENT));
  }

  /** A payload that moves, even slowly, shows that the other end works. */
  private void noteMoved(long now) {
    Connection open = connection;
    if (open == null || state != State.OPEN) return;
    boolean moved = landings > 0 && open.receivedBytes() > receivedBytes;
    if (unansweredBytes > 0 && open.sentBytes() > sentBytes) moved = true;
    receivedBytes = open.receivedBytes();
    sentBytes = open.sentBytes();
    if (!moved) return;
    heard();
    livedNanos = now;
  }

  /** An open end is late: if each request were given up as soon, none might be answered. */
  private void slower() {
    doublings = Math.min(DOUBLINGS_MAX, doublings + 1);
  }

  private boolean isExpecting() {
    return state == State.DIALLING
        || (connection != null && (landings > 0 || !unanswered.isEmpty()));
  }

  /** Closes the connection and fails all waiting requests, not from within the caller. */
  private void drop(String reason, Loss.Kind kind) {
    Connection old = connection;
    boolean wasOpen = state == State.OPEN;
    connection = null;
    if (old != null) old.close(reason);
    if (state == State.CLOSED) return;
    lost(reason, wasOpen, kind);
  }

  private void lost(String reason, boolean wasOpen, Loss.Kind kind) {
    state = State.IDLE;
    connection = null;
    failures++;
    addresses.lost(reason, wasOpen);
    if (watch != null) watch.cancel(); // The next connection's may be due sooner.
    watch = null;
    // The first loss of an open connection is worth a try at once.
    long wait = wasOpen && failures <= 1 ? 0 : ground.backoff().nanos(failures);
    notBeforeNanos = ground.timers().nanos() + wait;
    List<Asked> sent = List.copyOf(unanswered.values());
    List<Asked> unsent = List.copyOf(waiting);
    unanswered.clear();
    waiting.clear();
    unansweredBytes = 0;
    ground
        .timers()
        .after(
            0,
            () -> {
              for (Asked asked : sent) asked.reply.lost(new Loss(reason, kind));
              for (Asked asked : unsent) {
                if (asked.payload != null) asked.payload.release();
                asked.reply.lost(new Loss(reason, Loss.Kind.UNSENT));
              }
              whenLost.run();
            });
  }

  /** Callbacks of the network; those of abandoned connections are ignored. */
  private final class Ends implements Handler {
    @Override
    public void opened(Connection opened) {
      if (!opened.equals(connection)) return;
      state = State.INTRODUCING;
      addresses.connected();
      heard();
      if (heardNanos - dialledNanos >= ground.overdueNanos()) livedNanos = heardNanos;
      proving.introduce(opened, new FirstWords(proving, new Beginning(opened)));
    }

    @Override
    public void received(Connection from, long request, Message message) {
      if (!from.equals(connection)) return;
      if (request == 0) {
        heard();
        if (message instanceof Maps.MapIs map) ground.mapTold().accept(map);
        else whenTold.accept(message);
        return;
      }
      Asked asked = taken(request);
      if (asked == null) return;
      if (message instanceof Replies.Failed failed && failed.code() == ErrorCode.UNPROVED) {
        unproved(from, asked, failed);
      } else {
        asked.reply.answered(message);
        if (addresses.isUseless(message)) drop("it serves nothing now", Loss.Kind.BROKEN);
      }
      pump();
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      if (!from.equals(connection)) return Landing.DISCARD;
      Asked asked = taken(request);
      if (asked == null) return Landing.DISCARD;
      Landing landing = asked.reply.arriving(message, payloadBytes);
      if (!(landing instanceof Landing.Into into)) return landing;
      landings++;
      watchOver();
      return new Landing.Into(into.target(), new Watched(into.arrival()));
    }

    @Override
    public void closed(Connection ended, String reason) {
      if (!ended.equals(connection)) return;
      lost(reason, state == State.OPEN, Loss.Kind.BROKEN);
    }

    @Override
    public void unreachable(Connection ended, String reason) {
      if (!ended.equals(connection)) return;
      lost(reason, false, Loss.Kind.BROKEN);
      addresses.unreachable();
    }
  }

  /** A landing that shows the other end alive. */
  private final class Watched implements Landing.Arrival {
    private final Landing.Arrival arrival;

    Watched(Landing.Arrival arrival) {
      this.arrival = arrival;
    }

    @Override
    public void filled() {
      landings--;
      heard();
      livedNanos = heardNanos;
      arrival.filled();
      if (state == State.OPEN) pump();
    }

    @Override
    public void aborted() {
      landings--;
      arrival.aborted();
    }
  }
}
