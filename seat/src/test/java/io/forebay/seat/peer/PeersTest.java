// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.part.RepeatedWarnings;
import io.forebay.seat.part.SeatEvents;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.memory.MemoryNetwork;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Handshake.Lane;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeersTest {
  private static final SeatId SELF = new SeatId(1);
  private static final SeatId OTHER = new SeatId(2);
  private static final long SECOND = 1_000_000_000L;

  private long now;
  private final Timers timers = new Timers(() -> now);
  private final MemoryNetwork network =
      new MemoryNetwork(timers, new Random(1), new MemoryOptions(1, 1, 0, 0));
  private final List<String> warned = new ArrayList<>();
  private final Set<String> revoked = new HashSet<>();
  private final SeatEvents events =
      new SeatEvents() {
        @Override
        public void told(String sentence) {}

        @Override
        public void warned(String sentence) {
          warned.add(sentence);
        }
      };

  private static SeatEntry seat(SeatId id, String host, String... addresses) {
    return new SeatEntry(
        id, "server-" + id.number(), host, 1, 1, 1, 1, List.of(addresses), 1, 1, 1, false);
  }

  @Test
  void theUnixSocketIsForTheSameHost() {
    SeatEntry both = seat(OTHER, "there", "unix:/run/s2", "10.0.0.2:7000");
    assertThat(Peers.addressOf(both, "there")).isEqualTo(new Address.Unix("/run/s2"));
    assertThat(Peers.addressOf(both, "here")).isEqualTo(new Address.Inet("10.0.0.2", 7000));
  }

  @Test
  void aSeatThatOtherHostsCannotReachIsNamedAndHarmsNobody() {
    Peers peers = peers();
    List<SeatEntry> seats =
        List.of(seat(SELF, "here", "10.0.0.1:7000"), seat(OTHER, "there", "unix:/run/s2"));
    peers.follow(SELF, new RingMap(1, 1, 1, seats, List.of(), List.of()));
    for (int i = 0; i < 100; i++) {
      assertThat(peers.send(OTHER, Lane.CONTROL, 1, new Replies.Done())).isFalse();
    }
    assertThat(warned).hasSize(1);
    assertThat(warned.get(0)).contains("seat 2 on server server-2", "unix:/run/s2", "--listen");
  }

  private void pass(long nanos) {
    for (long until = now + nanos; now < until; now += 1_000_000) timers.runDue();
  }

  /** Unix sockets carry no certificates. */
  @Test
  void nothingIsSentToTheUnixSocketOfARevokedServer() throws IOException {
    List<String> heard = new ArrayList<>();
    Address at = new Address.Unix("/run/s2");
    network.at("here").listen(at, hello -> new Handshake.Welcome(1, 1, 0, 0), new Listening(heard));
    Peers peers = peers();
    List<SeatEntry> seats =
        List.of(seat(SELF, "here", "10.0.0.1:7000"), seat(OTHER, "here", "unix:/run/s2"));
    peers.follow(SELF, new RingMap(1, 1, 1, seats, List.of(), List.of()));
    assertThat(peers.send(OTHER, Lane.CONTROL, 1, new Replies.Done())).isFalse();
    pass(SECOND);
    assertThat(peers.send(OTHER, Lane.CONTROL, 1, new Replies.Done())).isTrue();
    pass(SECOND);
    assertThat(heard).containsExactly("opened", "Done");

    revoked.add("server-2");
    peers.dropRevoked();
    pass(SECOND);
    assertThat(heard).containsExactly("opened", "Done", "closed");
    assertThat(peers.send(OTHER, Lane.CONTROL, 1, new Replies.Done())).isFalse();
    pass(60 * SECOND);
    assertThat(heard).hasSize(3);

    // It has enrolled again.
    revoked.clear();
    assertThat(peers.reachable(OTHER, Lane.CONTROL)).isFalse();
    pass(SECOND);
    assertThat(peers.send(OTHER, Lane.CONTROL, 1, new Replies.Done())).isTrue();
  }

  private record Listening(List<String> heard) implements Handler {
    @Override
    public void opened(Connection connection) {
      heard.add("opened");
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      heard.add(message.getClass().getSimpleName());
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {
      heard.add("closed");
    }
  }

  private Peers peers() {
    return new Peers(
        timers,
        network.at("here"),
        "here",
        new RepeatedWarnings(timers, events),
        new Peers.Listener() {
          @Override
          public boolean isRevoked(SeatEntry peer) {
            return revoked.contains(peer.server());
          }

          @Override
          public boolean isPeer(SeatEntry peer, Connection connection) {
            return true;
          }

          @Override
          public void peerUp(SeatId peer, Lane lane) {}

          @Override
          public void peerDown(SeatId peer, Lane lane) {}

          @Override
          public void answered(SeatId peer, Connection from, long request, Message message) {}

          @Override
          public Landing arriving(long request, Message message, int payloadBytes) {
            return Landing.DISCARD;
          }
        });
  }
}
