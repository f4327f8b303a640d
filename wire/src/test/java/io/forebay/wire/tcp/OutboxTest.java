// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.wire.Payload;
import io.forebay.wire.buffer.BufferPool;
import io.forebay.wire.message.RandomMessages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private static final int ALL = Integer.MAX_VALUE;

  private final SplittableRandom random =
      new SplittableRandom(RandomMessages.seed(OutboxTest.class));
  private final Outbox outbox = new Outbox(new BufferPool(Intake.BUFFERS));
  private final ByteArrayOutputStream expected = new ByteArrayOutputStream();
  private int payloads;
  private int releases;

  /** Takes at most so many bytes per write. */
  private static final class Socket implements GatheringByteChannel {
    final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    int takes = ALL;
    int writes;

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      writes++;
      int left = takes;
      for (int i = offset; i < offset + length; i++) {
        byte[] some = new byte[Math.min(left, sources[i].remaining())];
        sources[i].get(some);
        taken.writeBytes(some);
        left -= some.length;
      }
      return (long) takes - left;
    }

    @Override
    public long write(ByteBuffer[] sources) {
      return write(sources, 0, sources.length);
    }

    @Override
    public int write(ByteBuffer source) {
      return (int) write(new ByteBuffer[] {source}, 0, 1);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private byte[] someBytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    expected.writeBytes(bytes);
    return bytes;
  }

  private void addFrame(int length) {
    outbox.add(ByteBuffer.wrap(someBytes(length)));
  }

  private void addPayload(int length, boolean direct) {
    byte[] content = someBytes(length);
    ByteBuffer bytes =
        direct
            ? ByteBuffer.allocateDirect(length + 2).put(1, content).position(1).limit(1 + length)
            : ByteBuffer.wrap(content);
    payloads++;
    outbox.add(
        new Payload() {
          @Override
          public ByteBuffer bytes() {
            return bytes;
          }

          @Override
          public void release() {
            releases++;
            assertThat(bytes.remaining()).as("the sender's own buffer").isEqualTo(length);
          }
        });
  }

  @Test
  void manySmallMessagesLeaveInOneWrite() throws IOException {
    for (int i = 0; i < 1000; i++) addFrame(60);
    Socket socket = new Socket();
    assertThat(outbox.flush(socket, ALL)).isEqualTo(60_000);
    assertThat(socket.writes).isEqualTo(1);
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void framesWithPayloadsShareWrites() throws IOException {
    for (int i = 0; i < 320; i++) {
      addFrame(60);
      addPayload(4096, true);
    }
    Socket socket = new Socket();
    outbox.flush(socket, ALL);
    assertThat(socket.writes).isEqualTo(10);
    assertThat(releases).isEqualTo(320);
    assertThat(socket.taken.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Test
  void aSlowSocketGetsTheSameBytes() throws IOException {
    Socket socket = new Socket();
    for (int round = 0; round < 3000; round++) {
      for (int i = random.nextInt(4); i > 0; i--) {
        addFrame(random.nextInt(20) == 0 ? random.nextInt(200_000) : random.nextInt(200));
        if (random.nextBoolean()) {
          int length = random.nextInt(30) == 0 ? random.nextInt(600_000) : random.nextInt(300);
          addPayload(length, random.nextBoolean());
        }
      }
      socket.takes = random.nextInt(8) == 0 ? ALL : random.nextInt(20_000);
      outbox.flush(socket, random.nextInt(100_000));
      assertThat(outbox.queuedBytes()).isEqualTo((long) expected.size() - socket.taken.size());
      assertThat(releases).isLessThanOrEqualTo(payloads);
    }
    socket.takes = ALL;
    while (!outbox.isEmpty()) outbox.flush(socket, ALL);
    assertThat(socket.taken.toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(releases).isEqualTo(payloads);
    assertThat(outbox.queuedBytes()).isZero();
  }

  @Test
  void whatIsDroppedIsReleasedOnce() throws IOException {
    Socket socket = new Socket();
    socket.takes = 5000;
    for (int i = 0; i < 10; i++) {
      addFrame(60);
      addPayload(1000, true);
    }
    outbox.flush(socket, ALL);
    assertThat(releases).isBetween(1, 9);
    outbox.drop();
    assertThat(releases).isEqualTo(10);
    outbox.drop();
    assertThat(releases).isEqualTo(10);
    assertThat(outbox.queuedBytes()).isZero();
  }
}
