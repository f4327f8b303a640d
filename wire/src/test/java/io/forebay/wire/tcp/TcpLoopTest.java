// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Checksums;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.Recorder;
import io.forebay.wire.WireLimits;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only sockets do. */
class TcpLoopTest {
  private static final Handshake.Hello HELLO =
      Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 7, "here", 11);
  private static final Handshake.Welcome WELCOME = new Handshake.Welcome(1, 7, 0, 0);
  private static final Address LOOPBACK = new Address.Inet("127.0.0.1", 0);

  @TempDir Path folder;
  private long aheadNanos;
  private TcpLoop loop;
  private final Recorder client = new Recorder();
  private final Recorder server = new Recorder();

  @BeforeEach
  void begin() throws IOException {
    loop = new TcpLoop(() -> System.nanoTime() + aheadNanos);
  }

  @AfterEach
  void end() {
    loop.close();
  }

  private void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      loop.poll(1_000_000);
      if (System.nanoTime() - start > 20_000_000_000L) {
        throw new AssertionError("does not happen; " + client.closed + server.closed);
      }
    }
  }

  private Network.Listener listen(Address at) throws IOException {
    return loop.listen(at, hello -> WELCOME, server);
  }

  private Connection connect() throws IOException {
    Connection dialled = loop.connect(listen(LOOPBACK).address(), HELLO, client);
    await(() -> !client.opened.isEmpty() && !server.opened.isEmpty());
    return dialled;
  }

  private String failure(Address to) {
    loop.connect(to, HELLO, client);
    await(() -> !client.closed.isEmpty());
    return client.closed.get(0);
  }

  @Test
  void aHostIsFoundByItsName() throws IOException {
    int port = ((Address.Inet) listen(LOOPBACK).address()).port();
    Connection dialled = loop.connect(new Address.Inet("localhost", port), HELLO, client);
    await(dialled::isOpen);
  }

  @Test
  void anUnknownHostIsNamed() {
    assertThat(failure(new Address.Inet("no-such-host.invalid", 1)))
        .contains("no-such-host.invalid:1", "unknown host");
    assertThat(client.unreachable).isEqualTo(1);
  }

  @Test
  void aSocketFileThatIsNotThereIsNamed() {
    Address.Unix nowhere = new Address.Unix(folder.resolve("none").toString());
    assertThat(failure(nowhere)).contains(nowhere.toString(), "No such file");
    assertThat(client.unreachable).isEqualTo(1);
  }

  @Test
  void aPathThatIsTooLongIsAnAnswer() {
    String path = folder.resolve("x".repeat(200)).toString();
    assertThat(failure(new Address.Unix(path))).contains("cannot connect", "too long");
    assertThatThrownBy(() -> listen(new Address.Unix(path)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("too long");
  }

  @Test
  void aListenerThatNeverAnswersIsGivenUp() throws IOException {
    try (ServerSocketChannel silent = ServerSocketChannel.open()) {
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = ((InetSocketAddress) silent.getLocalAddress()).getPort();
      loop.connect(new Address.Inet("127.0.0.1", port), HELLO, client);
      for (int i = 0; i < 20; i++) loop.poll(1_000_000);
      assertThat(client.closed).isEmpty();
      aheadNanos += WireLimits.STALLED_NANOS_MAX + 1;
      await(() -> !client.closed.isEmpty());
      assertThat(client.closed.get(0)).contains("127.0.0.1:" + port, "handshake", "30 s");
      assertThat(client.unreachable).isZero();
    }
  }

  @Test
  void aHostThatNeverAnswersIsGivenUp() {
    // An address of documentation: nobody has it. Some machines know at once that they cannot
    // reach it.
    loop.connect(new Address.Inet("192.0.2.1", 9), HELLO, client);
    loop.poll(0);
    aheadNanos += WireLimits.STALLED_NANOS_MAX + 1;
    await(() -> !client.closed.isEmpty());
    assertThat(client.closed.get(0)).contains("cannot connect to 192.0.2.1:9");
  }

  @Test
  void whoSaysNothingIsClosed() throws IOException {
    Address.Inet at = (Address.Inet) listen(LOOPBACK).address();
    try (SocketChannel mute =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), at.port()))) {
      mute.configureBlocking(false);
      for (int i = 0; i < 20; i++) loop.poll(1_000_000);
      aheadNanos += WireLimits.STALLED_NANOS_MAX + 1;
      ByteBuffer in = ByteBuffer.allocate(100);
      await(() -> read(mute, in) < 0);
    }
    assertThat(server.opened).isEmpty();
    assertThat(server.closed).isEmpty();
  }

  private static int read(SocketChannel channel, ByteBuffer in) {
    try {
      return channel.read(in.clear());
    } catch (IOException e) {
      return -1;
    }
  }

  @Test
  void whoStopsReadingIsClosed() throws IOException {
    Connection dialled = connect();
    server.connection().stop();
    Payload payload = Payload.of(ByteBuffer.allocateDirect(32 << 20));
    dialled.send(1, new Data.Got(Checksums.NONE), payload);
    for (int i = 0; i < 50; i++) loop.poll(1_000_000);
    assertThat(dialled.queuedBytes()).isPositive();
    aheadNanos += WireLimits.STALLED_NANOS_MAX + 1;
    await(() -> !client.closed.isEmpty());
    assertThat(client.closed.get(0)).contains("stopped reading", "30 s");
  }

  @Test
  void whoHasNothingToSendIsNeverClosedForThat() throws IOException {
    Connection dialled = connect();
    for (int i = 0; i < 5; i++) {
      aheadNanos += WireLimits.STALLED_NANOS_MAX + 1;
      loop.poll(0);
    }
    dialled.send(1, new Replies.Done());
    await(() -> server.received.size() == 1);
  }

  @Test
  void aFloodDoesNotDrownOthers() throws IOException {
    Address at = listen(LOOPBACK).address();
    Connection loud = loop.connect(at, HELLO, client);
    Connection quiet = loop.connect(at, HELLO, client);
    await(() -> server.opened.size() == 2 && client.opened.size() == 2);
    int flood = 60_000;
    for (int i = 0; i < flood; i++) loud.send(i, new Maps.GetMap(i));
    quiet.send(-1, new Replies.Done());
    await(() -> server.received.size() == flood + 1);
    int when = 0;
    while (server.received.get(when).request() != -1) when++;
    assertThat(when).isLessThan(flood / 2);
  }

  @Test
  void aSocketFileGoesWithItsListener() throws IOException {
    Path file = folder.resolve("socket");
    Network.Listener listener = listen(new Address.Unix(file.toString()));
    assertThat(file).exists();
    listener.close();
    assertThat(file).doesNotExist();
  }

  @Test
  void aStaleSocketFileIsReplacedAndNothingElseIs() throws IOException {
    Path stale = folder.resolve("stale");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(stale));
    }
    assertThat(stale).exists();
    listen(new Address.Unix(stale.toString())).close();

    Path file = Files.writeString(folder.resolve("file"), "precious");
    assertThatThrownBy(() -> listen(new Address.Unix(file.toString())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a socket");
    assertThat(file).hasContent("precious");
  }

  @Test
  void wakingUpEndsTheWait() throws InterruptedException {
    Thread other = new Thread(loop::wakeUp);
    other.start();
    // Waits a minute if nobody wakes it.
    loop.poll(60_000_000_000L);
    other.join();
    loop.wakeUp();
    loop.poll(60_000_000_000L);
  }

  @Test
  void closingTheLoopTellsEverybody() throws IOException {
    Connection dialled = connect();
    int[] releases = {0};
    dialled.send(
        1,
        new Data.Got(Checksums.NONE),
        new Payload() {
          @Override
          public ByteBuffer bytes() {
            return ByteBuffer.allocateDirect(64 << 20);
          }

          @Override
          public void release() {
            releases[0]++;
          }
        });
    await(server::isLanding);
    loop.close();
    loop.close();
    assertThat(releases[0]).isEqualTo(1);
    assertThat(server.aborted).isEqualTo(1);
    assertThat(client.closed).hasSize(1);
    assertThat(server.closed).hasSize(1);
    assertThat(loop.poll(0)).isFalse();
    assertThat(loop.connect(LOOPBACK, HELLO, client).isOpen()).isFalse();
  }

  @Test
  void anExceptionOfAHandlerReachesTheOwnerAndTheLoopGoesOn() throws IOException {
    Connection dialled = connect();
    server.onArriving =
        () -> {
          throw new IllegalStateException("broken core");
        };
    dialled.send(1, new Data.Got(Checksums.NONE), Payload.of(ByteBuffer.allocate(10)));
    assertThatThrownBy(() -> await(() -> false)).hasMessage("broken core");
    server.onArriving = () -> {};
    await(
        () -> {
          server.connection().stop();
          server.connection().start();
          return server.received.size() == 1;
        });
  }
}
