// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.recovery;

import io.forebay.base.MonotonicClock;
import io.forebay.base.fields.MalformedFields;
import io.forebay.client.host.HostName;
import io.forebay.client.host.LocalIdentity;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.recovery.SeatAnswer;
import io.forebay.server.peer.KernelPeerUsers;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import io.forebay.wire.message.Statuses;
import io.forebay.wire.proof.Principal;
import io.forebay.wire.proof.Trust;
import io.forebay.wire.tcp.TcpLoop;
import io.forebay.wire.tls.TlsFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks running seats which map they follow, all at the same time. One thread. */
final class SeatQuestions implements AutoCloseable {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long STATUS = 1;
  private static final long MAP = 2;

  /** What a seat said: an answer, or why there is none. */
  record Said(@Nullable SeatAnswer answer, String problem) {
    static Said nothing(String problem) {
      return new Said(null, problem);
    }
  }

  private final MonotonicClock clock = MonotonicClock.system();
  private final Trust trust;
  private final TcpLoop loop;

  /**
   * Asks nothing yet.
   *
   * @param tls the operator's certificate; null for none
   * @param insecure whether servers without certificates on other machines are believed
   */
  SeatQuestions(@Nullable TlsFiles tls, boolean insecure) throws IOException {
    int user = LocalIdentity.current().user();
    this.trust = insecure ? Trust.OPEN : Trust.ofProofs(user);
    this.loop = new TcpLoop(clock, tls);
    loop.tellPeersBy(KernelPeerUsers.of(user));
    loop.believe(trust);
  }

  /** What the seats at these addresses say, in their order. */
  Map<Address, Said> ask(Collection<Address> addresses) {
    List<Ear> ears = new ArrayList<>();
    for (Address each : addresses) ears.add(new Ear(each));
    for (Ear each : ears) each.dial();
    long start = clock.nanos();
    while (ears.stream().anyMatch(each -> each.said == null)) {
      loop.poll(POLL_NANOS);
      if (clock.nanos() - start > TIMEOUT_NANOS) break;
    }
    Map<Address, Said> all = new LinkedHashMap<>();
    for (Ear each : ears) {
      Said said = each.said;
      all.put(each.address, said == null ? Said.nothing("it does not answer") : said);
    }
    return all;
  }

  @Override
  public void close() {
    loop.close();
  }

  /** One connection. */
  private final class Ear implements Handler {
    private final Address address;
    private Statuses.@Nullable SeatStatus status;
    private @Nullable Said said;

    Ear(Address address) {
      this.address = address;
    }

    void dial() {
      loop.connect(
          address,
          Handshake.Hello.of(
              Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, HostName.identity(), 0),
          this);
    }

    @Override
    public void opened(Connection made) {
      made.send(STATUS, new Statuses.GetStatus());
      made.send(MAP, new Maps.GetMap(0));
    }

    @Override
    public void received(Connection from, long request, Message message) {
      if (message instanceof Replies.Failed failed) {
        end(from, Said.nothing(failed.detail()));
      } else if (request == STATUS && message instanceof Statuses.SeatStatus is) {
        status = is;
      } else if (request == MAP && message instanceof Maps.MapIs is) {
        end(from, told(from, is));
      } else if (request != 0) {
        end(from, Said.nothing("it is no server"));
      }
    }

    private Said told(Connection from, Maps.MapIs is) {
      Statuses.SeatStatus known = status;
      if (known == null) return Said.nothing("it is no server");
      if (is.map().length() == 0) return Said.nothing("it remembers no map");
      try {
        RingMap map = RingMapCodec.read(is.map());
        SeatEntry seat = map.seat(known.seat());
        if (!isServer(from, seat)) {
          return Said.nothing("it has not proved to be the server of the ring that it says it is");
        }
        return new Said(new SeatAnswer(address.toString(), known.seat(), map), "");
      } catch (MalformedFields e) {
        return Said.nothing("its map cannot be read: " + e.getMessage());
      }
    }

    /** Only a server may say what the newest map is (P32). */
    private boolean isServer(Connection from, @Nullable SeatEntry seat) {
      Principal principal = trust.principalOf(from.peer());
      if (principal instanceof Principal.Operator) return true;
      return principal instanceof Principal.Server server
          && (seat == null || server.name().equals(seat.server()));
    }

    private void end(Connection from, Said what) {
      if (said == null) said = what;
      from.close("all is asked");
    }

    @Override
    public Landing arriving(Connection from, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection ended, String reason) {
      if (said == null) said = Said.nothing(reason);
    }
  }
}
