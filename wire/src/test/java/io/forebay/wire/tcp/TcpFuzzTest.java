// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Checksums;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Recorder;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.RandomMessages;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Strangers at a real socket: whatever they send, the server stays up for others. */
class TcpFuzzTest {
  private static final Handshake.Hello HELLO =
      Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 7, "here", 11);

  private final SplittableRandom random =
      new SplittableRandom(RandomMessages.seed(TcpFuzzTest.class));
  private final RandomMessages messages = new RandomMessages(random);
  private final Frames frames = new Frames();
  private final Recorder honest = new Recorder();
  private final Recorder server = new Recorder();
  private TcpLoop loop;
  private Connection good;
  private int port;
  private long aheadNanos;

  @BeforeEach
  void begin() throws IOException {
    loop = new TcpLoop(() -> System.nanoTime() + aheadNanos);
    Address at =
        loop.listen(
                new Address.Inet("127.0.0.1", 0),
                hello -> new Handshake.Welcome(1, 7, 0, 0),
                server)
            .address();
    port = ((Address.Inet) at).port();
    good = loop.connect(at, HELLO, honest);
    await(good::isOpen);
  }

  @AfterEach
  void end() {
    loop.close();
  }

  private void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      loop.poll(1_000_000);
      if (System.nanoTime() - start > 20_000_000_000L) throw new AssertionError("not so");
    }
  }

  private void assertServes() {
    int before = server.received.size();
    good.send(1, new Replies.Done());
    await(() -> server.received.size() > before);
  }

  private SocketChannel dial() throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.configureBlocking(false);
    return channel;
  }

  private static void write(SocketChannel channel, byte[] bytes) {
    try {
      channel.write(ByteBuffer.wrap(bytes));
    } catch (IOException e) {
      // The server has closed it already, which is what is hoped for.
      assertThat(e).hasMessageMatching("(?s).*(Broken pipe|reset).*");
    }
  }

  /** What the server says until it closes. */
  private byte[] readAll(SocketChannel channel) {
    ByteBuffer in = ByteBuffer.allocate(100_000);
    await(
        () -> {
          try {
            return channel.read(in) < 0;
          } catch (IOException e) {
            return true;
          }
        });
    byte[] said = new byte[in.position()];
    in.get(0, said);
    return said;
  }

  private byte[] frame(Message message, int payloadBytes) {
    ByteBuffer frame = frames.encode(5, message, payloadBytes);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  /** A frame whose head tells lengths of ill will with right checksums. */
  private byte[] forged(int bodyBytes, long payloadBytes) {
    byte[] frame = frame(new Maps.GetMap(1), Frames.NO_PAYLOAD);
    FrameForgery.lengths(frame, bodyBytes, payloadBytes);
    return frame;
  }

  @Test
  void aBrowserIsToldWhatItFound() throws IOException {
    try (SocketChannel browser = dial()) {
      write(browser, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(readAll(browser), StandardCharsets.ISO_8859_1))
          .contains("an HTTP request");
    }
    assertServes();
    assertThat(server.opened).hasSize(1);
  }

  @Test
  void garbageInsteadOfAGreeting() throws IOException {
    for (int i = 0; i < 100; i++) {
      byte[] garbage = new byte[4 + random.nextInt(3000)];
      random.nextBytes(garbage);
      try (SocketChannel stranger = dial()) {
        write(stranger, garbage);
        readAll(stranger);
      }
    }
    assertServes();
    assertThat(server.opened).hasSize(1);
    assertThat(server.closed).isEmpty();
  }

  @Test
  void otherMessagesAndPayloadsInsteadOfAGreeting() throws IOException {
    List<byte[]> wrong = new ArrayList<>();
    wrong.add(frame(new Replies.Done(), Frames.NO_PAYLOAD));
    wrong.add(frame(new Handshake.Welcome(1, 1, 1, 1), Frames.NO_PAYLOAD));
    wrong.add(frame(HELLO, 0));
    wrong.add(forged(Frames.GREETING_BYTES_MAX + 1, Frames.NO_PAYLOAD));
    for (byte[] first : wrong) {
      try (SocketChannel stranger = dial()) {
        write(stranger, first);
        readAll(stranger);
      }
    }
    assertServes();
    assertThat(server.opened).hasSize(1);
  }

  @Test
  void changedStreamsEndWithAReasonOrAreTakenIn() throws IOException {
    for (int i = 0; i < 300; i++) {
      byte[] stream = frame(HELLO, Frames.NO_PAYLOAD);
      for (int n = random.nextInt(5); n >= 0; n--) {
        int payload = random.nextBoolean() ? Frames.NO_PAYLOAD : random.nextInt(3000);
        stream = join(stream, frame(messages.any(), payload));
        stream = join(stream, new byte[Math.max(0, payload)]);
      }
      int changes = random.nextInt(4);
      for (int n = 0; n < changes; n++) {
        stream[random.nextInt(stream.length)] = (byte) random.nextInt();
      }
      int closed = server.closed.size();
      int opened = server.opened.size();
      try (SocketChannel stranger = dial()) {
        write(stranger, Arrays.copyOf(stream, random.nextInt(stream.length + 1)));
        for (int n = 0; n < 3; n++) loop.poll(0);
      }
      if (server.opened.size() > opened) await(() -> server.closed.size() > closed);
    }
    assertServes();
    assertThat(server.closed).allSatisfy(reason -> assertThat(reason).isNotBlank());
  }

  @Test
  void lengthsOutOfBoundsCloseTheConnectionWithAReason() throws IOException {
    long tebibyte = 1L << 40;
    List<byte[]> wrong =
        List.of(
            forged(8, tebibyte),
            forged(8, -5),
            forged(WireLimits.BODY_BYTES_MAX + 1, Frames.NO_PAYLOAD),
            forged(Integer.MIN_VALUE, Frames.NO_PAYLOAD));
    for (byte[] second : wrong) {
      int closed = server.closed.size();
      try (SocketChannel stranger = dial()) {
        write(stranger, join(frame(HELLO, Frames.NO_PAYLOAD), second));
        await(() -> server.closed.size() > closed);
        assertThat(server.closed.get(closed)).contains("sent a ", "at most");
        readAll(stranger);
      }
    }
    assertServes();
  }

  @Test
  void announcedBytesTakeNoMemoryBeforeTheyCome() throws IOException {
    long before = directBytes();
    List<SocketChannel> strangers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      SocketChannel stranger = dial();
      strangers.add(stranger);
      write(stranger, frame(HELLO, Frames.NO_PAYLOAD));
      write(stranger, forged(WireLimits.BODY_BYTES_MAX, Frames.NO_PAYLOAD));
    }
    await(() -> server.opened.size() == 201);
    for (int i = 0; i < 20; i++) loop.poll(1_000_000);
    assertServes();
    // Two buffers each, not four MiB.
    long bound = 200L * 2 * Intake.BUFFER_BYTES;
    assertThat(directBytes() - before).isLessThanOrEqualTo(bound);
    for (SocketChannel stranger : strangers) stranger.close();
    await(() -> server.closed.size() == 200);
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void aMessageThatNeverEndsIsGivenUp() throws IOException {
    try (SocketChannel stranger = dial()) {
      write(stranger, frame(HELLO, Frames.NO_PAYLOAD));
      write(stranger, Arrays.copyOf(frame(new Maps.GetMap(1), Frames.NO_PAYLOAD), 20));
      await(() -> server.opened.size() == 2);
      for (int i = 0; i < 20; i++) loop.poll(1_000_000);
      aheadNanos += WireLimits.STALLED_NANOS_MAX + 1_000_000_000;
      await(() -> server.closed.size() == 1);
    }
    assertServes();
  }

  @Test
  void aPayloadThatNeverComesHoldsUpOnlyItsOwnConnection() throws IOException {
    try (SocketChannel stranger = dial()) {
      write(stranger, frame(HELLO, Frames.NO_PAYLOAD));
      write(stranger, frame(new Data.Got(Checksums.NONE), 1000));
      await(server::isLanding);
      assertServes();
      aheadNanos += WireLimits.STALLED_NANOS_MAX - 1_000_000_000;
      loop.poll(0);
      assertServes();
      assertThat(server.aborted).isZero();
      aheadNanos += 2_000_000_000;
      await(() -> server.aborted == 1);
      assertThat(server.closed.get(0)).contains("in the middle of a message", "30 s");
      assertServes();
    }
  }
}
