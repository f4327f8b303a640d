// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.Greeting;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.frame.MessageTooLong;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
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

  private enum State {
    /** Waits for the socket to be connected. */
    DIALLING,
    /** Waits for the other end's first message. */
    GREETING,
    OPEN,
    CLOSED
  }

  private final TcpLoop loop;

  /** Null if the machine had no socket to give; then the connection is closed from the start. */
  private final @Nullable SocketChannel socket;

  private final String remote;
  private final Handler handler;

  /** Null on the end that dialled. */
  private final Network.@Nullable Door door;

  private final Intake intake;
  private final Outbox outbox;
  private final long startNanos;
  private State state;
  private Handshake.@Nullable Hello hello;
  private Handshake.@Nullable Welcome welcome;
  private @Nullable SelectionKey key;

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

  /** Whether answers pile up, so that no more requests are taken. */
  private boolean piledUp;

  private long sentNanos;
  private long takenInNanos;
  private long receivedBytes;
  private long sentBytes;
  private long steps;
  private long countedBytes;
  private final MinimumRate arriving = new MinimumRate();
  private final MinimumRate sending = new MinimumRate();

  private TcpConnection(
      TcpLoop loop,
      @Nullable SocketChannel socket,
      String remote,
      Handler handler,
      Network.@Nullable Door door) {
    this.loop = loop;
    this.socket = socket;
    this.remote = remote;
    this.handler = handler;
    this.door = door;
    this.intake = new Intake(loop.frames(), loop.pool());
    this.outbox = new Outbox(loop.pool());
    this.startNanos = loop.nanos();
    this.takenInNanos = startNanos;
    this.state = door == null ? State.DIALLING : State.GREETING;
    // A dialling handler is always notified of the end; a listening one only after the opening.
    this.quiet = door != null;
  }

  static TcpConnection dialling(
      TcpLoop loop,
      @Nullable SocketChannel socket,
      String remote,
      Handshake.Hello hello,
      Handler handler) {
    TcpConnection connection = new TcpConnection(loop, socket, remote, handler, null);
    connection.hello = hello;
    return connection;
  }

  static TcpConnection accepted(
      TcpLoop loop, SocketChannel socket, String remote, Network.Door door, Handler handler) {
    return new TcpConnection(loop, socket, remote, handler, door);
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
    return state == State.OPEN;
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

  private SocketChannel channel() {
    if (socket == null) throw new IllegalStateException("no socket");
    return socket;
  }

  /** Begins to connect; failures are reported later. */
  void dial(SocketAddress to) {
    if (state != State.DIALLING) return;
    try {
      if (to instanceof InetSocketAddress inet && inet.getAddress().isLoopbackAddress()) {
        TcpLoop.shortenBuffer(channel());
      }
      if (channel().connect(to)) {
        key = register(SelectionKey.OP_READ);
        connected();
      } else {
        key = register(SelectionKey.OP_CONNECT);
      }
    } catch (IOException e) {
      notConnected(e);
    }
  }

  private void notConnected(IOException cause) {
    unreachable = Reasons.nobodyThere(cause);
    end(Reasons.notConnected(remote, cause));
  }

  /** Starts to read the other end's greeting. */
  void greet() {
    try {
      key = register(SelectionKey.OP_READ);
    } catch (IOException e) {
      end(Reasons.broken(remote, e));
    }
  }

  private SelectionKey register(int interest) throws IOException {
    Selector selector = loop.selector();
    return channel().register(selector, interest, this);
  }

  private void connected() {
    state = State.GREETING;
    enqueue(0, hello(), null);
  }

  @Override
  public void ready(SelectionKey ready) {
    if (state == State.CLOSED || !ready.isValid()) return;
    if (state == State.DIALLING) {
      finishDialling();
      return;
    }
    if (ready.isWritable()) flush();
    if (state != State.CLOSED && ready.isReadable()) takeIn();
  }

  private void finishDialling() {
    try {
      if (!channel().finishConnect()) return;
    } catch (IOException e) {
      notConnected(e);
      return;
    }
    connected();
    updateInterest();
  }

  /** Reads and works off, for one turn. */
  private void takeIn() {
    long turnBytes = 0;
    try {
      // A connection that used its turn and may have a full input only processes what it has.
      if (sated) return;
      do {
        long count = intake.read(channel());
        if (count < 0) {
          end(Reasons.endedByPeer(remote, intake.isPartial()));
          return;
        }
        turnBytes += count;
        receivedBytes += count;
      } while (digest() && !intake.drained() && turnBytes < TURN_BYTES_MAX);
    } catch (IOException e) {
      end(Reasons.broken(remote, e));
      return;
    }
    tookIn(turnBytes);
    if (dirty && !blocked && state != State.CLOSED) flush();
    else updateInterest();
  }

  /** Checks the rate of a message that has begun to arrive and is incomplete. */
  private void tookIn(long bytes) {
    takenInNanos = loop.nanos();
    arriving.moved(bytes);
    if (steps != intake.steps() || !isWaitingForRest()) arriving.end();
    steps = intake.steps();
    if (isWaitingForRest()) arriving.begin(takenInNanos);
    intake.rest();
  }

  /** Continues with bytes that were read: a turn was over, or the handler changed its mind. */
  void goOn() {
    sated = false;
    if (state == State.CLOSED || state == State.DIALLING) return;
    digest();
    // Transfers that waited for this end start new windows.
    arriving.end();
    if (state != State.CLOSED) tookIn(0);
    updateInterest();
  }

  /** Processes the bytes that were read; returns whether more bytes are wanted. */
  private boolean digest() {
    try {
      Intake.Digest ended = intake.digest(this, TURN_MESSAGES_MAX);
      if (state == State.CLOSED) return false;
      if (ended == Intake.Digest.SATED) {
        sated = true;
        loop.again(this);
      }
      return ended == Intake.Digest.HUNGRY;
    } catch (MalformedFrame e) {
      boolean foreign = e.kind() == MalformedFrame.Kind.FOREIGN;
      String remedy = foreign ? "; this port speaks Forebay's own protocol" : "";
      refuse(new Handshake.Refusal(ErrorCode.MALFORMED, "you sent " + e.what() + remedy));
      unreachable = state == State.GREETING;
      if (foreign && unreachable && door == null) end(Reasons.somethingElse(remote, e.what()));
      else end(remote + " sent " + e.what());
      return false;
    }
  }

  @Override
  public boolean isOver() {
    return state == State.CLOSED;
  }

  @Override
  public boolean takesMessages() {
    return (state == State.OPEN && !held && !stopped && !isPiledUp()) || state == State.GREETING;
  }

  /**
   * Whether a client has too many unread answers and gets no more. A dialling end always takes
   * input, so that two ends never wait for each other.
   */
  private boolean isPiledUp() {
    piledUp = isClients() && outbox.copiedBytes() > WireLimits.ANSWER_BYTES_MAX;
    return piledUp;
  }

  /** Whether a client opened it, or a stranger that has said nothing yet. */
  private boolean isClients() {
    return door != null && (hello == null || hello.role() == Handshake.Role.CLIENT);
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
    return outbox.isEmpty() && !held && !stopped ? now - takenInNanos : 0;
  }

  @Override
  public void message(FrameHead head, Message message) throws MalformedFrame {
    if (state == State.OPEN) {
      if (message instanceof Handshake.Hello || message instanceof Handshake.Answer) {
        throw outOfTurn("a second greeting");
      }
      handler.received(this, head.request(), message);
    } else if (door != null && message instanceof Handshake.Hello said) {
      hello = said;
      String full = loop.crowd().introduced(this, said, loop.nanos());
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
      throw outOfTurn("a message " + message.getClass().getSimpleName() + " before the handshake");
    }
  }

  private static MalformedFrame outOfTurn(String what) {
    return new MalformedFrame(MalformedFrame.Kind.OUT_OF_TURN, what);
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
    if (door == null || state != State.GREETING) return;
    // The connection limits count refused connections, and log them at intervals.
    if (refusal.code() == ErrorCode.BUSY) LOG.debug("{}: {}", remote, refusal.detail());
    else LOG.info("{} may not come in ({}): {}", remote, refusal.code(), refusal.detail());
    enqueue(0, refusal, null);
  }

  private void open(Handshake.Welcome agreed) {
    welcome = agreed;
    state = State.OPEN;
    quiet = false;
    intake.opened();
    handler.opened(this);
  }

  @Override
  public Landing arriving(FrameHead head, Message message) throws MalformedFrame {
    if (state != State.OPEN) throw outOfTurn("a payload before the handshake");
    Landing landing = handler.arriving(this, head.request(), message, head.payloadBytes());
    held = landing instanceof Landing.Hold;
    return landing;
  }

  @Override
  public void send(long request, Message message) {
    if (checkSending()) enqueue(request, message, null);
  }

  @Override
  public void send(long request, Message message, Payload payload) {
    if (checkSending()) {
      enqueue(request, message, payload);
    } else {
      loop.later(payload::release);
    }
  }

  private boolean checkSending() {
    loop.checkOwner();
    if (state == State.CLOSED) return false;
    if (state != State.OPEN) throw new IllegalStateException("not opened yet: " + remote);
    if (outbox.queuedBytes() <= WireLimits.QUEUED_BYTES_MAX) return true;
    end(remote + " does not take what it is sent: " + outbox.queuedBytes() + " bytes wait");
    return false;
  }

  private void enqueue(long request, Message message, @Nullable Payload payload) {
    int payloadBytes = payload == null ? Frames.NO_PAYLOAD : payload.bytes().remaining();
    if (outbox.isEmpty()) {
      sentNanos = loop.nanos();
      sending.begin(sentNanos);
    }
    long before = outbox.queuedBytes();
    outbox.add(encode(request, message, payloadBytes));
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
    if (!isClients()) return;
    long more = bytes - countedBytes;
    countedBytes = bytes;
    loop.answers(more);
  }

  /** An answer that is longer than messages can be ends its request, not the process. */
  private ByteBuffer encode(long request, Message message, int payloadBytes) {
    try {
      return loop.frames().encode(request, message, payloadBytes);
    } catch (MessageTooLong e) {
      if (door == null || request == 0 || payloadBytes != Frames.NO_PAYLOAD) throw e;
      LOG.error("{} is not answered: {}", remote, e.getMessage());
      Message instead = new Replies.Failed(ErrorCode.TOO_LARGE, "the answer is too long to send");
      return loop.frames().encode(request, instead, payloadBytes);
    }
  }

  /** Sends all bytes queued since the last time. */
  void flushDirty() {
    dirty = false;
    if (state == State.CLOSED || state == State.DIALLING) return;
    // While the socket takes nothing, the selector says when it does.
    if (!blocked) flush();
  }

  private void flush() {
    try {
      long sent = outbox.flush(channel(), TURN_SENT_BYTES_MAX);
      if (sent > 0) sentNanos = loop.nanos();
      sentBytes += sent;
      sending.moved(sent);
      countAnswers(outbox.copiedBytes());
    } catch (IOException e) {
      end(Reasons.broken(remote, e));
      return;
    }
    blocked = !outbox.isEmpty();
    if (!blocked) sending.end();
    boolean waited = piledUp;
    if (waited && !isPiledUp()) loop.again(this);
    updateInterest();
  }

  private void updateInterest() {
    if (key == null || !key.isValid()) return;
    int interest = takesMessages() || intake.isLanding() ? SelectionKey.OP_READ : 0;
    if (blocked) interest |= SelectionKey.OP_WRITE;
    if (key.interestOps() != interest) key.interestOps(interest);
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
    if (state == State.OPEN) updateInterest();
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
    if (wasAway) {
      sending.restart(now);
      arriving.restart(now);
    }
    long limit = WireLimits.STALLED_NANOS_MAX;
    long seconds = TimeUnit.NANOSECONDS.toSeconds(limit);
    if (state == State.DIALLING && now - startNanos > limit) {
      end("cannot connect to " + remote + ": timed out after " + seconds + " s");
    } else if (state == State.GREETING && now - startNanos > limit) {
      end(remote + " did not finish the handshake within " + seconds + " s");
    } else if (state == State.OPEN && !outbox.isEmpty() && now - sentNanos > limit) {
      end(remote + " stopped reading: it took nothing for " + seconds + " s");
    } else if (isWaitingForRest() && now - takenInNanos > limit) {
      // Room that was reserved for the payload must not be lost with its sender.
      end(remote + " stopped in the middle of a message: nothing came for " + seconds + " s");
    } else if (state == State.OPEN && isClients() && sending.isTooSlow(now)) {
      end(remote + " reads slower than " + WireLimits.BYTES_PER_SECOND_MIN + " bytes a second");
    } else if (door != null && isWaitingForRest() && arriving.isTooSlow(now)) {
      end(remote + " sends slower than " + WireLimits.BYTES_PER_SECOND_MIN + " bytes a second");
    }
  }

  private boolean isWaitingForRest() {
    return intake.isLanding() || (takesMessages() && !sated && intake.isPartial());
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
    if (state == State.CLOSED) return;
    boolean greeted = state != State.DIALLING;
    state = State.CLOSED;
    countAnswers(0);
    loop.closed(this);
    if (socket != null) {
      try (socket) {
        // A last answer or refusal gets out if the socket takes it now.
        if (greeted && !blocked) outbox.offer(socket);
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
