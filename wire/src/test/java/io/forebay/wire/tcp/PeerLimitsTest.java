// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Checksums;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.ConnectionBounds;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Limit;
import io.forebay.wire.Network;
import io.forebay.wire.Payload;
import io.forebay.wire.Recorder;
import io.forebay.wire.WireLimits;
import io.forebay.wire.frame.Frames;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.proof.Trust;
import io.forebay.wire.tls.TlsBuffers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each limit of a loop: what happens beyond it, and that it is counted. */
class PeerLimitsTest {
  private static final Handshake.Welcome WELCOME = new Handshake.Welcome(1, 7, 0, 0);
  private static final ConnectionBounds BOUNDS = new ConnectionBounds(16, 8, 2, 3, 4, 100_000);
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;

  private long aheadNanos;
  private TcpLoop loop;
  private final Recorder server = new Recorder();
  private final List<SocketChannel> sockets = new ArrayList<>();

  @BeforeEach
  void begin() throws IOException {
    loop =
        new TcpLoop(
            () -> System.nanoTime() + aheadNanos, new Links(null, new TlsBuffers()), BOUNDS);
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

  private SocketChannel kept(SocketChannel socket) throws IOException {
    sockets.add(socket);
    socket.configureBlocking(false);
    return socket;
  }

  private SocketChannel dial(Address.Inet at) throws IOException {
    return kept(
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), at.port())));
  }

  private static boolean isClosed(SocketChannel socket) {
    try {
      return socket.read(ByteBuffer.allocate(1024)) < 0;
    } catch (IOException e) {
      return true;
    }
  }

  private static Handshake.Hello hello(Handshake.Role role) {
    return Handshake.Hello.of(role, Handshake.Lane.CONTROL, 7, "here", 11);
  }

  private long reached(Limit limit) {
    return loop.limits().of(limit);
  }

  @Test
  void clientsOfOneAddressHaveAShareOfThePlaces() throws IOException {
    Address.Inet at = listen(server);
    List<Connection> clients = new ArrayList<>();
    for (int i = 0; i < BOUNDS.perAddress(); i++) {
      clients.add(loop.connect(at, hello(Handshake.Role.CLIENT), new Recorder()));
    }
    await(() -> clients.stream().allMatch(Connection::isOpen));
    Recorder refused = new Recorder();
    loop.connect(at, hello(Handshake.Role.CLIENT), refused);
    await(() -> !refused.closed.isEmpty());
    assertThat(refused.closed.get(0)).contains("BUSY", "2 client connections of your address");
    assertThat(refused.unreachable).isZero();
    assertThat(reached(Limit.CONNECTIONS_PER_ADDRESS)).isEqualTo(1);

    // Seats are not counted, nor programs at Unix sockets.
    Recorder seat = new Recorder();
    loop.connect(at, hello(Handshake.Role.SEAT), seat);
    Address.Unix local = new Address.Unix(folder.resolve("socket").toString());
    loop.listen(local, hello -> WELCOME, server);
    Recorder program = new Recorder();
    for (int i = 0; i < 3; i++) loop.connect(local, hello(Handshake.Role.CLIENT), program);
    await(() -> seat.opened.size() == 1 && program.opened.size() == 3);

    // A place that becomes free is given again.
    clients.get(0).close("it has what it wanted");
    await(() -> !server.closed.isEmpty());
    Recorder next = new Recorder();
    loop.connect(at, hello(Handshake.Role.CLIENT), next);
    await(() -> next.opened.size() == 1);
  }

  /** Users are those that the test names, by the ports or paths of sockets. */
  @Test
  void aUserOfThisMachineHasAShareOfThePlaces() throws IOException {
    Identity[] user = {new Identity(1000, List.of())};
    loop.tellPeersBy(socket -> user[0]);
    Address.Inet at = listen(server);
    Address.Unix local = new Address.Unix(folder.resolve("socket").toString());
    loop.listen(local, hello -> WELCOME, server);
    List<Connection> clients = new ArrayList<>();
    for (int i = 0; i < BOUNDS.perUser(); i++) {
      // Both kinds of sockets count together.
      Address to = i % 2 == 0 ? at : local;
      clients.add(loop.connect(to, hello(Handshake.Role.CLIENT), new Recorder()));
    }
    await(() -> clients.stream().allMatch(Connection::isOpen));
    for (Address to : List.of(at, local)) {
      Recorder refused = new Recorder();
      loop.connect(to, hello(Handshake.Role.CLIENT), refused);
      await(() -> !refused.closed.isEmpty());
      assertThat(refused.closed.get(0)).contains("BUSY", "3 client connections of user 1000");
    }
    assertThat(reached(Limit.CONNECTIONS_PER_USER)).isEqualTo(2);
    assertThat(reached(Limit.CONNECTIONS_PER_ADDRESS)).isZero();

    // Another user has places of its own, although the address is the same.
    user[0] = new Identity(1001, List.of());
    Recorder other = new Recorder();
    for (int i = 0; i < BOUNDS.perUser(); i++) {
      loop.connect(at, hello(Handshake.Role.CLIENT), other);
    }
    await(() -> other.opened.size() == BOUNDS.perUser());

    // A place that becomes free is given again.
    user[0] = new Identity(1000, List.of());
    clients.get(0).close("it has what it wanted");
    await(() -> !server.closed.isEmpty());
    Recorder next = new Recorder();
    loop.connect(at, hello(Handshake.Role.CLIENT), next);
    await(() -> next.opened.size() == 1);
  }

  @Test
  void aStrangerThatSaysItIsASeatCountsAsAClient() throws IOException {
    loop.tellPeersBy(socket -> new Identity(1000, List.of()));
    loop.believe(Trust.ofProofs(1001));
    Address.Inet at = listen(server);
    Recorder claiming = new Recorder();
    for (int i = 0; i < BOUNDS.perUser(); i++) {
      loop.connect(at, hello(Handshake.Role.SEAT), claiming);
    }
    await(() -> claiming.opened.size() == BOUNDS.perUser());
    Recorder refused = new Recorder();
    loop.connect(at, hello(Handshake.Role.SEAT), refused);
    await(() -> !refused.closed.isEmpty());
    assertThat(reached(Limit.CONNECTIONS_PER_USER)).isEqualTo(1);

    // The user of the process is believed.
    loop.believe(Trust.ofProofs(1000));
    Recorder seat = new Recorder();
    loop.connect(at, hello(Handshake.Role.SEAT), seat);
    await(() -> seat.opened.size() == 1);
  }

  @Test
  void connectionsBeyondAllPlacesAreClosedAtOnce() throws IOException {
    Address.Inet at = listen(server);
    Recorder seats = new Recorder();
    for (int i = 0; i < BOUNDS.connections(); i++) {
      int opened = i + 1;
      loop.connect(at, hello(Handshake.Role.SEAT), seats);
      await(() -> seats.opened.size() == opened);
    }
    SocketChannel late = dial(at);
    await(() -> isClosed(late));
    assertThat(reached(Limit.CONNECTIONS)).isEqualTo(1);
  }

  /** Greets as a client and reads nothing; the connection is that of the other end. */
  private Connection deaf(Handler handler) throws IOException {
    SocketChannel socket = SocketChannel.open();
    // Small: what it holds counts as sent.
    socket.setOption(StandardSocketOptions.SO_RCVBUF, 16 * 1024);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), listen(handler).port()));
    kept(socket);
    socket.write(new Frames().encode(1, hello(Handshake.Role.CLIENT), Frames.NO_PAYLOAD));
    await(() -> server.opened.size() == 1);
    return server.opened.get(0);
  }

  @Test
  void bytesThatWaitForAPeerAreBounded() throws IOException {
    Connection deaf = deaf(server);
    ByteBuffer shared = ByteBuffer.allocate(16 << 20);
    int sends = (int) (WireLimits.QUEUED_BYTES_MAX / shared.capacity()) + 2;
    for (int i = 0; i < sends; i++) {
      deaf.send(1, new Data.Got(Checksums.NONE), Payload.of(shared.duplicate()));
    }
    await(() -> server.closed.size() == 1);
    assertThat(server.closed.get(0)).contains("does not take what it is sent");
    assertThat(reached(Limit.QUEUED_BYTES)).isEqualTo(1);
  }

  /** Passes so many seconds, one by one: a loop that was away for long gives peers more time. */
  private void pass(int seconds) {
    for (int i = 0; i < seconds && server.closed.isEmpty(); i++) {
      aheadNanos += SECOND;
      loop.poll(1_000_000);
    }
  }

  @Test
  void aPeerThatTakesNothingIsClosed() throws IOException {
    Connection deaf = deaf(server);
    deaf.send(1, new Data.Got(Checksums.NONE), Payload.of(ByteBuffer.allocate(64 << 20)));
    pass(40);
    assertThat(server.closed).hasSize(1).first().asString().contains("it took nothing for 30 s");
    assertThat(reached(Limit.STALLED_TRANSFER)).isEqualTo(1);
  }

  /** Without sockets: their buffers let a sender go on in steps that are too large to be slow. */
  @Test
  void aPeerThatReadsSlowlyIsClosed() {
    TimeLimits.Standing client =
        new TimeLimits.Standing(ConnectionState.OPEN, true, false, true, true);
    TimeLimits limits = new TimeLimits("a peer", 0);
    limits.beginSending(0);
    long now = 0;
    TimeLimits.Exceeded exceeded = null;
    while (exceeded == null && now < 100 * SECOND) {
      now += SECOND;
      limits.sent(WireLimits.BYTES_PER_SECOND_MIN - 1, now);
      exceeded = limits.exceeded(client, false, now);
    }
    assertThat(exceeded)
        .isEqualTo(
            new TimeLimits.Exceeded(
                Limit.SLOW_READER, "a peer reads slower than 16384 bytes a second"));
    assertThat(now).isBetween(WireLimits.STALLED_NANOS_MAX, 2 * WireLimits.STALLED_NANOS_MAX);
  }

  @Test
  void silentStrangersOfOneAddressGiveWayBeforeThoseOfOthers() throws IOException {
    Address.Inet at = listen(server);
    Path file = folder.resolve("socket");
    loop.listen(new Address.Unix(file.toString()), hello -> WELCOME, server);
    SocketChannel other = kept(SocketChannel.open(UnixDomainSocketAddress.of(file)));
    for (int i = 0; i < 20; i++) loop.poll(1_000_000);
    SocketChannel oldest = dial(at);
    for (int i = 0; i < BOUNDS.greeting() - 1; i++) dial(at);
    await(() -> isClosed(oldest));
    assertThat(isClosed(other)).isFalse();
    assertThat(reached(Limit.UNGREETED_CONNECTIONS)).isEqualTo(1);
  }

  @Test
  void malformedFramesBehindTheHandshakeAreCounted() throws IOException {
    List<String> told = new ArrayList<>();
    Network.Door door =
        new Network.Door() {
          @Override
          public Handshake.Answer answer(Handshake.Hello hello) {
            return WELCOME;
          }

          @Override
          public void malformed(Connection from, String what) {
            told.add(from.remote() + " " + what);
          }
        };
    Network.Listener listener = loop.listen(new Address.Inet("127.0.0.1", 0), door, server);
    SocketChannel socket = dial((Address.Inet) listener.address());
    socket.write(new Frames().encode(1, hello(Handshake.Role.CLIENT), Frames.NO_PAYLOAD));
    await(() -> server.opened.size() == 1);
    assertThat(reached(Limit.MALFORMED_FRAMES)).isZero();
    assertThat(told).isEmpty();
    socket.write(ByteBuffer.wrap(new byte[1000]));
    await(() -> server.closed.size() == 1);
    assertThat(reached(Limit.MALFORMED_FRAMES)).isEqualTo(1);
    assertThat(told).singleElement().asString().startsWith("127.0.0.1:");
  }

  @Test
  void aHandshakeThatTakesLongIsCounted() throws IOException {
    SocketChannel silent = dial(listen(server));
    for (int i = 0; i < 20; i++) loop.poll(1_000_000);
    aheadNanos += WireLimits.STALLED_NANOS_MAX + SECOND;
    await(() -> isClosed(silent));
    assertThat(reached(Limit.HANDSHAKE_TIME)).isEqualTo(1);
  }

  /** Answers nothing before it is told to. */
  private static final class Hesitant implements Handler {
    private final List<Runnable> answers = new ArrayList<>();

    @Override
    public void opened(Connection connection) {}

    @Override
    public void received(Connection connection, long request, Message message) {
      answers.add(() -> connection.send(request, new Replies.Done()));
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {}
  }

  @Test
  void requestsWithoutAnAnswerAreBounded() throws IOException {
    Hesitant hesitant = new Hesitant();
    Recorder client = new Recorder();
    Connection connection = loop.connect(listen(hesitant), hello(Handshake.Role.CLIENT), client);
    await(connection::isOpen);
    int max = WireLimits.REQUESTS_MAX;
    for (int i = 1; i <= max + 1; i++) connection.send(i, new Maps.GetMap(0));
    await(() -> client.received.size() == 1);
    assertThat(client.received.get(0).request()).isEqualTo(max + 1);
    assertThat(client.received.get(0).message())
        .isInstanceOfSatisfying(
            Replies.Failed.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BUSY));
    assertThat(hesitant.answers).hasSize(max);
    assertThat(reached(Limit.REQUESTS_PER_CONNECTION)).isEqualTo(1);

    // An answer makes room for another request.
    hesitant.answers.get(0).run();
    await(() -> client.received.size() == 2);
    connection.send(max + 2, new Maps.GetMap(0));
    await(() -> hesitant.answers.size() == max + 1);
  }

  @Test
  void requestsThatAreNeverAnsweredAreForgotten() {
    ClientAccount account = new ClientAccount(loop, 2);
    assertThat(account.takes(1)).isTrue();
    assertThat(account.takes(2)).isTrue();
    assertThat(account.takes(2)).as("announced again").isTrue();
    assertThat(account.takes(3)).isFalse();
    account.answered(1);
    assertThat(account.takes(3)).isTrue();
    long now = System.nanoTime();
    account.watch(now + 2 * ClientAccount.FORGET_NANOS);
    assertThat(account.takes(4)).isFalse();
    account.watch(now + 4 * ClientAccount.FORGET_NANOS);
    assertThat(account.takes(4)).isTrue();
  }

  @Test
  void aListenerBindsToTheAddressThatWasChecked() throws IOException {
    loop.bind("a-name-of-before.invalid", InetAddress.getLoopbackAddress());
    Address at = new Address.Inet("a-name-of-before.invalid", 0);
    Address.Inet advertised = (Address.Inet) loop.listen(at, hello -> WELCOME, server).address();
    assertThat(advertised.host()).isEqualTo("a-name-of-before.invalid");
    Recorder client = new Recorder();
    loop.connect(
        new Address.Inet("127.0.0.1", advertised.port()), hello(Handshake.Role.CLIENT), client);
    await(() -> client.opened.size() == 1);
  }

  @Test
  void sourcesOfConnections() throws IOException {
    assertThat(source("10.0.0.1")).isNotEqualTo(source("10.0.0.2"));
    assertThat(source("127.0.0.1")).isEqualTo(source("127.9.8.7")).isEqualTo(source("::1"));
    assertThat(source("2001:db8::1")).isEqualTo(source("2001:db8::ffff:2"));
    assertThat(source("2001:db8::1")).isNotEqualTo(source("2001:db8:0:1::1"));
    assertThat(Source.of(UnixDomainSocketAddress.of("/a"))).isEqualTo(Source.UNIX);
  }

  private static String source(String host) throws IOException {
    return Source.of(new InetSocketAddress(InetAddress.getByName(host), 1));
  }
}
