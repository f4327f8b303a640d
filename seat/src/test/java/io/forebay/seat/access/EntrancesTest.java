// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Checksums;
import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.base.SeatId;
import io.forebay.base.Timers;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.FixedMap;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.LimitCounts;
import io.forebay.wire.memory.MemoryNetwork;
import io.forebay.wire.memory.MemoryOptions;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.proof.Trust;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Seats of the same machine, which show no certificates (P32). */
class EntrancesTest {
  private static final Address HERE = new Address.Unix("/run/s1");
  private static final int OWN_USER = 77;

  private long now;
  private final Timers timers = new Timers(() -> now);
  private final MemoryNetwork network =
      new MemoryNetwork(timers, new Random(1), new MemoryOptions(1, 1, 0, 0));
  private final List<Connection> accepted = new ArrayList<>();
  private final FixedMap map = new FixedMap();
  private final Entrances entrances =
      new Entrances(
          Trust.ofProofs(OWN_USER),
          map,
          new SeatKeys(() -> {}),
          () -> 1_000_000_000L,
          new LimitCounts());

  private static SeatEntry seat(int number) {
    List<String> addresses = List.of("unix:/run/s" + number);
    return new SeatEntry(
        new SeatId(number), "server-" + number, "here", 1, 1, 1, 1, addresses, 1, 1, 1, false);
  }

  private final class Door implements Handler {
    @Override
    public void opened(Connection connection) {
      accepted.add(connection);
      entrances.opened(connection);
    }

    @Override
    public void received(Connection connection, long request, Message message) {}

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {
      entrances.closed(connection);
    }
  }

  @BeforeEach
  void listen() throws IOException {
    // Two servers with a seat each.
    map.set(new RingMap(1, 1, 1, List.of(seat(1), seat(2)), List.of(), List.of()));
    network.at("here").listen(HERE, hello -> new Handshake.Welcome(1, 1, 0, 0), new Door());
  }

  /** The connection that a seat of this machine has dialled. */
  private Connection dialledBy(int seat) {
    return dialledBy(Handshake.Role.SEAT, seat);
  }

  private Connection dialledBy(Handshake.Role role, int sender) {
    int before = accepted.size();
    network
        .at("here")
        .connect(
            HERE,
            Handshake.Hello.of(role, Handshake.Lane.CONTROL, 1, "here", sender),
            new Handler() {
              @Override
              public void opened(Connection connection) {}

              @Override
              public void received(Connection connection, long request, Message message) {}

              @Override
              public Landing arriving(
                  Connection from, long request, Message message, int payloadBytes) {
                return Landing.DISCARD;
              }

              @Override
              public void closed(Connection connection, String reason) {}
            });
    while (accepted.size() == before) {
      now++;
      timers.runDue();
    }
    return accepted.get(before);
  }

  @Test
  void aRevokedServerIsOutOnUnixSocketsToo() {
    Connection first = dialledBy(1);
    Connection second = dialledBy(2);
    assertThat(entrances.isSeat(first)).isTrue();
    assertThat(entrances.isSeat(second)).isTrue();
    assertThat(entrances.refusal(second, new Loads.AskLoad())).isNull();

    entrances.revoked(List.of("server-2"));
    assertThat(first.isOpen()).isTrue();
    assertThat(second.isOpen()).isFalse();
    assertThat(entrances.isSeat(first)).isTrue();
    assertThat(entrances.refusal(first, new Loads.AskLoad())).isNull();
    assertThat(entrances.isSeat(second)).isFalse();
    // Not even what operators of the machine may ask.
    for (Message message : List.of(new Loads.AskLoad(), new Statuses.GetStatus())) {
      assertThat(entrances.refusal(second, message)).isNotNull();
    }
    assertThat(dialledBy(2).isOpen()).isFalse();

    // It has enrolled again.
    entrances.revoked(List.of());
    assertThat(entrances.isSeat(dialledBy(2))).isTrue();
  }

  /** Not even operators of the machine write anything that would be deleted at once (P37). */
  @Test
  void ofAnInstanceThatHasEndedClientsGetAndWriteNothing() {
    map.set(SmallRing.of(2).instance(1, true).instance(1, false).map());
    Connection client = dialledBy(Handshake.Role.CLIENT, 9);
    assertThat(entrances.refusal(client, put(1)))
        .isEqualTo(new Entrances.Refused(ErrorCode.UNKNOWN_INSTANCE, "instance 1 has ended"));
    assertThat(entrances.refusal(client, get(1))).isNotNull();
    assertThat(entrances.refusal(client, put(2))).isNull();
    assertThat(entrances.refusal(client, put(3))).as("may be newer than the map").isNull();
  }

  private static Data.Put put(int instance) {
    return new Data.Put(
        SmallRing.id(1, 1),
        1,
        new RecordId(1, 1),
        new FileId(instance, 1),
        0,
        false,
        0,
        Checksums.of(new int[1]));
  }

  private static Data.Get get(int instance) {
    return new Data.Get(SmallRing.id(1, 1), new RecordId(1, 1), instance, 0, 1, 0);
  }
}
