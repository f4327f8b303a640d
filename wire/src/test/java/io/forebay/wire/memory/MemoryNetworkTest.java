// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Checksums;
import io.forebay.base.Timers;
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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What only simulations do. */
class MemoryNetworkTest {
  private static final Handshake.Hello HELLO =
      Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 7, "a", 11);
  private static final Handshake.Welcome WELCOME = new Handshake.Welcome(1, 7, 0, 0);
  private static final Address AT_B = new Address.Inet("b", 100);
  private static final MemoryOptions DELAYED = new MemoryOptions(10, 1000, 0, 0);

  private long now = 5;
  private final Timers timers = new Timers(() -> now);
  private final Recorder client = new Recorder();
  private final Recorder server = new Recorder();
  private final List<String> trace = new ArrayList<>();
  private MemoryNetwork hub;
  private int releases;

  private void begin(MemoryOptions options, long seed) {
    hub =
        new MemoryNetwork(
            timers,
            new SplittableRandom(seed),
            options,
            (nanos, event, from, to, what, request) ->
                trace.add(nanos + " " + event + " " + from + ">" + to + " " + what + request));
  }

  private void run(long nanos) {
    long end = now + nanos;
    while (timers.nextNanos() <= end - now) {
      now += timers.nextNanos();
      timers.runDue();
    }
    now = end;
  }

  private Connection connect() throws IOException {
    hub.at("b").listen(AT_B, hello -> WELCOME, server);
    Connection dialled = hub.at("a").connect(AT_B, HELLO, client);
    run(100_000);
    assertThat(dialled.isOpen()).isTrue();
    return dialled;
  }

  private Payload counted(int length) {
    return new Payload() {
      @Override
      public ByteBuffer bytes() {
        return ByteBuffer.allocate(length);
      }

      @Override
      public void release() {
        releases++;
      }
    };
  }

  private static Data.Got got() {
    return new Data.Got(Checksums.NONE);
  }

  private List<String> busyRun(long seed) throws IOException {
    MemoryNetworkTest test = new MemoryNetworkTest();
    test.begin(new MemoryOptions(10, 1000, 0.2, 0.2), seed);
    Connection dialled = test.connect();
    for (int i = 0; i < 100; i++) {
      dialled.send(i, new Maps.GetMap(i));
      dialled.send(i, got(), test.counted(i));
      test.run(50);
    }
    test.hub.kill("b");
    test.run(1_000_000);
    assertThat(test.client.closed).hasSize(1);
    assertThat(test.releases).isEqualTo(100);
    return test.trace;
  }

  @Test
  void oneSeedGivesOneRun() throws IOException {
    assertThat(busyRun(7)).isEqualTo(busyRun(7));
    assertThat(busyRun(7)).isNotEqualTo(busyRun(8));
  }

  @Test
  void messagesCanComeTwiceAndInAnotherOrder() throws IOException {
    begin(new MemoryOptions(10, 1000, 0.2, 0.2), 3);
    Connection dialled = connect();
    for (int i = 0; i < 200; i++) dialled.send(i, got(), counted(100));
    run(100_000_000);
    List<Long> order = server.received.stream().map(Recorder.Received::request).toList();
    assertThat(order).hasSizeGreaterThan(200);
    assertThat(order.stream().distinct()).hasSize(200);
    assertThat(order).isNotEqualTo(order.stream().sorted().toList());
    assertThat(releases).isEqualTo(200);
  }

  @Test
  void withoutDelayNothingHappensAtOnceEither() throws IOException {
    begin(MemoryOptions.PERFECT, 1);
    hub.at("b").listen(AT_B, hello -> WELCOME, server);
    Connection dialled = hub.at("a").connect(AT_B, HELLO, client);
    assertThat(server.opened).isEmpty();
    run(0);
    dialled.send(1, new Replies.Done());
    assertThat(server.received).isEmpty();
    run(0);
    assertThat(server.received).hasSize(1);
  }

  @Test
  void aKilledHostHearsNothingAndItsPeersHearLater() throws IOException {
    begin(DELAYED, 1);
    Connection dialled = connect();
    server.connection().send(1, got(), counted(1000));
    dialled.send(1, got(), counted(1000));
    hub.kill("b");
    assertThat(client.closed).isEmpty();
    run(100_000);
    assertThat(client.closed).hasSize(1);
    assertThat(client.received).isEmpty();
    assertThat(server.received).isEmpty();
    assertThat(server.closed).isEmpty();
    assertThat(releases).as("the living one's payload").isEqualTo(1);

    // Its listener went with it, and the old core's calls lead nowhere.
    server.connection().send(2, new Replies.Done());
    server.connection().close("who is there?");
    hub.at("a").connect(AT_B, HELLO, client);
    run(100_000);
    assertThat(client.closed).hasSize(2);
    assertThat(client.closed.get(1)).contains("refused");
    assertThat(server.closed).isEmpty();

    Recorder again = new Recorder();
    hub.at("b").listen(AT_B, hello -> WELCOME, again);
    hub.at("a").connect(AT_B, HELLO, client);
    run(100_000);
    assertThat(again.opened).hasSize(1);
  }

  @Test
  void aPayloadThatWasLandingOnAKilledHostIsToldToNobody() throws IOException {
    begin(DELAYED, 1);
    Connection dialled = connect();
    server.onArriving = () -> hub.kill("b");
    dialled.send(1, got(), counted(1000));
    run(100_000);
    assertThat(server.asked).isEqualTo(1);
    assertThat(server.received).isEmpty();
    assertThat(server.aborted).isZero();
    assertThat(client.closed).hasSize(1);
  }

  @Test
  void aPartitionLosesSilentlyAndHealingEndsWhatLostSomething() throws IOException {
    begin(DELAYED, 1);
    Connection lossy = connect();
    Connection idle = hub.at("a").connect(AT_B, HELLO, new Recorder());
    run(100_000);
    hub.partition("a", "b", false);
    lossy.send(1, new Replies.Done());
    lossy.send(2, got(), counted(10));
    run(1_000_000);
    assertThat(server.received).isEmpty();
    assertThat(client.closed).isEmpty();
    hub.heal("a", "b");
    lossy.send(3, new Replies.Done());
    run(100_000);
    assertThat(server.received).isEmpty();
    assertThat(client.closed).hasSize(1);
    assertThat(server.closed).hasSize(1);
    assertThat(releases).isEqualTo(1);
    idle.send(4, new Replies.Done());
    run(100_000);
    assertThat(server.received).hasSize(1);
  }

  @Test
  void aOneWayPartitionLetsTheOtherWayThrough() throws IOException {
    begin(DELAYED, 1);
    Connection dialled = connect();
    hub.partition("a", "b", true);
    dialled.send(1, new Replies.Done());
    server.connection().send(2, new Replies.Done());
    run(100_000);
    assertThat(server.received).isEmpty();
    assertThat(client.received).hasSize(1);
    // A close is lost too.
    dialled.close("tired");
    run(100_000);
    assertThat(client.closed).containsExactly("tired");
    assertThat(server.closed).isEmpty();
    hub.healAll();
    run(100_000);
    assertThat(server.closed).hasSize(1);
  }

  @Test
  void dialingAcrossAPartitionTimesOut() throws IOException {
    begin(DELAYED, 1);
    hub.at("b").listen(AT_B, hello -> WELCOME, server);
    hub.partition("b", "a", true);
    hub.at("a").connect(AT_B, HELLO, client);
    run(WireLimits.STALLED_NANOS_MAX - 1);
    assertThat(client.closed).isEmpty();
    run(1_000_000);
    assertThat(client.closed).hasSize(1);
    assertThat(client.closed.get(0)).contains("timed out");
  }

  @Test
  void aLandingThatIsCutOffIsAbortedOnHealing() throws IOException {
    begin(DELAYED, 1);
    Connection dialled = connect();
    server.onArriving = () -> hub.partition("a", "b", false);
    dialled.send(1, got(), counted(1000));
    run(1_000_000);
    assertThat(server.isLanding()).isTrue();
    assertThat(server.received).isEmpty();
    hub.healAll();
    run(100_000);
    assertThat(server.aborted).isEqualTo(1);
    assertThat(releases).isEqualTo(1);
  }

  @Test
  void aLandingThatIsCutOffIsAbortedInTheEnd() throws IOException {
    begin(DELAYED, 1);
    Connection dialled = connect();
    server.onArriving = () -> hub.partition("a", "b", false);
    dialled.send(1, got(), counted(1000));
    run(WireLimits.STALLED_NANOS_MAX - 1);
    assertThat(server.aborted).isZero();
    run(1_000_000);
    assertThat(server.aborted).isEqualTo(1);
    assertThat(server.closed.get(0)).contains("in the middle of a message");
  }

  @Test
  void unixSocketsAreSeenOnTheirOwnHostOnly() throws IOException {
    begin(DELAYED, 1);
    Address.Unix socket = new Address.Unix("/run/seat");
    Network.Listener listener = hub.at("b").listen(socket, hello -> WELCOME, server);
    assertThat(listener.address()).isEqualTo(socket);
    hub.at("a").connect(socket, HELLO, client);
    Connection local = hub.at("b").connect(socket, HELLO, new Recorder());
    run(100_000);
    assertThat(client.closed).hasSize(1);
    assertThat(local.isOpen()).isTrue();
  }
}
