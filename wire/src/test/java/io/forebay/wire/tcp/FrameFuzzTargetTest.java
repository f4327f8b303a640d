// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.testing.fuzz.AllocationBound;
import io.forebay.testing.fuzz.FuzzRun;
import io.forebay.wire.Landing;
import io.forebay.wire.buffer.BufferPool;
import io.forebay.wire.codec.MessageTypes;
import io.forebay.wire.frame.FrameHead;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.frame.MalformedFrame;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.RandomMessages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Any stream of bytes is messages and payloads, or a malformed frame. The first byte of an input
 * says how the rest arrives: whether the handshake is over, whether checksums are set right, and
 * how many bytes come at a time.
 */
class FrameFuzzTargetTest {
  private static final int OPENED = 1;
  private static final int SEALED = 2;
  private static final int PIECE_SHIFT = 2;
  private static final int CHANGED = 5_000;

  /** A payload's place is made by the receiver, not by the code under test. */
  private static final ByteBuffer PLACE = ByteBuffer.allocateDirect(64 * 1024);

  private static final AllocationBound BOUND = new AllocationBound(1024 * 1024, 300);

  @Test
  void anyStreamIsReadOrMalformed() {
    List<byte[]> valid = new ArrayList<>();
    RandomMessages messages = new RandomMessages(new SplittableRandom(1));
    Frames frames = new Frames();
    for (Class<? extends Message> type : MessageTypes.all()) {
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      stream.write(OPENED | SEALED | (valid.size() << PIECE_SHIFT));
      for (int i = 0; i < 2; i++) {
        int payloadBytes = i == 0 ? Frames.NO_PAYLOAD : 100;
        ByteBuffer frame = frames.encode(i, messages.of(type), payloadBytes);
        while (frame.hasRemaining()) stream.write(frame.get());
        for (int n = 0; n < payloadBytes; n++) stream.write(n);
      }
      valid.add(stream.toByteArray());
    }
    new FuzzRun(FrameFuzzTargetTest.class, "frames", valid)
        .play(FrameFuzzTargetTest::fuzzerTestOneInput, CHANGED);
  }

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) return;
    byte[] stream = new byte[input.length - 1];
    System.arraycopy(input, 1, stream, 0, stream.length);
    if ((input[0] & SEALED) != 0) FrameForgery.seal(stream);
    int gives = 1 + ((input[0] & 0xff) >>> PIECE_SHIFT) * 16;
    boolean opened = (input[0] & OPENED) != 0;
    BOUND.check(input.length, () -> take(new Source(stream, gives), opened));
  }

  private static void take(Source source, boolean opened) {
    Intake intake = new Intake(new Frames(), new BufferPool(Intake.BUFFERS));
    if (opened) intake.opened();
    Taker taker = new Taker();
    try {
      while (source.bytes.hasRemaining()) {
        if (intake.read(source) == 0) throw new AssertionError("no room for more");
        Intake.Digest digest = intake.digest(taker, Integer.MAX_VALUE);
        if (digest != Intake.Digest.HUNGRY) throw new AssertionError(digest + " in between");
      }
    } catch (MalformedFrame refused) {
      if (refused.what().isEmpty()) throw new AssertionError("refused without a reason", refused);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    intake.abort(taker);
    if (taker.keptBytes != 0) throw new AssertionError(taker.keptBytes + " bytes are still kept");
  }

  /** Gives at most so many bytes per read. */
  private static final class Source implements ScatteringByteChannel {
    final ByteBuffer bytes;
    private final int gives;

    Source(byte[] bytes, int gives) {
      this.bytes = ByteBuffer.wrap(bytes);
      this.gives = gives;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
      int left = Math.min(gives, bytes.remaining());
      int given = left;
      for (int i = offset; i < offset + length; i++) {
        int count = Math.min(left, targets[i].remaining());
        targets[i].put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
        left -= count;
      }
      return (long) given - left;
    }

    @Override
    public long read(ByteBuffer[] targets) {
      return read(targets, 0, targets.length);
    }

    @Override
    public int read(ByteBuffer target) {
      return (int) read(new ByteBuffer[] {target}, 0, 1);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** Takes short payloads, and discards long ones. */
  private static final class Taker implements Intake.Receiver {
    long keptBytes;

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
      if (message.toString().isEmpty()) throw new AssertionError("a message without a text");
    }

    @Override
    public boolean keepsBody(long bytes) {
      keptBytes += bytes;
      return true;
    }

    @Override
    public Landing arriving(FrameHead head, Message message) {
      message(head, message);
      if (head.payloadBytes() > PLACE.capacity()) return Landing.DISCARD;
      return new Landing.Into(
          PLACE.slice(0, head.payloadBytes()),
          new Landing.Arrival() {
            @Override
            public void filled() {}

            @Override
            public void aborted() {}
          });
    }
  }
}
