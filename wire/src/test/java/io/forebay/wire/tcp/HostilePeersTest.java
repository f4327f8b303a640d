// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Bytes;
import io.forebay.base.Checksums;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.ConnectionBounds;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Limit;
import io.forebay.wire.Recorder;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.tls.TlsBuffers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Peers that take places, memory and time which others need. */
class HostilePeersTest {
  private static final Handshake.Welcome WELCOME = new Handshake.Welcome(1, 7, 0, 0);
  private static final ConnectionBounds PLACES = new ConnectionBounds(8, 4, 6, 6, 3, 100_000);
  private static final long SECOND = 1_000_000_000L;
  private static final int ANSWER_BYTES = 100_000;

  private long aheadNanos;
  private TcpLoop loop;
  private final Recorder server = new Recorder();
  private final List<SocketChannel> sockets = new ArrayList<>();

  @BeforeEach
  void begin() throws IOException {
    loop =
        new TcpLoop(
            () -> System.nanoTime() + aheadNanos, new Links(null, new TlsBuffers()), PLACES);
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
      if (System.nanoTime() - start > 20 * SECOND) throw new AssertionError(server.closed);
    }
  }

  private Address.Inet listen(Handler handler) throws IOException {
    Address at = new Address.Inet("127.0.0.1", 0);
    return (Address.Inet) loop.listen(at, hello -> WELCOME, handler).address();
  }

  private SocketChannel dial(Address.Inet at) throws IOException {
    SocketChannel socket = SocketChannel.open();
    sockets.add(socket);
    socket.setOption(StandardSocketOptions.SO_RCVBUF, 16 * 1024);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), at.port()));
    socket.configureBlocking(false);
    return socket;
  }

  private void send(SocketChannel socket, Message message, int payloadBytes) throws IOException {
    ByteBuffer frame = new Frames().encode(1, message, payloadBytes);
    while (frame.hasRemaining()) {
      socket.write(frame);
      loop.poll(0);
    }
  }

  private static Handshake.Hello hello(Handshake.Role role) {
    return Handshake.Hello.of(role, Handshake.Lane.CONTROL, 7, "here", 11);
  }

  /** A connection of a program that says what it is and then nothing. */
  private SocketChannel client(Address.Inet at) throws IOException {
    int opened = server.opened.size();
    SocketChannel socket = dial(at);
    send(socket, hello(Handshake.Role.CLIENT), Frames.NO_PAYLOAD);
    await(() -> server.opened.size() > opened);
    return socket;
  }

  private long reached(Limit limit) {
    return loop.limits().of(limit);
  }

  private static boolean isClosed(SocketChannel socket) {
    try {
      return socket.read(ByteBuffer.allocate(1024)) < 0;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void whoSaysNothingGivesWayToNewcomers() throws IOException {
    Address.Inet at = listen(server);
    List<SocketChannel> silent = new ArrayList<>();
    for (int i = 0; i < PLACES.greeting(); i++) silent.add(dial(at));
    for (int i = 0; i < 20; i++) loop.poll(1_000_000);
    assertThat(isClosed(silent.get(0))).isFalse();
    client(at);
    await(() -> isClosed(silent.get(0)));
    assertThat(isClosed(silent.get(2))).isFalse();
    assertThat(reached(Limit.UNGREETED_CONNECTIONS)).isEqualTo(1);
  }

  @Test
  void clientsLeavePlacesToSeatsAndSilentOnesToOthers() throws IOException {
    Address.Inet at = listen(server);
    for (int i = 0; i < PLACES.clients(); i++) client(at);
    Recorder refused = new Recorder();
    loop.connect(at, hello(Handshake.Role.CLIENT), refused);
    await(() -> !refused.closed.isEmpty());
    assertThat(refused.closed.get(0)).contains("BUSY", "4 client connections, its limit");
    assertThat(reached(Limit.CLIENT_CONNECTIONS)).isEqualTo(1);
    assertThat(refused.unreachable).isZero();

    Recorder seat = new Recorder();
    loop.connect(at, hello(Handshake.Role.SEAT), seat);
    await(() -> seat.opened.size() == 1);

    aheadNanos += WireLimits.CROWDED_IDLE_NANOS + SECOND;
    client(at);
    await(() -> server.closed.size() == 1);
    assertThat(server.closed.get(0)).contains("silent");
    assertThat(seat.closed).isEmpty();
  }

  @Test
  void idleClientsAreClosedAndSeatsAreNot() throws IOException {
    Address.Inet at = listen(server);
    SocketChannel idle = client(at);
    Recorder seat = new Recorder();
    loop.connect(at, hello(Handshake.Role.SEAT), seat);
    await(() -> seat.opened.size() == 1);
    aheadNanos += WireLimits.IDLE_NANOS_MAX + SECOND;
    await(() -> isClosed(idle));
    assertThat(seat.closed).isEmpty();
    assertThat(reached(Limit.SILENCE)).isEqualTo(1);
  }

  @Test
  void aPayloadThatTricklesIsGivenUp() throws IOException {
    SocketChannel slow = client(listen(server));
    send(slow, new Data.Got(Checksums.NONE), 1_000_000);
    await(server::isLanding);
    // Each second, so that the loop is not away for long.
    for (int seconds = 0; server.closed.isEmpty() && seconds < 100; seconds++) {
      aheadNanos += SECOND;
      if (seconds % 3 == 0) trickle(slow);
      loop.poll(1_000_000);
    }
    assertThat(server.closed).hasSize(1);
    assertThat(server.closed.get(0)).contains("sends slower than 16384 bytes");
    assertThat(server.aborted).isEqualTo(1);
    assertThat(reached(Limit.SLOW_SENDER)).isEqualTo(1);
  }

  /** Sends a byte and waits until it is there: the clock must not run ahead of the network. */
  private void trickle(SocketChannel slow) throws IOException {
    Connection receiver = server.opened.get(0);
    long before = receiver.receivedBytes();
    slow.write(ByteBuffer.allocate(1));
    await(() -> receiver.receivedBytes() > before || !server.closed.isEmpty());
  }

  @Test
  void aSlowPayloadThatMovesIsTaken() throws IOException {
    SocketChannel slow = client(listen(server));
    int secondBytes = 40_000;
    send(slow, new Data.Got(Checksums.NONE), 100 * secondBytes);
    for (int seconds = 0; seconds < 100; seconds++) {
      aheadNanos += SECOND;
      ByteBuffer some = ByteBuffer.allocate(secondBytes);
      while (some.hasRemaining()) {
        slow.write(some);
        loop.poll(0);
      }
    }
    await(() -> server.received.size() == 1);
    assertThat(server.closed).isEmpty();
  }

  /** Answers whatever it is asked at length. */
  private static final class LongAnswers implements Handler {
    final List<Connection> open = new ArrayList<>();
    int asked;
    int answerBytes = ANSWER_BYTES;

    @Override
    public void opened(Connection connection) {
      open.add(connection);
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      asked++;
      connection.send(request, new Maps.MapIs(1, Bytes.copyOf(new byte[answerBytes])));
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {
      open.remove(connection);
    }
  }

  @Test
  void whoTakesNoAnswersIsAskedNoMore() throws IOException {
    LongAnswers answering = new LongAnswers();
    Address.Inet at = listen(answering);
    SocketChannel deaf = dial(at);
    send(deaf, hello(Handshake.Role.CLIENT), Frames.NO_PAYLOAD);
    await(() -> answering.open.size() == 1);
    for (int i = 0; i < 200; i++) send(deaf, new Maps.GetMap(0), Frames.NO_PAYLOAD);
    for (int i = 0; i < 100; i++) loop.poll(1_000_000);
    assertThat(answering.asked).isLessThan(100);
    assertThat(answering.open.get(0).queuedBytes())
        .isLessThan(WireLimits.ANSWER_BYTES_MAX + 2 * ANSWER_BYTES);
    assertThat(reached(Limit.UNREAD_ANSWERS)).isPositive();
    // Once it reads, it is answered all.
    await(
        () -> {
          isClosed(deaf);
          for (int i = 0; i < 200; i++) isClosed(deaf);
          return answering.asked == 200;
        });
  }

  @Test
  void unreadAnswersOfAllTogetherAreBounded() throws IOException {
    LongAnswers answering = new LongAnswers();
    answering.answerBytes = WireLimits.BODY_BYTES_MAX - 100;
    loop.close();
    loop = new TcpLoop(() -> System.nanoTime() + aheadNanos);
    Address.Inet at = listen(answering);
    int clients = 40;
    for (int i = 0; i < clients; i++) {
      int before = answering.asked;
      SocketChannel deaf = dial(at);
      send(deaf, hello(Handshake.Role.CLIENT), Frames.NO_PAYLOAD);
      send(deaf, new Maps.GetMap(0), Frames.NO_PAYLOAD);
      await(() -> answering.asked > before);
    }
    long queued = 0;
    for (Connection each : answering.open) queued += each.queuedBytes();
    assertThat(queued).isLessThanOrEqualTo(WireLimits.LOOP_ANSWER_BYTES_MAX);
    assertThat(answering.open).hasSizeBetween(2, clients - 1);
    assertThat(reached(Limit.ALL_UNREAD_ANSWERS)).isEqualTo(clients - answering.open.size());
  }

  @Test
  void longMessagesThatAreNotAllHereAreBounded() throws IOException {
    loop.close();
    loop = new TcpLoop(() -> System.nanoTime() + aheadNanos);
    Address.Inet at = listen(server);
    ByteBuffer all =
        new Frames()
            .encode(
                1,
                new Maps.MapIs(1, Bytes.copyOf(new byte[WireLimits.BODY_BYTES_MAX - 100])),
                Frames.NO_PAYLOAD);
    int clients = 24;
    for (int i = 0; i < clients && server.closed.isEmpty(); i++) {
      SocketChannel half = client(at);
      ByteBuffer most = all.duplicate();
      most.limit(all.limit() - 1);
      while (most.hasRemaining() && server.closed.isEmpty()) {
        half.write(most);
        loop.poll(0);
      }
    }
    assertThat(server.closed).isNotEmpty();
    assertThat(server.closed.get(0)).contains("a long message while too many others");
    assertThat(reached(Limit.PARTIAL_MESSAGES)).isEqualTo(1);
  }

  @Test
  void anAnswerThatIsTooLongEndsItsRequestOnly() throws IOException {
    LongAnswers answering = new LongAnswers();
    answering.answerBytes = WireLimits.BODY_BYTES_MAX + 1;
    Address.Inet at = listen(answering);
    Recorder client = new Recorder();
    Connection dialled = loop.connect(at, hello(Handshake.Role.CLIENT), client);
    await(() -> client.opened.size() == 1);
    dialled.send(5, new Maps.GetMap(0));
    await(() -> client.received.size() == 1);
    assertThat(client.received.get(0).request()).isEqualTo(5);
    assertThat(client.received.get(0).message())
        .isInstanceOfSatisfying(
            Replies.Failed.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.TOO_LARGE));
    answering.answerBytes = 10;
    dialled.send(6, new Maps.GetMap(0));
    await(() -> client.received.size() == 2);
  }
}
