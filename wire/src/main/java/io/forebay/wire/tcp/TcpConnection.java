// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.base.Bytes;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Limit;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.Greeting;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.proof.PeerProof;
import io.forebay.wire.tls.Link;
import io.forebay.wire.tls.TlsFailure;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One end of a connection over a socket: its life cycle and its callbacks. */
final class TcpConnection implements Connection, TcpLoop.Ready, Intake.Receiver {
  /** The maximum of bytes that one connection reads per turn. */
  private static final long TURN_BYTES_MAX = 4 * 1024 * 1024;

  private static final int TURN_MESSAGES_MAX = 512;

  /** The maximum of bytes that one connection sends per turn. */
  private static final long TURN_SENT_BYTES_MAX = 16 * 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(TcpConnection.class);

  private final TcpLoop loop;
  private final Line line;
  private final String remote;
  private final Handler handler;

  /** Null on the end that dialled. */
  private final Network.@Nullable Door door;

  private final Intake intake;
  private final Outbox outbox;
  private final Encoder encoder;
  private final TimeLimits limits;
  private final ClientAccount account;
  private ConnectionState state;
  private Handshake.@Nullable Hello hello;
  private Handshake.@Nullable Welcome welcome;

  /** The handler is not notified of the end. */
  private boolean quiet;

  /** It could not be made, and trying again is of little use. */
  private boolean unreachable;

  private boolean held;
  private boolean stopped;
  private boolean sated;

  /** Is on the loop's list of connections with queued bytes. */
  private boolean dirty;

  /** The socket took less than was queued; the selector reports when it takes more. */
  private boolean blocked;

  private long receivedBytes;
  private long sentBytes;

  private TcpConnection(TcpLoop loop, Line line, Handler handler, Network.@Nullable Door door) {
    this.loop = loop;
    this.line = line;
    this.remote = line.remote();
    this.handler = handler;
    this.door = door;
    this.intake = new Intake(loop.frames(), loop.pool());
    this.outbox = new Outbox(loop.pool());
    this.encoder = new Encoder(loop.frames(), loop.pace(), remote, door != null);
    this.limits = new TimeLimits(remote, loop.nanos());
    this.account = new ClientAccount(loop);
    this.state = door == null ? ConnectionState.DIALLING : ConnectionState.SECURING;
    // A dialling handler is always notified of the end; a listening one only after the opening.
    this.quiet = door != null;
  }

  static TcpConnection dialling(TcpLoop loop, Line line, Handshake.Hello hello, Handler handler) {
    TcpConnection connection = new TcpConnection(loop, line, handler, null);
    connection.hello = hello;
    return connection;
  }

  static TcpConnection accepted(TcpLoop loop, Line line, Network.Door door, Handler handler) {
    return new TcpConnection(loop, line, handler, door);
  }

  @Override
  public Handshake.Hello hello() {
    if (hello == null) throw new IllegalStateException("the other end has said nothing yet");
    return hello;
  }

  @Override
  public Handshake.Welcome welcome() {
    if (welcome == null) throw new IllegalStateException("the connection has not been opened");
    return welcome;
  }

  @Override
  public String remote() {
    return remote;
  }

  @Override
  public boolean isOpen() {
    return state == ConnectionState.OPEN;
  }

  @Override
  public PeerProof peer() {
    return state == ConnectionState.OPEN ? line.proof(loop.peerUsers()) : PeerProof.NONE;
  }

  @Override
  public Bytes channelBinding() {
    return state == ConnectionState.OPEN ? line.link().channelBinding() : Bytes.EMPTY;
  }

  @Override
  public long queuedBytes() {
    return outbox.queuedBytes();
  }

  @Override
  public long receivedBytes() {
    return receivedBytes;
  }

  @Override
  public long sentBytes() {
    return sentBytes;
  }

  private Link link() {
    return line.link();
  }

  /** Begins to connect; failures are reported later. */
  void dial(SocketAddress to) {
    if (state != ConnectionState.DIALLING) return;
    try {
      if (line.dial(to, loop.selector(), this)) connected();
    } catch (IOException e) {
      notConnected(e);
    }
  }

  private void notConnected(IOException cause) {
    unreachable = Reasons.nobodyThere(cause);
    end(Reasons.notConnected(remote, cause));
  }

  /** Starts to take in what an accepted connection says. */
  void receive() {
    try {
      line.register(loop.selector(), SelectionKey.OP_READ, this);
    } catch (IOException e) {
      end(Reasons.broken(remote, e));
      return;
    }
    secure();
  }

  private void connected() {
    state = ConnectionState.SECURING;
    secure();
  }

  /** Goes on with the start of the link, and greets when that is done. */
  private void secure() {
    Link.Progress progress;
    try {
      progress = link().establish(loop.links()::mayCompute);
    } catch (IOException e) {
      fail(e);
      return;
    }
    switch (progress) {
      case WANTS_INPUT -> line.interest(SelectionKey.OP_READ);
      case WANTS_OUTPUT -> line.interest(SelectionKey.OP_WRITE);
      case WANTS_TURN -> loop.again(this);
      case DONE -> {
        state = ConnectionState.GREETING;
        if (door == null) enqueue(0, hello(), null);
        if (link().hasInput()) loop.again(this);
        updateInterest();
      }
    }
  }

  /** Ends a connection whose socket or link failed. */
  private void fail(IOException cause) {
    if (!state.isStarting() || !(cause instanceof TlsFailure failure)) {
      end(Reasons.broken(remote, cause));
      return;
    }
    unreachable =
        failure.kind() == TlsFailure.Kind.REFUSED || failure.kind() == TlsFailure.Kind.NOT_TLS;
    if (door == null) {
      end(Reasons.notSecured(remote, failure));
      return;
    }
    if (failure.kind() == TlsFailure.Kind.NOT_TLS) {
      Links.refusePlain(line.socket(), loop.frames());
    }
    loop.crowd().refused(remote + ": " + failure.getMessage());
    end(Reasons.broken(remote, cause));
  }

  @Override
  public void ready(SelectionKey ready) {
    if (state == ConnectionState.CLOSED || !ready.isValid()) return;
    if (state == ConnectionState.DIALLING) {
      finishDialling();
      return;
    }
    if (state == ConnectionState.SECURING) {
      secure();
      return;
    }
    if (ready.isWritable()) flush();
    if (state != ConnectionState.CLOSED && ready.isReadable()) takeIn();
  }

  private void finishDialling() {
    try {
      if (!line.socket().finishConnect()) return;
    } catch (IOException e) {
      notConnected(e);
      return;
    }
    connected();
  }

  /** Reads and works off, for one turn. */
  private void takeIn() {
    // A connection that used its turn and may have a full input only processes what it has.
    if (sated) return;
    long turnBytes = 0;
    boolean hungry;
    try {
      do {
        long count = intake.read(link());
        if (count < 0) {
          end(Reasons.endedByPeer(remote, intake.isPartial()));
          return;
        }
        turnBytes += count;
        receivedBytes += count;
        hungry = digest();
      } while (hungry && !intake.drained() && turnBytes < TURN_BYTES_MAX);
    } catch (IOException e) {
      fail(e);
      return;
    }
    if (state == ConnectionState.CLOSED) return;
    tookIn(turnBytes);
    // The selector does not know of bytes that the link has read.
    if (hungry && link().hasInput()) loop.again(this);
    if ((dirty || link().hasOutput()) && !blocked) flush();
    else updateInterest();
  }

  /** Checks the rate of a message that has begun to arrive and is incomplete. */
  private void tookIn(long bytes) {
    limits.tookIn(bytes, intake.steps(), isWaitingForRest(), loop.nanos());
    intake.rest();
    if (state != ConnectionState.CLOSED) link().rest();
  }

  /** Continues with bytes that were read: a turn was over, or the handler changed its mind. */
  void goOn() {
    sated = false;
    if (state == ConnectionState.CLOSED || state == ConnectionState.DIALLING) return;
    if (state == ConnectionState.SECURING) {
      secure();
      return;
    }
    boolean hungry = digest();
    // Transfers that waited for this end start new windows.
    limits.endArriving();
    if (state == ConnectionState.CLOSED) return;
    tookIn(0);
    if (hungry && link().hasInput()) takeIn();
    else updateInterest();
  }

  /** Processes the bytes that were read; returns whether more bytes are wanted. */
  private boolean digest() {
    try {
      Intake.Digest ended = intake.digest(this, TURN_MESSAGES_MAX);
      if (state == ConnectionState.CLOSED) return false;
      if (ended == Intake.Digest.SATED) {
        sated = true;
        loop.again(this);
      }
      return ended == Intake.Digest.HUNGRY;
    } catch (MalformedFrame e) {
      loop.limits().reached(Limit.MALFORMED_FRAMES);
      if (state == ConnectionState.OPEN) {
        loop.pace().log("malformed", () -> remote + " sent " + e.what() + "; closed", LOG::warn);
        if (door != null) door.malformed(this, e.what());
      }
      refuse(new Handshake.Refusal(ErrorCode.MALFORMED, Reasons.malformed(e)));
      unreachable = state == ConnectionState.GREETING;
      if (e.isForeign() && unreachable && door == null)
        end(Reasons.somethingElse(remote, e.what()));
      else end(remote + " sent " + e.what());
      return false;
    }
  }

  @Override
  public boolean isOver() {
    return state == ConnectionState.CLOSED;
  }

  @Override
  public boolean takesMessages() {
    return (state == ConnectionState.OPEN && !held && !stopped && !isPiledUp())
        || state == ConnectionState.GREETING;
  }

  /**
   * Whether a client has too many unread answers and gets no more. A dialling end always takes
   * input, so that two ends never wait for each other.
   */
  private boolean isPiledUp() {
    return isClients() && account.pilesUp(outbox.copiedBytes());
  }

  /** Whether a client opened it, or a stranger, whatever it says of itself. */
  private boolean isClients() {
    return door != null && !line.isOfCluster();
  }

  @Override
  public boolean keepsBody(long bytes) {
    return !isClients() || loop.bodies(bytes);
  }

  /** Bytes of answers that wait for it, payloads not counted. */
  long answerBytes() {
    return outbox.copiedBytes();
  }

  /** How long the peer has been silent while nothing was being sent to it. */
  long silentNanos(long now) {
    return outbox.isEmpty() && !held && !stopped ? limits.silentNanos(now) : 0;
  }

  @Override
  public void message(FrameHead head, Message message) throws MalformedFrame {
    if (state == ConnectionState.OPEN) {
      if (message instanceof Handshake.Hello || message instanceof Handshake.Answer) {
        throw MalformedFrame.outOfTurn("a second greeting");
      }
      if (isRefused(head.request())) return;
      handler.received(this, head.request(), message);
    } else if (door != null && message instanceof Handshake.Hello said) {
      hello = said;
      line.introduced(said, loop.trust(), loop.peerUsers());
      String full = loop.crowd().introduced(this, line, loop.nanos());
      answer(
          full == null ? Greeting.answer(said, door) : new Handshake.Refusal(ErrorCode.BUSY, full));
    } else if (door == null && message instanceof Handshake.Answer answer) {
      String objection = Greeting.objection(hello(), answer, remote);
      if (objection != null) {
        unreachable = Greeting.isFinal(answer);
        end(objection);
      } else {
        open((Handshake.Welcome) answer);
      }
    } else {
      throw MalformedFrame.outOfTurn(
          "a message " + message.getClass().getSimpleName() + " before the handshake");
    }
  }

  private void answer(Handshake.Answer answer) {
    if (answer instanceof Handshake.Refusal refusal) {
      refuse(refusal);
      end("refused: " + refusal.detail());
    } else {
      enqueue(0, answer, null);
      open((Handshake.Welcome) answer);
    }
  }

  /** Tells the other end why it is refused, as far as the socket takes it at once. */
  private void refuse(Handshake.Refusal refusal) {
    if (door == null || state != ConnectionState.GREETING) return;
    loop.pace().log("greeting", () -> remote + " may not come in: " + refusal, LOG::info);
    enqueue(0, refusal, null);
  }

  private void open(Handshake.Welcome agreed) {
    welcome = agreed;
    state = ConnectionState.OPEN;
    quiet = false;
    intake.opened();
    line.opened();
    handler.opened(this);
  }

  @Override
  public Landing arriving(FrameHead head, Message message) throws MalformedFrame {
    if (state != ConnectionState.OPEN)
      throw MalformedFrame.outOfTurn("a payload before the handshake");
    if (isRefused(head.request())) return Landing.DISCARD;
    Landing landing = handler.arriving(this, head.request(), message, head.payloadBytes());
    held = landing instanceof Landing.Hold;
    return landing;
  }

  /** Refuses a request of a client that has too many under way. */
  private boolean isRefused(long request) {
    if (!isClients() || account.takes(request)) return false;
    enqueue(request, ClientAccount.REFUSAL, null);
    return true;
  }

  @Override
  public void send(long request, Message message) {
    if (checkSending()) enqueue(request, message, null);
  }

  @Override
  public void send(long request, Message message, Payload payload) {
    if (checkSending()) enqueue(request, message, payload);
    else loop.later(payload::release);
  }

  private boolean checkSending() {
    loop.checkOwner();
    if (state == ConnectionState.CLOSED) return false;
    if (state != ConnectionState.OPEN) throw new IllegalStateException("not opened yet: " + remote);
    if (outbox.queuedBytes() <= WireLimits.QUEUED_BYTES_MAX) return true;
    loop.limits().reached(Limit.QUEUED_BYTES);
    end(remote + " does not take what it is sent: " + outbox.queuedBytes() + " bytes wait");
    return false;
  }

  private void enqueue(long request, Message message, @Nullable Payload payload) {
    int payloadBytes = payload == null ? Frames.NO_PAYLOAD : payload.bytes().remaining();
    account.answered(request);
    if (outbox.isEmpty()) limits.beginSending(loop.nanos());
    long before = outbox.queuedBytes();
    outbox.add(encoder.encode(request, message, payloadBytes));
    if (payload != null) outbox.add(payload);
    loop.queued(outbox.queuedBytes() - before);
    if (!dirty) {
      dirty = true;
      loop.dirty(this);
    }
    countAnswers(outbox.copiedBytes());
  }

  /** Tells the loop how much of its memory answers of this connection take. */
  private void countAnswers(long bytes) {
    if (isClients()) account.queued(bytes);
  }

  /** Sends all bytes queued since the last time. */
  void flushDirty() {
    dirty = false;
    if (!state.hasLink()) return;
    // While the socket takes nothing, the selector says when it does.
    if (!blocked) flush();
  }

  private void flush() {
    try {
      // With something queued, the link sends what it has kept together with that.
      if (outbox.isEmpty()) link().flush();
      long sent = outbox.flush(link(), TURN_SENT_BYTES_MAX);
      sentBytes += sent;
      limits.sent(sent, loop.nanos());
      countAnswers(outbox.copiedBytes());
    } catch (IOException e) {
      fail(e);
      return;
    }
    if (state == ConnectionState.CLOSED) return;
    blocked = !outbox.isEmpty() || link().hasOutput();
    if (!blocked) limits.endSending();
    if (account.wasPiledUp() && !isPiledUp()) loop.again(this);
    updateInterest();
  }

  private void updateInterest() {
    int interest = takesMessages() || intake.isLanding() ? SelectionKey.OP_READ : 0;
    if (blocked) interest |= SelectionKey.OP_WRITE;
    line.interest(interest);
  }

  @Override
  public void resume() {
    loop.checkOwner();
    if (!held) return;
    held = false;
    loop.again(this);
  }

  @Override
  public void stop() {
    loop.checkOwner();
    stopped = true;
    if (state == ConnectionState.OPEN) updateInterest();
  }

  @Override
  public void start() {
    loop.checkOwner();
    if (!stopped) return;
    stopped = false;
    loop.again(this);
  }

  /** Checks time limits; called at intervals. */
  void watch(long now, boolean wasAway) {
    TimeLimits.Standing standing =
        new TimeLimits.Standing(
            state, !outbox.isEmpty(), isWaitingForRest(), door != null, isClients());
    account.watch(now);
    TimeLimits.Exceeded exceeded = limits.exceeded(standing, wasAway, now);
    if (exceeded == null) return;
    loop.limits().reached(exceeded.limit());
    end(exceeded.reason());
  }

  private boolean isWaitingForRest() {
    if (intake.isLanding()) return true;
    return takesMessages() && !sated && (intake.isPartial() || link().isPartial());
  }

  @Override
  public void close(String reason) {
    loop.checkOwner();
    end(reason);
  }

  /** Closes the connection without notifying the handler. */
  void endQuietly() {
    quiet = true;
    end("the network is closed");
  }

  /** Ends a connection that cannot be made. */
  void fail(String reason) {
    unreachable = true;
    end(reason);
  }

  /** Closes the connection now; payloads and the handler are notified later. */
  void end(String reason) {
    if (state == ConnectionState.CLOSED) return;
    boolean connected = state != ConnectionState.DIALLING;
    boolean greeted = connected && state != ConnectionState.SECURING;
    state = ConnectionState.CLOSED;
    countAnswers(0);
    loop.closed(this);
    if (line.hasSocket()) {
      try (Link link = line.link()) {
        // A last answer or refusal gets out if the socket takes it now.
        if (greeted && !blocked) outbox.offer(link);
        if (connected) link.sayGoodbye();
      } catch (IOException e) {
        LOG.debug("{}: last words were not sent", remote, e);
      }
    }
    loop.later(() -> tell(reason));
  }

  private void tell(String reason) {
    outbox.drop();
    intake.abort(this);
    if (quiet) LOG.debug("{}: {}", remote, reason);
    else if (unreachable) handler.unreachable(this, reason);
    else handler.closed(this, reason);
  }
}
