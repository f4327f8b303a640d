// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.memory;

import io.forebay.base.Bytes;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Payload;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.Greeting;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.memory.MemoryPipe.Parcel;
import io.forebay.wire.memory.MemoryTrace.Event;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Message;
import io.forebay.wire.proof.PeerProof;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One end of a connection between two hosts in memory. */
final class MemoryConnection implements Connection {
  private enum State {
    DIALLING,
    OPEN,
    CLOSED
  }

  /** A payload that has a place and is not there yet. */
  private record Landed(Parcel parcel, ByteBuffer target, Landing.Arrival arrival) {}

  private final MemoryNetwork hub;
  private final MemoryHost host;
  private final String remote;
  private final String remoteHost;
  private final Handler handler;
  private final Handshake.Hello hello;
  private final MemoryPipe out;
  private final MemoryPipe in;

  /** Messages that have arrived and are not delivered yet. */
  private final ArrayDeque<Parcel> inbox = new ArrayDeque<>();

  private State state = State.DIALLING;
  private @Nullable MemoryConnection peer;
  private Handshake.@Nullable Welcome welcome;
  private @Nullable Landed landing;
  private boolean held;

  /** Whether this is the end that listened. */
  private boolean listens;

  private boolean stopped;

  /** It could not be made, and trying again is of little use. */
  private boolean unreachable;

  private MemoryConnection(
      MemoryNetwork hub,
      MemoryHost host,
      String remote,
      Handshake.Hello hello,
      Handler handler,
      MemoryPipe out,
      MemoryPipe in) {
    this.hub = hub;
    this.host = host;
    this.remote = remote;
    this.remoteHost = out.to();
    this.hello = hello;
    this.handler = handler;
    this.out = out;
    this.in = in;
  }

  static MemoryConnection dialling(
      MemoryNetwork hub, MemoryHost host, Address to, Handshake.Hello hello, Handler handler) {
    MemoryHost.MemoryListener listener = hub.listener(host.name(), to);
    String remoteHost = host.name();
    if (listener != null) {
      remoteHost = listener.host().name();
    } else if (to instanceof Address.Inet inet) {
      remoteHost = inet.host();
    }
    MemoryPipe out = new MemoryPipe(hub, host.name(), remoteHost);
    MemoryPipe in = new MemoryPipe(hub, remoteHost, host.name());
    return new MemoryConnection(hub, host, to.toString(), hello, handler, out, in);
  }

  MemoryHost host() {
    return host;
  }

  @Override
  public Handshake.Hello hello() {
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
  public PeerProof peer() {
    return hub.proofOf(remoteHost);
  }

  @Override
  public Bytes channelBinding() {
    return hub.bindingOf(listens ? host.name() : remoteHost);
  }

  @Override
  public long queuedBytes() {
    return out.queuedBytes();
  }

  /** Asks the listener, if there is one when the request arrives. */
  void dial(Address to) {
    hub.add(this);
    after(
        WireLimits.STALLED_NANOS_MAX,
        () -> {
          if (state == State.DIALLING) end("cannot connect to " + remote + ": timed out");
        });
    Message said = recode(hello);
    out.signal(() -> knock(to, (Handshake.Hello) said));
  }

  private void knock(Address to, Handshake.Hello said) {
    if (state == State.CLOSED) return;
    MemoryHost.MemoryListener listener = hub.listener(host.name(), to);
    if (listener == null) {
      hub.trace(Event.REFUSED, host.name(), remoteHost, "", 0);
      in.signal(
          () -> {
            unreachable = true;
            end("cannot connect to " + remote + ": " + Handler.NO_LISTENER);
          });
      return;
    }
    Handshake.Answer answer = (Handshake.Answer) recode(Greeting.answer(said, listener.door()));
    if (answer instanceof Handshake.Welcome agreed) {
      MemoryConnection other =
          new MemoryConnection(
              hub, listener.host(), host.name(), said, listener.handler(), in, out);
      other.peer = this;
      other.listens = true;
      peer = other;
      in.signal(() -> answered(answer));
      hub.add(other);
      hub.trace(Event.OPENED, host.name(), remoteHost, "", 0);
      other.open(agreed);
    } else {
      hub.trace(Event.REFUSED, host.name(), remoteHost, "", 0);
      in.signal(() -> answered(answer));
    }
  }

  private void answered(Handshake.Answer answer) {
    if (state != State.DIALLING) return;
    String objection = Greeting.objection(hello, answer, remote);
    if (objection != null) {
      unreachable = Greeting.isFinal(answer);
      end(objection);
    } else {
      open((Handshake.Welcome) answer);
      digest();
    }
  }

  private void open(Handshake.Welcome agreed) {
    welcome = agreed;
    state = State.OPEN;
    handler.opened(this);
    endIfRefused();
  }

  /** Ends a connection whose peer has shown a certificate that this host accepts no more. */
  void endIfRefused() {
    if (host.refuses(peer().certificate())) {
      end("the certificate of " + remote + " is revoked");
    }
  }

  /** The message as the other end reads it. */
  private Message recode(Message message) {
    ByteBuffer frame = hub.frames().encode(0, message, Frames.NO_PAYLOAD);
    return read(frame, Frames.GREETING_BYTES_MAX).message;
  }

  private record Read(FrameHead head, Message message) {}

  private Read read(ByteBuffer frame, int bodyBytesMax) {
    try {
      FrameHead head = hub.frames().head(frame, bodyBytesMax);
      return new Read(head, hub.frames().body(head, frame));
    } catch (MalformedFrame e) {
      // Only the codec has touched these bytes.
      throw new IllegalStateException("a message does not survive its own codec", e);
    }
  }

  @Override
  public void send(long request, Message message) {
    if (checkSending()) send(request, message, null, Frames.NO_PAYLOAD);
  }

  @Override
  public void send(long request, Message message, Payload payload) {
    if (checkSending()) {
      send(request, message, payload, payload.bytes().remaining());
    } else {
      later(payload::release);
    }
  }

  private boolean checkSending() {
    if (state == State.CLOSED || !host.isAlive()) return false;
    if (state != State.OPEN) throw new IllegalStateException("not opened yet: " + remote);
    if (out.queuedBytes() <= WireLimits.QUEUED_BYTES_MAX) return true;
    end(remote + " does not take what it is sent: " + out.queuedBytes() + " bytes wait");
    return false;
  }

  private void send(long request, Message message, @Nullable Payload payload, int payloadBytes) {
    ByteBuffer encoded = hub.frames().encode(request, message, payloadBytes);
    ByteBuffer frame = ByteBuffer.allocate(encoded.remaining()).put(encoded).flip();
    long weight = frame.remaining() + Math.max(0L, payloadBytes);
    hub.trace().sent(host.name(), remoteHost, request, message);
    if (peer != null) out.send(new Parcel(frame, payload, payloadBytes, weight), peer);
  }

  /** A message has arrived. */
  void deliver(Parcel parcel) {
    if (state == State.CLOSED) return;
    inbox.add(parcel);
    digest();
  }

  private void digest() {
    while (state == State.OPEN && !stopped && !held && landing == null && !inbox.isEmpty()) {
      Parcel parcel = inbox.element();
      Read read = read(parcel.frame.duplicate(), WireLimits.BODY_BYTES_MAX);
      String what = read.message.getClass().getSimpleName();
      if (!in.isOutstanding(parcel)) {
        inbox.remove();
      } else if (!read.head.hasPayload()) {
        inbox.remove();
        in.taken(parcel);
        hub.trace(Event.DELIVERED, remoteHost, host.name(), what, read.head.request());
        hub.trace().handed(remoteHost, host.name(), read.head.request(), read.message);
        handler.received(this, read.head.request(), read.message);
      } else {
        hub.trace(Event.DELIVERED, remoteHost, host.name(), what, read.head.request());
        place(parcel, read);
      }
    }
  }

  private void place(Parcel parcel, Read read) {
    hub.trace().handed(remoteHost, host.name(), read.head.request(), read.message);
    Landing where =
        handler.arriving(this, read.head.request(), read.message, read.head.payloadBytes());
    if (where instanceof Landing.Hold) {
      held = true;
      return;
    }
    inbox.remove(parcel);
    if (where instanceof Landing.Into into) {
      if (into.target().remaining() != parcel.payloadBytes) {
        throw new IllegalStateException(
            "room for " + into.target().remaining() + " bytes, not " + parcel.payloadBytes);
      }
      Landed landed = new Landed(parcel, into.target().duplicate(), into.arrival());
      if (state == State.CLOSED) {
        // The handler ended the connection while it was asked.
        later(landed.arrival::aborted);
        return;
      }
      landing = landed;
      after(hub.delayNanos(), () -> land(landed));
    } else {
      taken(parcel);
    }
  }

  private void land(Landed landed) {
    if (landing == null || landing.parcel != landed.parcel) return;
    if (!in.isOutstanding(landed.parcel) || in.loses()) {
      after(WireLimits.STALLED_NANOS_MAX, () -> giveUp(landed));
      return;
    }
    landing = null;
    landed.parcel.copyTo(landed.target, landed.parcel.payloadBytes);
    hub.maybeDamage(landed.target);
    taken(landed.parcel);
    hub.trace(Event.LANDED, remoteHost, host.name(), "", landed.parcel.payloadBytes);
    landed.arrival.filled();
    digest();
  }

  /** A payload that cannot arrive any more is aborted, at the latest, now. */
  private void giveUp(Landed landed) {
    if (landing == null || landing.parcel != landed.parcel) return;
    end(remote + " stopped in the middle of a message");
  }

  private void taken(Parcel parcel) {
    Payload sent = in.taken(parcel);
    if (sent != null && peer != null) peer.later(sent::release);
  }

  @Override
  public void resume() {
    if (!held) return;
    held = false;
    later(this::digest);
  }

  @Override
  public void stop() {
    stopped = true;
  }

  @Override
  public void start() {
    if (!stopped) return;
    stopped = false;
    later(this::digest);
  }

  @Override
  public void close(String reason) {
    end(reason);
  }

  private void end(String reason) {
    if (state == State.CLOSED || !host.isAlive()) return;
    over(Integer.MAX_VALUE, true);
    hub.trace(Event.CLOSED, host.name(), remoteHost, reason, 0);
    later(
        () -> {
          if (landing != null) landing.arrival.aborted();
          landing = null;
          if (unreachable) handler.unreachable(this, reason);
          else handler.closed(this, reason);
        });
  }

  /** The host is dead. */
  void die() {
    if (state == State.CLOSED) return;
    over(hub.random().nextInt(out.outstandingCount() + 1), false);
    landing = null;
  }

  private void over(int keptMax, boolean releasing) {
    state = State.CLOSED;
    hub.remove(this);
    inbox.clear();
    MemoryConnection other = peer;
    landPartly();
    if (other != null) other.landPartly();
    for (Payload unsent : out.cut(keptMax)) {
      if (releasing) later(unsent::release);
    }
    if (other != null) {
      out.signal(() -> other.end(other.remote + " closed the connection"));
    }
  }

  /** Of a payload in flight when its connection ends, some bytes are written. */
  private void landPartly() {
    Landed partly = landing;
    if (partly == null || !in.isOutstanding(partly.parcel)) return;
    int count = hub.random().nextInt(partly.parcel.payloadBytes + 1);
    partly.parcel.copyTo(partly.target, count);
  }

  /** Ends a connection between these hosts if it has lost something. */
  void endIfLossy(String a, String b) {
    boolean between =
        (host.name().equals(a) && remoteHost.equals(b))
            || (host.name().equals(b) && remoteHost.equals(a));
    if (!between || (!out.isLossy() && !in.isLossy())) return;
    after(hub.delayNanos(), () -> end("the connection to " + remote + " broke: it was lost"));
  }

  /** Runs something of this end's host later, if it still lives. */
  private void later(Runnable action) {
    after(
        0,
        () -> {
          if (host.isAlive()) action.run();
        });
  }

  /** Runs something at this end's host after a while. */
  private void after(long nanos, Runnable action) {
    hub.timers().after(nanos, () -> hub.run(host.name(), action));
  }
}
