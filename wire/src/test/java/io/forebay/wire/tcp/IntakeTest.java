// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.Checksums;
import io.forebay.wire.Landing;
import io.forebay.wire.buffer.BufferPool;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.RandomMessages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntakeTest {
  private static final int MIB = 1024 * 1024;

  private final SplittableRandom random =
      new SplittableRandom(RandomMessages.seed(IntakeTest.class));
  private final RandomMessages messages = new RandomMessages(random);
  private final Frames frames = new Frames();
  private final Intake intake = new Intake(frames, new BufferPool(Intake.BUFFERS));
  private final ByteArrayOutputStream stream = new ByteArrayOutputStream();

  /** Gives at most so many bytes per read, and counts what went straight into a place. */
  private final class Socket implements ScatteringByteChannel {
    final ByteBuffer bytes = ByteBuffer.wrap(stream.toByteArray());
    int gives = Integer.MAX_VALUE;
    long inPlace;

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
      int left = Math.min(gives, bytes.remaining());
      int given = left;
      for (int i = offset; i < offset + length; i++) {
        int count = Math.min(left, targets[i].remaining());
        targets[i].put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
        left -= count;
        if (i == offset) inPlace += count;
      }
      return (long) given - left;
    }

    @Override
    public long read(ByteBuffer[] targets) {
      return read(targets, 0, targets.length);
    }

    @Override
    public int read(ByteBuffer target) {
      long before = inPlace;
      int count = (int) read(new ByteBuffer[] {target}, 0, 1);
      inPlace = before;
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** Takes everything, payloads behind their messages. */
  private final class Taker implements Intake.Receiver {
    final List<Object> taken = new ArrayList<>();
    boolean direct = true;

    @Override
    public boolean isOver() {
      return false;
    }

    @Override
    public boolean takesMessages() {
      return true;
    }

    @Override
    public void message(FrameHead head, Message message) {
      taken.add(message);
    }

    @Override
    public boolean keepsBody(long bytes) {
      return true;
    }

    @Override
    public Landing arriving(FrameHead head, Message message) {
      if (random.nextInt(3) == 0) return Landing.HOLD;
      int length = head.payloadBytes();
      ByteBuffer place = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
      return new Landing.Into(
          place,
          new Landing.Arrival() {
            @Override
            public void filled() {
              taken.add(message);
              taken.add(place);
            }

            @Override
            public void aborted() {
              throw new AssertionError("not aborted");
            }
          });
    }
  }

  private void put(Message message, int payloadBytes) {
    ByteBuffer frame = frames.encode(1, message, payloadBytes);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    stream.writeBytes(bytes);
  }

  private ByteBuffer putPayload(int length) {
    byte[] payload = new byte[length];
    random.nextBytes(payload);
    stream.writeBytes(payload);
    return ByteBuffer.wrap(payload);
  }

  private void takeIn(Socket socket, Taker taker) throws IOException, MalformedFrame {
    // Held payloads are asked about again by the next round.
    for (int idle = 0; idle < 100; idle++) {
      if (intake.read(socket) > 0) idle = 0;
      intake.digest(taker, 1 + random.nextInt(100));
    }
  }

  @Test
  void anyStreamCutAnywhereIsTakenInWhole() throws IOException, MalformedFrame {
    intake.opened();
    List<Object> sent = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Message message = messages.any();
      if (random.nextInt(40) == 0) {
        byte[] map = new byte[random.nextInt(500_000)];
        random.nextBytes(map);
        message = new Maps.MapIs(i, Bytes.copyOf(map));
      }
      sent.add(message);
      if (random.nextBoolean()) {
        int length = random.nextInt(5) == 0 ? random.nextInt(600_000) : random.nextInt(5000);
        put(message, length);
        sent.add(putPayload(length));
      } else {
        put(message, Frames.NO_PAYLOAD);
      }
    }
    Taker taker = new Taker();
    Socket socket = new Socket();
    while (socket.bytes.hasRemaining()) {
      socket.gives = 1 + random.nextInt(random.nextBoolean() ? 300 : 200_000);
      taker.direct = random.nextBoolean();
      if (intake.digest(taker, 3) == Intake.Digest.HUNGRY) intake.read(socket);
    }
    takeIn(socket, taker);
    assertThat(taker.taken).isEqualTo(sent);
    assertThat(intake.isPartial()).isFalse();
  }

  @Test
  void longPayloadsAreReadIntoPlace() throws IOException, MalformedFrame {
    intake.opened();
    int count = 20;
    for (int i = 0; i < count; i++) {
      put(new Data.Got(Checksums.of(new int[16])), MIB);
      putPayload(MIB);
    }
    Socket socket = new Socket();
    takeIn(socket, new Taker());
    // The first one's beginning came with its head; of each other at most a few pages did.
    long copied = (long) count * MIB - socket.inPlace;
    assertThat(copied).isLessThan(Intake.BUFFER_BYTES + count * 4096L);
  }
}
