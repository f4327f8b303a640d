// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.memory;

import io.forebay.wire.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One direction of a connection: the messages that the peer has not taken yet. */
final class MemoryPipe {
  /** A message in flight. */
  static final class Parcel {
    final ByteBuffer frame;
    final int payloadBytes;
    private @Nullable Payload payload;
    private @Nullable ByteBuffer bytes;

    /** Counted until it is taken; the second of two equal parcels weighs nothing. */
    private final long weight;

    Parcel(ByteBuffer frame, @Nullable Payload payload, int payloadBytes, long weight) {
      this.frame = frame;
      this.payload = payload;
      this.bytes = payload == null ? null : payload.bytes().duplicate();
      this.payloadBytes = payloadBytes;
      this.weight = weight;
    }

    boolean hasPayload() {
      return bytes != null;
    }

    /** The same again, with bytes of its own, since the first one's payload will be released. */
    Parcel copy() {
      Parcel copy = new Parcel(frame.duplicate(), null, payloadBytes, 0);
      if (bytes != null) {
        copy.bytes = ByteBuffer.allocate(payloadBytes).put(bytes.duplicate()).flip();
      }
      return copy;
    }

    /** Copies the first bytes of the payload. */
    void copyTo(ByteBuffer target, int count) {
      if (bytes == null) throw new IllegalStateException("no payload");
      target.put(target.position(), bytes, bytes.position(), count);
    }

    @Nullable Payload takePayload() {
      Payload taken = payload;
      payload = null;
      return taken;
    }
  }

  private final MemoryNetwork hub;
  private final String from;
  private final String to;

  /** All that is sent and neither taken nor given up, in the order of sending. */
  private final Set<Parcel> outstanding = new LinkedHashSet<>();

  private long queuedBytes;
  private long lastArrivalNanos;
  private boolean lossy;

  MemoryPipe(MemoryNetwork hub, String from, String to) {
    this.hub = hub;
    this.from = from;
    this.to = to;
    this.lastArrivalNanos = hub.timers().nanos();
  }

  String to() {
    return to;
  }

  long queuedBytes() {
    return queuedBytes;
  }

  /** Something was lost, so nothing that was sent later can be delivered. */
  boolean isLossy() {
    return lossy;
  }

  /** Sends a message on its way. */
  void send(Parcel parcel, MemoryConnection receiver) {
    outstanding.add(parcel);
    queuedBytes += parcel.weight;
    long detour = hub.detourNanos();
    long arrival = travel(detour);
    hub.timers().after(arrival, () -> hub.run(to, () -> arrive(parcel, receiver)));
    if (hub.duplicates()) {
      Parcel copy = parcel.copy();
      outstanding.add(copy);
      hub.timers().after(travel(detour), () -> hub.run(to, () -> arrive(copy, receiver)));
    }
  }

  /** Sends something that is no message, in its order behind all messages. */
  void signal(Runnable arrived) {
    hub.timers()
        .after(
            travel(0),
            () ->
                hub.run(
                    to,
                    () -> {
                      if (!loses()) arrived.run();
                    }));
  }

  /** How long a message sent now takes: normally it does not arrive before an earlier one. */
  private long travel(long detourNanos) {
    long now = hub.timers().nanos();
    long arrival = now + hub.delayNanos() + detourNanos;
    if (detourNanos == 0) {
      if (arrival - lastArrivalNanos < 0) arrival = lastArrivalNanos;
      lastArrivalNanos = arrival;
    }
    return arrival - now;
  }

  private void arrive(Parcel parcel, MemoryConnection receiver) {
    if (!outstanding.contains(parcel)) return;
    if (loses()) return;
    receiver.deliver(parcel);
  }

  /** Whether what arrives now does not. */
  boolean loses() {
    if (!lossy && hub.isInterrupted(from, to)) {
      lossy = true;
      hub.trace(MemoryTrace.Event.LOST, from, to, "", 0);
    }
    return lossy;
  }

  /** The peer has taken the message; returns the payload to release. */
  @Nullable Payload taken(Parcel parcel) {
    outstanding.remove(parcel);
    queuedBytes -= parcel.weight;
    return parcel.takePayload();
  }

  boolean isOutstanding(Parcel parcel) {
    return outstanding.contains(parcel);
  }

  /**
   * The sender is dead: messages with a payload do not arrive any more, nor do any after them, nor
   * any after the given number of messages.
   *
   * @return the payloads to release
   */
  List<Payload> cut(int keptMax) {
    List<Payload> released = new ArrayList<>();
    Set<Parcel> kept = new LinkedHashSet<>();
    boolean keeping = true;
    for (Parcel parcel : outstanding) {
      keeping = keeping && !parcel.hasPayload() && kept.size() < keptMax;
      if (keeping) {
        kept.add(parcel);
        continue;
      }
      queuedBytes -= parcel.weight;
      Payload payload = parcel.takePayload();
      if (payload != null) released.add(payload);
    }
    outstanding.retainAll(kept);
    return released;
  }

  int outstandingCount() {
    return outstanding.size();
  }
}
