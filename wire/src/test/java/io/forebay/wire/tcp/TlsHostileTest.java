// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.Checksums;
import io.forebay.testing.TestCertificates;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.ConnectionBounds;
import io.forebay.wire.Limit;
import io.forebay.wire.Recorder;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.RandomMessages;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.PeerProof;
import io.forebay.wire.tls.Link;
import io.forebay.wire.tls.TlsBuffers;
import io.forebay.wire.tls.TlsChannel;
import io.forebay.wire.tls.TlsFiles;
import io.forebay.wire.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strangers at a port with TLS: whatever they do, others are served. */
class TlsHostileTest {
  private static final Handshake.Hello HELLO =
      Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 7, "here", 11);
  private static final ConnectionBounds PLACES = new ConnectionBounds(8, 4, 4, 4, 3, 100_000);
  private static final Handshake.Welcome WELCOME = new Handshake.Welcome(1, 7, 0, 0);
  private static final long SECOND = 1_000_000_000L;

  @TempDir static Path folder;
  private static TestCertificates ca;
  private static TestCertificates.Pair node;

  private final SplittableRandom random =
      new SplittableRandom(RandomMessages.seed(TlsHostileTest.class));
  private final TlsBuffers buffers = new TlsBuffers();
  private final Recorder honest = new Recorder();
  private final Recorder server = new Recorder();
  private final List<SocketChannel> sockets = new ArrayList<>();
  private TcpLoop loop;
  private Connection good;
  private Address.Inet at;
  private long aheadNanos;

  @BeforeAll
  static void makeCertificates() throws IOException {
    ca = TestCertificates.create(folder, "ca");
    node = ca.issue("node");
  }

  @BeforeEach
  void begin() throws IOException {
    TlsSettings settings = new TlsSettings(node.certificate(), node.key(), ca.ca());
    Links links = new Links(TlsFiles.open(settings, System::nanoTime), new TlsBuffers());
    loop = new TcpLoop(() -> System.nanoTime() + aheadNanos, links, PLACES);
    Address anywhere = new Address.Inet("127.0.0.1", 0);
    at = (Address.Inet) loop.listen(anywhere, hello -> WELCOME, server).address();
    good = loop.connect(at, HELLO, honest);
    await(good::isOpen);
  }

  @AfterEach
  void end() throws IOException {
    loop.close();
    for (SocketChannel socket : sockets) socket.close();
  }

  private void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      loop.poll(1_000_000);
      if (System.nanoTime() - start > 60 * SECOND) throw new AssertionError(server.closed);
    }
  }

  private void assertServes() {
    int before = server.received.size();
    good.send(1, new Replies.Done());
    await(() -> server.received.size() > before);
  }

  private SocketChannel dial() throws IOException {
    SocketChannel socket =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), at.port()));
    socket.configureBlocking(false);
    sockets.add(socket);
    return socket;
  }

  private static boolean isClosed(ByteChannel socket) {
    try {
      return socket.read(ByteBuffer.allocate(100_000)) < 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** A peer with an engine of its own; returns why its handshake fails, or null. */
  private @Nullable String establish(TlsChannel stranger) {
    String[] failure = new String[1];
    boolean[] done = new boolean[1];
    await(
        () -> {
          try {
            done[0] = stranger.establish(() -> true) == Link.Progress.DONE;
          } catch (IOException e) {
            failure[0] = String.valueOf(e.getMessage());
            return true;
          }
          return done[0];
        });
    return failure[0];
  }

  private TlsChannel stranger(TestCertificates.@Nullable Pair own) throws IOException {
    return new TlsChannel(RawTls.engine(own, ca.ca(), true), dial(), buffers);
  }

  /** Why the server ends the stranger's connection after its handshake. */
  private String complaint(TlsChannel stranger) {
    String[] said = new String[1];
    await(
        () -> {
          try {
            stranger.flush();
            stranger.read(ByteBuffer.allocate(1000));
            return false;
          } catch (IOException e) {
            said[0] = String.valueOf(e.getMessage());
            return true;
          }
        });
    return said[0];
  }

  @Test
  void garbageInsteadOfAHandshake() throws IOException {
    for (int i = 0; i < 100; i++) {
      byte[] garbage = new byte[1 + random.nextInt(40_000)];
      random.nextBytes(garbage);
      if (i % 2 == 0) {
        // It looks like a record of a handshake.
        byte[] head = {22, 3, 3, 1, 0, 1, 0, 0, (byte) 252};
        System.arraycopy(head, 0, garbage, 0, Math.min(head.length, garbage.length));
      }
      SocketChannel socket = dial();
      socket.write(ByteBuffer.wrap(garbage));
      socket.shutdownOutput();
      await(() -> isClosed(socket));
    }
    assertServes();
    assertThat(server.opened).hasSize(1);
  }

  @Test
  void aBrowserWithoutTlsIsRefused() throws IOException {
    SocketChannel browser = dial();
    browser.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
    await(() -> isClosed(browser));
    assertServes();
  }

  @Test
  void halfAHandshakeThenSilence() throws IOException {
    SocketChannel socket = dial();
    Cut cut = new Cut(socket, 100);
    TlsChannel stranger = new TlsChannel(RawTls.engine(node, ca.ca(), true), cut, buffers);
    stranger.establish(() -> true);
    for (int i = 0; i < 20; i++) loop.poll(1_000_000);
    assertThat(isClosed(socket)).isFalse();
    aheadNanos += WireLimits.STALLED_NANOS_MAX + SECOND;
    await(() -> isClosed(socket));
    assertServes();
    assertThat(server.opened).hasSize(1);
  }

  @Test
  void aSlowHandshakeHasTheSameTimeInAll() throws IOException {
    SocketChannel socket = dial();
    Cut cut = new Cut(socket, 0);
    TlsChannel stranger = new TlsChannel(RawTls.engine(node, ca.ca(), true), cut, buffers);
    for (int seconds = 0; !isClosedByCut(stranger) && seconds < 100; seconds++) {
      cut.allowed++;
      aheadNanos += SECOND;
      loop.poll(1_000_000);
    }
    assertThat(isClosedByCut(stranger)).isTrue();
    assertThat(server.opened).hasSize(1);
    assertServes();
  }

  private static boolean isClosedByCut(TlsChannel stranger) {
    try {
      stranger.establish(() -> true);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void manyHandshakesThatNeverEndGiveWayToNewcomers() throws IOException {
    List<SocketChannel> silent = new ArrayList<>();
    for (int i = 0; i < PLACES.greeting(); i++) silent.add(dial());
    for (int i = 0; i < 20; i++) loop.poll(1_000_000);
    Recorder next = new Recorder();
    loop.connect(at, HELLO, next);
    await(() -> !next.opened.isEmpty());
    await(() -> isClosed(silent.get(0)));
    assertThat(isClosed(silent.get(2))).isFalse();
  }

  @Test
  void aClientWithoutACertificateHasProvedNothing() throws IOException {
    TlsChannel stranger = stranger(null);
    assertThat(establish(stranger)).isNull();
    stranger.write(new Frames().encode(0, HELLO, Frames.NO_PAYLOAD));
    await(() -> server.opened.size() == 2);
    assertThat(server.opened.get(1).peer()).isEqualTo(PeerProof.NONE);
    assertServes();
  }

  @Test
  void aClientWithAnExpiredCertificateIsNotLetIn() throws IOException {
    TlsChannel stranger = stranger(ca.issue("late", "EC", "-startdate -10d", "-validity 2"));
    assertThat(establish(stranger)).isNull();
    assertThat(complaint(stranger)).contains("did not accept the certificate");
    assertThat(server.opened).hasSize(1);
  }

  @Test
  void aListenerWithAnExpiredCertificateIsNamed() throws IOException {
    TestCertificates.Pair late =
        ca.issue("stale", "EC", "san=ip:127.0.0.1", "-startdate -10d", "-validity 2");
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
      Recorder dialling = new Recorder();
      loop.connect(new Address.Inet("127.0.0.1", port), HELLO, dialling);
      SocketChannel accepted = listener.accept();
      sockets.add(accepted);
      accepted.configureBlocking(false);
      TlsChannel peer = new TlsChannel(RawTls.engine(late, ca.ca(), false), accepted, buffers);
      assertThat(establish(peer)).contains("certificate");
      await(() -> !dialling.closed.isEmpty());
      assertThat(dialling.closed.get(0)).contains("CN=stale", "expired at", "replace it");
      assertThat(dialling.unreachable).isEqualTo(1);
    }
  }

  @Test
  void aRecordWithABrokenTagAbortsItsPayload() throws IOException {
    SocketChannel socket = dial();
    Cut cut = new Cut(socket, Integer.MAX_VALUE);
    TlsChannel stranger = new TlsChannel(RawTls.engine(node, ca.ca(), true), cut, buffers);
    assertThat(establish(stranger)).isNull();
    send(stranger, new Frames().encode(1, HELLO, Frames.NO_PAYLOAD));
    send(stranger, new Frames().encode(1, new Data.Got(Checksums.NONE), 100_000));
    await(server::isLanding);
    cut.changes = true;
    send(stranger, ByteBuffer.allocate(50_000));
    await(() -> server.aborted == 1);
    assertThat(server.closed.get(0)).contains("TLS record that cannot be read");
    assertServes();
  }

  @Test
  void aConnectionThatEndsWithoutTlsClosingIsInterrupted() throws IOException {
    SocketChannel socket = dial();
    TlsChannel stranger = new TlsChannel(RawTls.engine(node, ca.ca(), true), socket, buffers);
    assertThat(establish(stranger)).isNull();
    send(stranger, new Frames().encode(1, HELLO, Frames.NO_PAYLOAD));
    await(() -> server.opened.size() == 2);
    stranger.read(ByteBuffer.allocate(1000));
    socket.close();
    await(() -> server.closed.size() == 1);
    assertThat(server.closed.get(0)).contains("ended without the closing message of TLS");
  }

  @Test
  void halfARecordThatIsNeverFinishedIsGivenUp() throws IOException {
    SocketChannel socket = dial();
    Cut cut = new Cut(socket, Integer.MAX_VALUE);
    TlsChannel stranger = new TlsChannel(RawTls.engine(node, ca.ca(), true), cut, buffers);
    assertThat(establish(stranger)).isNull();
    send(stranger, new Frames().encode(1, HELLO, Frames.NO_PAYLOAD));
    await(() -> server.opened.size() == 2);
    cut.allowed = 3;
    stranger.write(ByteBuffer.allocate(100));
    for (int i = 0; i < 20; i++) loop.poll(1_000_000);
    aheadNanos += WireLimits.STALLED_NANOS_MAX + SECOND;
    await(() -> server.closed.size() == 1);
    assertThat(server.closed.get(0)).contains("in the middle of a message");
    assertServes();
  }

  @Test
  void changedStreamsEndAlone() throws IOException {
    ByteBuffer hello = new Frames().encode(1, HELLO, Frames.NO_PAYLOAD);
    byte[] greeting = new byte[hello.remaining()];
    hello.get(greeting);
    for (int i = 0; i < 100; i++) {
      SocketChannel socket = dial();
      Cut cut = new Cut(socket, 50 + random.nextInt(4000));
      if (random.nextBoolean()) cut.changedByte = random.nextInt(2000);
      TlsChannel stranger = new TlsChannel(RawTls.engine(node, ca.ca(), true), cut, buffers);
      try {
        for (int n = 0; n < 20; n++) {
          if (stranger.establish(() -> true) == Link.Progress.DONE) {
            stranger.write(ByteBuffer.wrap(Arrays.copyOf(greeting, greeting.length)));
            break;
          }
          loop.poll(1_000_000);
        }
      } catch (IOException e) {
        // The listener has ended it, or its answer made no sense to this end.
        assertThat(e.getMessage()).isNotEmpty();
      }
      socket.close();
      for (int n = 0; n < 3; n++) loop.poll(0);
    }
    assertServes();
  }

  private void send(TlsChannel stranger, ByteBuffer bytes) {
    await(
        () -> {
          try {
            stranger.write(bytes);
            return !bytes.hasRemaining() && !stranger.hasOutput();
          } catch (IOException e) {
            return true;
          }
        });
  }

  /** Passes only so many bytes on, and may change some. */
  private static final class Cut implements ByteChannel {
    private final SocketChannel socket;
    private int allowed;
    private int passed;
    private int changedByte = -1;
    private boolean changes;

    Cut(SocketChannel socket, int allowed) {
      this.socket = socket;
      this.allowed = allowed;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      return socket.read(into);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      int limit = from.limit();
      from.limit(from.position() + Math.min(from.remaining(), allowed));
      int at = changes ? from.position() + 10 : from.position() + changedByte - passed;
      boolean here = changes || changedByte >= 0;
      if (here && at >= from.position() && at < from.limit()) {
        from.put(at, (byte) (from.get(at) ^ 0x55));
        changes = false;
        changedByte = -1;
      }
      int count = socket.write(from);
      from.limit(limit);
      passed += count;
      allowed -= count;
      return count;
    }

    @Override
    public boolean isOpen() {
      return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void whoSendsMuchBeforeTheWelcomeIsClosed() throws IOException {
    loop.close();
    TlsSettings settings = new TlsSettings(node.certificate(), node.key(), ca.ca());
    Links links = new Links(TlsFiles.open(settings, System::nanoTime), new TlsBuffers());
    loop = new TcpLoop(System::nanoTime, links, new ConnectionBounds(8, 4, 4, 4, 3, 500));
    Address anywhere = new Address.Inet("127.0.0.1", 0);
    Address bounded = loop.listen(anywhere, hello -> WELCOME, server).address();
    Recorder refused = new Recorder();
    // A handshake with a certificate is longer than that.
    loop.connect(bounded, HELLO, refused);
    await(() -> !refused.closed.isEmpty());
    assertThat(loop.limits().of(Limit.HANDSHAKE_BYTES)).isEqualTo(1);
    assertThat(server.opened).hasSize(1);
  }

  @Test
  void bytesBehindTheWelcomeAreNotCounted() {
    for (int i = 0; i < 20; i++) {
      good.send(1, new Maps.MapIs(1, Bytes.copyOf(new byte[20_000])));
    }
    await(() -> server.received.size() == 20);
    assertThat(loop.limits().of(Limit.HANDSHAKE_BYTES)).isZero();
    assertServes();
  }
}
