// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.base.Bytes;
import io.forebay.base.Checksums;
import io.forebay.wire.Recorder.Received;
import io.forebay.wire.Recorder.Taking;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Handshake.Role;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every network keeps, whatever it is made of. */
public abstract class NetworkContract {
  /** Two loops that can reach each other, both run by the test's thread. */
  public interface World extends AutoCloseable {
    Network dialling();

    Network listening();

    /** Where to listen. */
    Address place();

    /** Lets both loops do what there is to do. */
    void step();

    @Override
    void close();
  }

  private static final int STEPS_MAX = 2_000_000;
  private static final int MIB = 1024 * 1024;
  private static final Handshake.Hello HELLO =
      Handshake.Hello.of(Role.CLIENT, Lane.INGEST, 7, "here", 11);
  private static final Handshake.Welcome WELCOME = new Handshake.Welcome(1, 7, 123, 456);

  private World world;
  private final Recorder client = new Recorder();
  private final Recorder server = new Recorder();
  private int releases;

  protected abstract World newWorld() throws IOException;

  @BeforeEach
  void begin() throws IOException {
    world = newWorld();
  }

  @AfterEach
  void end() {
    world.close();
  }

  private void await(BooleanSupplier condition) {
    for (int i = 0; i < STEPS_MAX; i++) {
      if (condition.getAsBoolean()) return;
      world.step();
    }
    throw new AssertionError("does not happen; " + client.closed + server.closed);
  }

  /** Enough steps for anything that is under way to be seen. */
  private void settle() {
    for (int i = 0; i < 200; i++) world.step();
  }

  private Network.Listener listen() throws IOException {
    return world.listening().listen(world.place(), hello -> WELCOME, server);
  }

  private Connection connect() throws IOException {
    Connection connection = world.dialling().connect(listen().address(), HELLO, client);
    await(() -> !client.opened.isEmpty() && !server.opened.isEmpty());
    return connection;
  }

  @Test
  void aPeerIsLeftWhenItsCertificateIsRefused() throws IOException {
    Connection connection = connect();
    String serial = connection.peer().certificate().serial();
    // Networks without certificates have nothing to refuse.
    if (serial.isEmpty()) return;
    world.dialling().refuseCertificates(List.of(Long.parseUnsignedLong(serial, 16)));
    await(() -> !client.closed.isEmpty() && !server.closed.isEmpty());
    assertThat(client.closed.get(0)).contains("is revoked");
    world.dialling().connect(listen().address(), HELLO, client);
    await(() -> client.closed.size() == 2);
    assertThat(client.closed.get(1)).contains("is revoked");
  }

  private Payload counted(ByteBuffer bytes) {
    return new Payload() {
      private boolean released;

      @Override
      public ByteBuffer bytes() {
        return bytes;
      }

      @Override
      public void release() {
        assertThat(released).as("released before").isFalse();
        released = true;
        releases++;
      }
    };
  }

  private static ByteBuffer random(int length, boolean direct) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return direct
        ? ByteBuffer.allocateDirect(length).put(content).flip()
        : ByteBuffer.wrap(content);
  }

  private static Data.Got got(int number) {
    return new Data.Got(Checksums.of(new int[] {number}));
  }

  @Test
  void bothEndsKnowWhatWasSaid() throws IOException {
    Connection dialled = connect();
    assertThat(client.connection()).isSameAs(dialled);
    Connection accepted = server.connection();
    for (Connection end : List.of(dialled, accepted)) {
      assertThat(end.isOpen()).isTrue();
      assertThat(end.hello()).isEqualTo(HELLO);
      assertThat(end.welcome()).isEqualTo(WELCOME);
      assertThat(end.remote()).isNotBlank();
    }
  }

  @Test
  void nothingIsCalledFromWithinACall() throws IOException {
    Network.Listener listener = listen();
    Connection dialled = world.dialling().connect(listener.address(), HELLO, client);
    assertThat(client.opened).isEmpty();
    assertThatThrownBy(() -> dialled.send(1, new Replies.Done()))
        .isInstanceOf(IllegalStateException.class);
    await(() -> !server.opened.isEmpty() && dialled.isOpen());
    dialled.send(1, got(1), counted(random(0, true)));
    dialled.close("enough");
    assertThat(dialled.isOpen()).isFalse();
    assertThat(client.closed).isEmpty();
    assertThat(releases).isZero();
    await(() -> !client.closed.isEmpty() && !server.closed.isEmpty());
    assertThat(client.closed).containsExactly("enough");
    assertThat(server.closed).hasSize(1);
    assertThat(releases).isEqualTo(1);
  }

  @Test
  void smallMessagesArriveInOrderEachOnce() throws IOException {
    Connection dialled = connect();
    int count = 20_000;
    for (int i = 0; i < count; i++) dialled.send(i, new Maps.GetMap(i));
    await(() -> server.received.size() == count);
    for (int i = 0; i < count; i++) {
      assertThat(server.received.get(i)).isEqualTo(new Received(i, new Maps.GetMap(i), null));
    }
    assertThat(dialled.queuedBytes()).isZero();
    settle();
    assertThat(server.received).hasSize(count);
  }

  @Test
  void messagesGoBothWays() throws IOException {
    Connection dialled = connect();
    server.connection().send(1, new Replies.Failed(ErrorCode.BUSY, "wait"));
    dialled.send(2, new Replies.Done());
    await(() -> client.received.size() == 1 && server.received.size() == 1);
    assertThat(client.received.get(0).message())
        .isEqualTo(new Replies.Failed(ErrorCode.BUSY, "wait"));
  }

  @Test
  void payloadsOfAllLengthsArriveInPlaceBetweenMessages() throws IOException {
    Connection dialled = connect();
    int[] lengths = {0, 1, 4096, 16 * 1024, 65_535, 65_536, 65_537, MIB - 1, 3 * MIB + 17, 0, 5};
    List<Received> sent = new ArrayList<>();
    int number = 0;
    for (int length : lengths) {
      for (boolean direct : new boolean[] {true, false}) {
        ByteBuffer payload = random(length, direct);
        dialled.send(number, got(number), counted(payload));
        sent.add(new Received(number, got(number), payload));
        number++;
        dialled.send(number, new Maps.GetMap(number));
        sent.add(new Received(number, new Maps.GetMap(number), null));
        number++;
      }
    }
    await(() -> server.received.size() == sent.size() && releases == 2 * lengths.length);
    assertThat(server.received).isEqualTo(sent);
    assertThat(dialled.queuedBytes()).isZero();
  }

  @Test
  void aLongPayloadArrives() throws IOException {
    Connection dialled = connect();
    ByteBuffer payload = random(40 * MIB, true);
    dialled.send(1, got(1), counted(payload));
    assertThat(dialled.queuedBytes()).isGreaterThanOrEqualTo(payload.remaining());
    dialled.send(2, new Replies.Done());
    await(() -> server.received.size() == 2);
    assertThat(server.received.get(0).payload()).isEqualTo(payload);
    assertThat(server.received.get(1).request()).isEqualTo(2);
    await(() -> releases == 1);
  }

  @Test
  void aLongMessageArrives() throws IOException {
    Connection dialled = connect();
    byte[] map = new byte[WireLimits.BODY_BYTES_MAX - 100];
    new Random(1).nextBytes(map);
    for (int i = 0; i < 3; i++) {
      dialled.send(i, new Maps.MapIs(i, Bytes.copyOf(map)));
      dialled.send(i, got(i), counted(random(100_000, true)));
    }
    await(() -> server.received.size() == 6);
    assertThat(server.received.get(4).message()).isEqualTo(new Maps.MapIs(2, Bytes.copyOf(map)));
  }

  @Test
  void whatIsTooLongIsNotSent() throws IOException {
    Connection dialled = connect();
    Bytes map = Bytes.copyOf(new byte[WireLimits.BODY_BYTES_MAX]);
    assertThatThrownBy(() -> dialled.send(1, new Maps.MapIs(1, map)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("MapIs");
    dialled.send(2, new Replies.Done());
    await(() -> server.received.size() == 1);
  }

  @Test
  void aHeldPayloadHoldsEverythingBehindIt() throws IOException {
    Connection dialled = connect();
    server.taking = Taking.HOLD;
    dialled.send(1, got(1), counted(random(100_000, true)));
    dialled.send(2, new Replies.Done());
    await(() -> server.asked == 1);
    settle();
    assertThat(server.asked).isEqualTo(1);
    server.connection().resume();
    assertThat(server.asked).as("asked from within the call").isEqualTo(1);
    await(() -> server.asked == 2);
    settle();
    assertThat(server.received).isEmpty();
    // The other direction goes on.
    server.connection().send(3, new Replies.Done());
    await(() -> client.received.size() == 1);
    server.taking = Taking.INTO_PLACE;
    server.connection().resume();
    await(() -> server.received.size() == 2);
    assertThat(server.asked).isEqualTo(3);
    assertThat(server.received.get(0).payload()).isEqualTo(random(100_000, true));
    server.connection().resume();
    settle();
    assertThat(server.asked).isEqualTo(3);
  }

  @Test
  void aDiscardedPayloadIsReadAndDropped() throws IOException {
    Connection dialled = connect();
    server.taking = Taking.DISCARD;
    for (int length : new int[] {0, 10, 5 * MIB}) {
      dialled.send(1, got(1), counted(random(length, true)));
    }
    dialled.send(2, new Replies.Done());
    await(() -> server.received.size() == 1 && releases == 3);
    assertThat(server.asked).isEqualTo(3);
    assertThat(server.received.get(0).request()).isEqualTo(2);
  }

  @Test
  void aStoppedEndTakesNothingIn() throws IOException {
    Connection dialled = connect();
    server.connection().stop();
    for (int i = 0; i < 10; i++) dialled.send(i, new Maps.GetMap(i));
    dialled.send(10, got(1), counted(random(10, true)));
    settle();
    assertThat(server.received).isEmpty();
    assertThat(server.asked).isZero();
    server.connection().start();
    await(() -> server.received.size() == 11);
    server.connection().start();
    server.connection().stop();
    server.connection().stop();
    server.connection().start();
    dialled.send(11, new Replies.Done());
    await(() -> server.received.size() == 12);
  }

  @Test
  void aLandingPayloadIsCompletedAlthoughStopped() throws IOException {
    Connection dialled = connect();
    server.onArriving = () -> server.connection().stop();
    dialled.send(1, got(1), counted(ByteBuffer.allocateDirect(8 * MIB)));
    dialled.send(2, new Replies.Done());
    await(() -> server.received.size() == 1);
    settle();
    assertThat(server.received).hasSize(1);
    server.connection().start();
    await(() -> server.received.size() == 2);
  }

  @Test
  void whatIsHeldWaitsForStartToo() throws IOException {
    Connection dialled = connect();
    server.taking = Taking.HOLD;
    dialled.send(1, got(1), counted(random(10, true)));
    await(() -> server.asked == 1);
    server.connection().stop();
    server.taking = Taking.INTO_PLACE;
    server.connection().resume();
    settle();
    assertThat(server.asked).isEqualTo(1);
    server.connection().start();
    await(() -> server.received.size() == 1);
  }

  @Test
  void aPayloadThatStopsInTheMiddleIsAborted() throws IOException {
    Connection dialled = connect();
    server.onArriving = () -> dialled.close("gone");
    ByteBuffer payload = ByteBuffer.allocateDirect(64 * MIB);
    for (int i = 0; i < 3; i++) dialled.send(i, got(i), counted(payload));
    await(() -> !server.closed.isEmpty() && !client.closed.isEmpty());
    assertThat(server.aborted).isEqualTo(1);
    assertThat(server.received).isEmpty();
    assertThat(client.closed).containsExactly("gone");
    assertThat(releases).isEqualTo(3);
  }

  @Test
  void whoClosesWhileAPayloadLandsIsToldThatItIsAborted() throws IOException {
    Connection dialled = connect();
    server.onArriving = () -> server.connection().close("unwanted");
    ByteBuffer payload = ByteBuffer.allocateDirect(64 * MIB);
    for (int i = 0; i < 3; i++) dialled.send(i, got(i), counted(payload));
    await(() -> !server.closed.isEmpty() && !client.closed.isEmpty());
    assertThat(server.aborted).isEqualTo(1);
    assertThat(server.asked).isEqualTo(1);
    assertThat(server.closed).containsExactly("unwanted");
    assertThat(releases).isEqualTo(3);
  }

  @Test
  void aClosedConnectionSwallowsWhatIsSent() throws IOException {
    Connection dialled = connect();
    server.connection().close("bye");
    await(() -> !client.closed.isEmpty() && !server.closed.isEmpty());
    dialled.send(1, new Replies.Done());
    dialled.send(2, got(1), counted(random(10, true)));
    assertThat(releases).isZero();
    await(() -> releases == 1);
    dialled.close("again");
    dialled.stop();
    dialled.start();
    dialled.resume();
    settle();
    assertThat(client.closed).hasSize(1);
    assertThat(server.closed).containsExactly("bye");
    assertThat(server.received).isEmpty();
  }

  @Test
  void whatWasSentBeforeACloseMayArriveAndNothingElse() throws IOException {
    Connection dialled = connect();
    for (int i = 0; i < 100; i++) dialled.send(i, new Maps.GetMap(i));
    dialled.close("done");
    dialled.send(100, new Maps.GetMap(100));
    await(() -> !server.closed.isEmpty());
    for (int i = 0; i < server.received.size(); i++) {
      assertThat(server.received.get(i).request()).isEqualTo(i);
    }
    assertThat(server.received).hasSizeLessThanOrEqualTo(100);
  }

  @Test
  void nobodyListens() throws IOException {
    Network.Listener listener = listen();
    listener.close();
    listener.close();
    Connection dialled = world.dialling().connect(listener.address(), HELLO, client);
    await(() -> !client.closed.isEmpty());
    assertThat(client.opened).isEmpty();
    assertThat(dialled.isOpen()).isFalse();
    assertThat(client.closed.get(0)).contains("cannot connect", listener.address().toString());
    assertThat(client.unreachable).isEqualTo(1);
  }

  @Test
  void anEstablishedConnectionOutlivesItsListener() throws IOException {
    Network.Listener listener = listen();
    Connection dialled = world.dialling().connect(listener.address(), HELLO, client);
    await(() -> !client.opened.isEmpty() && !server.opened.isEmpty());
    listener.close();
    dialled.send(1, new Replies.Done());
    await(() -> server.received.size() == 1);
  }

  @Test
  void twoCannotListenAtOnePlace() throws IOException {
    Network.Listener listener = listen();
    assertThatThrownBy(() -> world.listening().listen(listener.address(), hello -> WELCOME, server))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(listener.address().toString());
  }

  @Test
  void whoMayNotComeInIsToldWhy() throws IOException {
    Network.Listener listener =
        world
            .listening()
            .listen(
                world.place(),
                hello -> new Handshake.Refusal(ErrorCode.WRONG_CLUSTER, "this is cluster 8"),
                server);
    world.dialling().connect(listener.address(), HELLO, client);
    await(() -> !client.closed.isEmpty());
    assertThat(client.closed.get(0)).contains("WRONG_CLUSTER", "this is cluster 8");
    settle();
    assertThat(client.opened).isEmpty();
    assertThat(server.opened).isEmpty();
    assertThat(server.closed).isEmpty();
  }

  @Test
  void whoMayNotComeInYetMayTryAgain() throws IOException {
    Handshake.Refusal later = new Handshake.Refusal(ErrorCode.UNAVAILABLE, "try again");
    Network.Listener listener = world.listening().listen(world.place(), hello -> later, server);
    world.dialling().connect(listener.address(), HELLO, client);
    await(() -> !client.closed.isEmpty());
    assertThat(client.unreachable).isZero();
  }

  @Test
  void versionsThatDoNotMeetAreRefusedByName() throws IOException {
    Network.Listener listener = listen();
    Handshake.Hello newer =
        new Handshake.Hello(3, 4, Role.CLIENT, Lane.CONTROL, 7, "here", 11, Bytes.EMPTY);
    world.dialling().connect(listener.address(), newer, client);
    await(() -> !client.closed.isEmpty());
    assertThat(client.closed.get(0)).contains("WRONG_VERSION", "3 to 4", "1 to 1");
    assertThat(client.unreachable).isEqualTo(1);
    assertThat(server.opened).isEmpty();
  }

  @Test
  void theHighestCommonVersionIsSpoken() throws IOException {
    Network.Listener listener = listen();
    Handshake.Hello newer =
        new Handshake.Hello(0, 9, Role.CLIENT, Lane.CONTROL, 7, "here", 11, Bytes.EMPTY);
    Connection dialled = world.dialling().connect(listener.address(), newer, client);
    await(dialled::isOpen);
    assertThat(dialled.welcome().version()).isEqualTo(Handshake.VERSION_MAX);
  }

  @Test
  void whoDoesNotTakeWhatItIsSentIsGivenUp() throws IOException {
    Connection dialled = connect();
    server.taking = Taking.HOLD;
    ByteBuffer payload = ByteBuffer.allocateDirect(16 * MIB);
    int sent = 0;
    // What sockets hold themselves is not counted.
    while (dialled.isOpen() && sent < 100) {
      dialled.send(sent++, got(1), counted(payload));
      world.step();
    }
    assertThat(dialled.isOpen()).isFalse();
    int all = sent;
    await(() -> !client.closed.isEmpty() && releases == all);
    assertThat(client.closed.get(0)).contains("does not take");
  }

  @Test
  void manyConnectionsAtOnce() throws IOException {
    Network.Listener listener = listen();
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(world.dialling().connect(listener.address(), HELLO, client));
    }
    await(() -> client.opened.size() == 50 && server.opened.size() == 50);
    for (Connection each : all) each.send(1, new Replies.Done());
    await(() -> server.received.size() == 50);
    for (Connection each : all) each.close("done");
    await(() -> client.closed.size() == 50 && server.closed.size() == 50);
  }
}
