// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Landing;
import io.forebay.wire.WireLimits;
import io.forebay.wire.buffer.BufferPool;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.message.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The input of one connection: bytes from the socket become messages and landed payloads. Heads and
 * bodies pass through a small buffer; a payload is read directly into its destination.
 */
final class Intake {
  /** Gets the messages and payloads. */
  interface Receiver {
    boolean isOver();

    /** Whether messages are wanted now. */
    boolean takesMessages();

    /** A message without a payload. */
    void message(FrameHead head, Message message) throws MalformedFrame;

    /** More of long bodies is kept, or less than 0: whether that may be. */
    boolean keepsBody(long bytes);

    /** A message with a payload: where to? */
    Landing arriving(FrameHead head, Message message) throws MalformedFrame;
  }

  /** The results of {@link #digest}. */
  enum Digest {
    /** It needs more bytes. */
    HUNGRY,
    /** The receiver takes no messages now, or never again. */
    REFUSED,
    /** The receiver had its share; there may be more. */
    SATED
  }

  static final int BUFFER_BYTES = 64 * 1024;

  private static final int BUFFERS_IDLE_MAX = 256;

  /** The buffers of inputs, and of outboxes. */
  static final BufferPool.Shape BUFFERS =
      new BufferPool.Shape(BUFFER_BYTES, BUFFERS_IDLE_MAX, true);

  /** A payload, or the rest of one, from this length on is worth a read of its own. */
  private static final int LONG_REST_BYTES = 16 * 1024;

  /**
   * With a long payload, at most this much of the following bytes is read: the next head and body.
   * Bytes of the next payload that are read along have to be copied.
   */
  private static final int TAIL_BYTES = 4 * 1024;

  /** The JDK reads into heap buffers through a direct buffer of the same length. */
  private static final int HEAP_BYTES_MAX = 256 * 1024;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private static final Landing.Arrival DROPPED =
      new Landing.Arrival() {
        @Override
        public void filled() {
          // No code waits for discarded bytes.
        }

        @Override
        public void aborted() {
          // Likewise.
        }
      };

  private final Frames frames;
  private final BufferPool pool;

  /**
   * Bytes that were read and not processed, between position and limit. Between messages it is
   * {@link #NOTHING}: thousands of silent connections take no memory.
   */
  private ByteBuffer input = NOTHING;

  /** The same memory, to read into. */
  private ByteBuffer room = NOTHING;

  private final ByteBuffer[] scattered = new ByteBuffer[2];
  private int bodyBytesMax = Frames.GREETING_BYTES_MAX;
  private @Nullable FrameHead head;

  /** Collects a body that is longer than the input buffer; grows only as its bytes come. */
  private @Nullable ByteBuffer longBody;

  /** A message whose payload has no destination yet. */
  private @Nullable Message waiting;

  private @Nullable ByteBuffer target;
  private Landing.Arrival arrival = DROPPED;
  private int discardBytes;
  private long steps;
  private boolean roomFilled;
  private boolean expectsLong;

  Intake(Frames frames, BufferPool pool) {
    this.frames = frames;
    this.pool = pool;
  }

  /** The handshake is over. */
  void opened() {
    bodyBytesMax = WireLimits.BODY_BYTES_MAX;
  }

  /** Whether a payload is on its way to its place, or into nowhere. */
  boolean isLanding() {
    return target != null || discardBytes > 0;
  }

  /** Whether the connection would end in the middle of something if it ended now. */
  boolean isPartial() {
    return input.hasRemaining() || head != null || isLanding();
  }

  /** The number of delivered messages and of payloads that got a place or landed. */
  long steps() {
    return steps;
  }

  /** Gives the buffer back if nothing is in it, until more comes. */
  void rest() {
    if (isPartial() || hasNoBuffer()) return;
    pool.giveBack(input.clear());
    input = NOTHING;
    room = NOTHING;
  }

  private boolean hasNoBuffer() {
    return input.capacity() == 0;
  }

  /** Reads once; -1 at the end of the stream. */
  long read(ScatteringByteChannel channel) throws IOException {
    ByteBuffer into = target;
    if (into != null && !into.isDirect() && into.remaining() > HEAP_BYTES_MAX) {
      return readHeap(channel, into);
    }
    makeRoom();
    // After a long payload comes another one, more often than not.
    if (into == null ? expectsLong : into.remaining() >= LONG_REST_BYTES) {
      room.limit(Math.min(room.limit(), room.position() + TAIL_BYTES));
    }
    if (into == null) {
      long count = channel.read(room);
      tookIn();
      return count;
    }
    scattered[0] = into;
    scattered[1] = room;
    long count = channel.read(scattered, 0, 2);
    scattered[0] = room; // So that the payload's memory is not kept alive from here.
    tookIn();
    return count;
  }

  /** Whether the last read left room, so that the socket was empty. */
  boolean drained() {
    return !roomFilled;
  }

  private long readHeap(ScatteringByteChannel channel, ByteBuffer into) throws IOException {
    int limit = into.limit();
    scattered[0] = into.limit(into.position() + HEAP_BYTES_MAX);
    long count = channel.read(scattered, 0, 1);
    roomFilled = !into.hasRemaining();
    into.limit(limit);
    return count;
  }

  private void makeRoom() {
    if (hasNoBuffer()) {
      input = pool.take().limit(0);
      room = input.duplicate();
    }
    // The rest is the beginning of a message, so there is little to move.
    if (input.position() > 0) input.compact().flip();
    room.limit(room.capacity()).position(input.limit());
  }

  private void tookIn() {
    input.limit(room.position());
    roomFilled = !room.hasRemaining();
  }

  /** Processes the bytes that were read, at most this many messages. */
  Digest digest(Receiver receiver, int messagesMax) throws MalformedFrame {
    int messages = 0;
    while (!receiver.isOver()) {
      if (target != null) {
        if (!land(target)) return Digest.HUNGRY;
      } else if (discardBytes > 0) {
        if (!discard()) return Digest.HUNGRY;
      } else if (!receiver.takesMessages()) {
        return Digest.REFUSED;
      } else if (messages == messagesMax) {
        return Digest.SATED;
      } else if (waiting == null && !decode(receiver)) {
        return Digest.HUNGRY;
      } else {
        messages++;
        if (waiting != null) place(receiver, waiting);
      }
    }
    return Digest.REFUSED;
  }

  private boolean land(ByteBuffer into) {
    int count = Math.min(into.remaining(), input.remaining());
    into.put(into.position(), input, input.position(), count);
    into.position(into.position() + count);
    input.position(input.position() + count);
    if (into.hasRemaining()) return false;
    Landing.Arrival ended = arrival;
    target = null;
    arrival = DROPPED;
    steps++;
    ended.filled();
    return true;
  }

  private boolean discard() {
    int count = Math.min(discardBytes, input.remaining());
    input.position(input.position() + count);
    discardBytes -= count;
    return discardBytes == 0;
  }

  /** Takes the next message, if all of it is here; hands it over unless it has a payload. */
  private boolean decode(Receiver receiver) throws MalformedFrame {
    FrameHead next = head;
    if (next == null) {
      if (input.remaining() < Frames.HEAD_BYTES) {
        frames.checkStart(input);
        return false;
      }
      next = frames.head(input, bodyBytesMax);
      head = next;
      expectsLong = next.payloadBytes() >= LONG_REST_BYTES;
    }
    Message message = body(receiver, next);
    if (message == null) return false;
    steps++;
    if (next.hasPayload()) {
      waiting = message;
    } else {
      head = null;
      receiver.message(next, message);
    }
    return true;
  }

  private @Nullable Message body(Receiver receiver, FrameHead of) throws MalformedFrame {
    if (of.bodyBytes() <= BUFFER_BYTES) {
      return input.remaining() < of.bodyBytes() ? null : frames.body(of, input);
    }
    ByteBuffer collected = longBody;
    if (collected == null) {
      keep(receiver, BUFFER_BYTES);
      collected = ByteBuffer.allocate(BUFFER_BYTES);
    }
    while (true) {
      int count = Math.min(collected.remaining(), input.remaining());
      count = Math.min(count, of.bodyBytes() - collected.position());
      collected.put(collected.position(), input, input.position(), count);
      collected.position(collected.position() + count);
      input.position(input.position() + count);
      if (collected.position() == of.bodyBytes()) {
        longBody = null;
        receiver.keepsBody(-collected.capacity());
        return frames.body(of, collected.flip());
      }
      if (collected.hasRemaining()) break;
      int doubled = Math.min(collected.capacity() * 2, of.bodyBytes());
      keep(receiver, doubled - collected.capacity());
      collected = ByteBuffer.allocate(doubled).put(collected.flip());
    }
    longBody = collected;
    return null;
  }

  private static void keep(Receiver receiver, int bytes) throws MalformedFrame {
    if (receiver.keepsBody(bytes)) return;
    throw new MalformedFrame(
        MalformedFrame.Kind.BODY_TOO_LONG, "a long message while too many others are on their way");
  }

  private void place(Receiver receiver, Message message) throws MalformedFrame {
    FrameHead of = head;
    if (of == null) throw new IllegalStateException("a payload without a head");
    Landing landing = receiver.arriving(of, message);
    if (landing instanceof Landing.Hold) return;
    waiting = null;
    head = null;
    steps++;
    if (landing instanceof Landing.Into into) {
      if (into.target().remaining() != of.payloadBytes()) {
        throw new IllegalStateException(
            "room for " + into.target().remaining() + " bytes, not " + of.payloadBytes());
      }
      target = into.target().duplicate();
      arrival = into.arrival();
    } else {
      discardBytes = of.payloadBytes();
    }
  }

  /** Aborts; notifies the landing of an incomplete payload. */
  void abort(Receiver receiver) {
    if (longBody != null) receiver.keepsBody(-longBody.capacity());
    longBody = null;
    Landing.Arrival ended = arrival;
    arrival = DROPPED;
    target = null;
    if (!hasNoBuffer()) pool.giveBack(input.clear());
    input = NOTHING;
    room = NOTHING;
    ended.aborted();
  }
}
