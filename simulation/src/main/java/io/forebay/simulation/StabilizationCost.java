// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation;

import io.forebay.base.Bytes;
import io.forebay.base.SeatId;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.WireTap;
import io.forebay.simulation.world.World;
import io.forebay.simulation.world.WorldOptions;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Address;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.Network;
import io.forebay.wire.codec.MessageCodec;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import io.forebay.wire.message.Replies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cost of watching neighbours for a seat, in a ring of any size. The measured seats, and all
 * that watch them, are real cores; the others exist only in the map, and answer probes that they
 * live.
 */
public final class StabilizationCost implements Handler, Network.Door, WireTap {
  /**
   * What one seat sends to others per second, requests and answers.
   *
   * @param bytes of the messages, without the overhead of frames and sockets
   */
  public record Cost(double messages, double bytes) {}

  private static final long SECOND = 1_000_000_000L;

  /** Adjacent real seats; only real seats watch the ones in the middle. */
  private static final int REAL = 8;

  private static final int MARGIN = 3;

  /** Large enough for the map of the largest ring to be one record. */
  private static final int SEGMENT_BYTES = 2 * 1024 * 1024;

  private static final long CLUSTER = 1;
  private static final long EPOCH = 1_000_001;
  private static final Loads.Load IDLE = new Loads.Load(Loads.Strain.NONE, 0);
  private static final long START_NANOS_MAX = 60 * SECOND;

  private final World world;
  private final int seats;
  private final int real;
  private final Map<String, Maps.Init> offers = new TreeMap<>();
  private final Map<Connection, Long> waiting = new LinkedHashMap<>();
  private Bytes map = Bytes.EMPTY;
  private long messages;
  private long bytes;

  private StabilizationCost(int seats, long seed) {
    this.seats = seats;
    this.real = Math.min(seats, REAL);
    StoreConfig store =
        StoreConfig.memory(SEGMENT_BYTES, (long) StoreConfig.SLOTS_MIN * SEGMENT_BYTES);
    this.world = new World(WorldOptions.CALM.withSeats(real, 1).withStore(store), seed);
  }

  /** Lets the seats of a ring of this size watch each other for a while. */
  public static Cost measure(int seats, long seed, long forNanos) throws IOException {
    return new StabilizationCost(seats, seed).measure(forNanos);
  }

  private Cost measure(long forNanos) throws IOException {
    world.network().at("manager").listen(World.MANAGER_ADDRESS, this, this);
    for (int i = real + 1; i <= seats; i++) {
      world.network().at(hostOf(i)).listen(addressOf(i), this, this);
    }
    for (SeatNode seat : world.seats()) seat.start();
    boolean formed = world.runUntil(() -> map.length() > 0, START_NANOS_MAX);
    if (!formed) throw new IllegalStateException("not all seats came");
    world.runFor(START_NANOS_MAX / 10);
    world.trace().tap(this);
    world.runFor(forNanos);
    double measured = (double) measured().size() * forNanos / SECOND;
    return new Cost(messages / measured, bytes / measured);
  }

  private List<String> measured() {
    List<String> hosts = new ArrayList<>();
    boolean all = seats == real;
    for (int i = 1; i <= real; i++) {
      if (all || (i > MARGIN && i <= real - MARGIN)) hosts.add(hostOf(i));
    }
    return hosts;
  }

  @Override
  public void sent(String from, String to, long request, Message message) {
    boolean watching =
        message instanceof Maps.Ping
            || message instanceof Maps.Pong
            || message instanceof Maps.AskAlive
            || message instanceof Maps.AliveIs
            || message instanceof Maps.Suspect;
    if (!watching || !measured().contains(from)) return;
    messages++;
    bytes += MessageCodec.lengthBytes(message);
  }

  private static String hostOf(int seat) {
    return "seat-" + seat;
  }

  private static Address addressOf(int seat) {
    return new Address.Inet(hostOf(seat), SeatNode.PORT);
  }

  // The manager, and seats that only answer.

  @Override
  public Handshake.Answer answer(Handshake.Hello hello) {
    return new Handshake.Welcome(Handshake.VERSION_MAX, CLUSTER, 1 << 20, 1 << 20);
  }

  @Override
  public void received(Connection connection, long request, Message message) {
    switch (message) {
      case Maps.Init init -> offered(connection, request, init);
      case Maps.Ping ping -> connection.send(request, new Maps.Pong(1, EPOCH, IDLE));
      case Maps.GetMap wanted -> connection.send(request, new Maps.MapIs(EPOCH, Bytes.EMPTY));
      default -> connection.send(request, new Replies.Done());
    }
  }

  private void offered(Connection connection, long request, Maps.Init init) {
    offers.put(init.host(), init);
    waiting.put(connection, request);
    if (offers.size() < real) return;
    map = RingMapCodec.write(new RingMap(CLUSTER, 1, EPOCH, entries(), List.of(), List.of()));
    waiting.forEach((each, asked) -> each.send(asked, new Maps.MapIs(EPOCH, map)));
    waiting.clear();
  }

  private List<SeatEntry> entries() {
    List<SeatEntry> entries = new ArrayList<>();
    for (int i = 1; i <= seats; i++) {
      Maps.Init known = offers.get(hostOf(i));
      Maps.SeatOffer offer = known == null ? null : known.seat();
      entries.add(
          new SeatEntry(
              new SeatId(i),
              hostOf(i),
              hostOf(i),
              offer == null ? i : offer.logHigh(),
              offer == null ? 0 : offer.logLow(),
              offer == null ? 1 : offer.incarnation(),
              offer == null ? 1 : offer.start(),
              List.of(addressOf(i).toString()),
              0,
              0,
              1,
              false));
    }
    return entries;
  }

  @Override
  public void opened(Connection connection) {}

  @Override
  public Landing arriving(Connection connection, long request, Message message, int payloadBytes) {
    return Landing.DISCARD;
  }

  @Override
  public void closed(Connection connection, String reason) {
    waiting.remove(connection);
  }
}
