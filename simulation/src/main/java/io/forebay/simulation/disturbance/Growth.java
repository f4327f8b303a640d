// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.disturbance;

import io.forebay.ring.Group;
import io.forebay.ring.RingArrangement;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.fault.FaultCounts;
import io.forebay.simulation.fault.FaultKind;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.Connection;
import io.forebay.wire.Handler;
import io.forebay.wire.Landing;
import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Servers join the ring at random, and are asked to leave it; a server that has left ends. */
public final class Growth {
  private static final String ADMINISTRATOR = "administrator";
  private static final long PAUSE_NANOS_MAX = 15_000_000_000L;

  /** The maximum number of joins per run. */
  private static final int JOINS_MAX = 3;

  private final World world;
  private final FaultCounts counts;
  private final SplittableRandom random;
  private long nextNanos;
  private int joined;
  private int asked;

  public Growth(World world, FaultCounts counts, SplittableRandom random) {
    this.world = world;
    this.counts = counts;
    this.random = random;
    this.nextNanos = world.nanos() + random.nextLong(PAUSE_NANOS_MAX);
  }

  /** The number of joins and requests to leave. */
  public int changes() {
    return joined + asked;
  }

  public void act() {
    for (SeatNode seat : world.seats()) {
      if (seat.isRunning() && seat.hasLeft()) seat.kill();
    }
    if (world.nanos() < nextNanos) return;
    nextNanos = world.nanos() + random.nextLong(PAUSE_NANOS_MAX);
    if (random.nextBoolean()) join();
    else leave();
  }

  /** No further joins or leaves, except those in progress. */
  public void stop() {
    nextNanos = Long.MAX_VALUE;
  }

  private void join() {
    if (joined == JOINS_MAX || world.map() == null) return;
    joined++;
    counts.note(FaultKind.SERVER_JOINED);
    world.newSeat().start();
  }

  /** Asks a server that is not needed to leave; the request may be refused or lost. */
  private void leave() {
    RingMap map = world.map();
    if (map == null) return;
    List<SeatEntry> here =
        map.seats().stream().filter(seat -> seat.stay() == SeatEntry.Stay.HERE).toList();
    if (isLeaving(map) || here.size() <= world.options().copies()) return;
    asked++;
    counts.note(FaultKind.SERVER_ASKED_TO_LEAVE);
    String server = here.get(random.nextInt(here.size())).server();
    world
        .network()
        .at(ADMINISTRATOR)
        .connect(
            world.leaderAddress(),
            Handshake.Hello.of(Handshake.Role.CLIENT, Handshake.Lane.CONTROL, 0, ADMINISTRATOR, 0),
            new LeaveRequest(server));
  }

  private static boolean isLeaving(RingMap map) {
    return map.seats().stream().anyMatch(seat -> seat.stay() == SeatEntry.Stay.LEAVING);
  }

  /** Asks once; the map shows the answer. */
  private record LeaveRequest(String server) implements Handler {
    @Override
    public void opened(Connection connection) {
      connection.send(1, new Maps.Leave(server));
    }

    @Override
    public void received(Connection connection, long request, Message message) {
      if (request == 1) connection.close("answered");
    }

    @Override
    public Landing arriving(
        Connection connection, long request, Message message, int payloadBytes) {
      return Landing.DISCARD;
    }

    @Override
    public void closed(Connection connection, String reason) {}
  }

  /**
   * Whether every group has the maximum number of live, current members, and none that is leaving
   * (I5).
   */
  public static boolean full(World world) {
    RingMap map = world.map();
    if (map == null) return false;
    for (Group group : map.groups()) {
      int wanted =
          RingArrangement.members(map.seats(), group.id().origin(), group.id().copies()).size();
      long current =
          group.members().stream()
              .filter(Group.Member::current)
              .filter(member -> lives(world, map.seat(member.seat())))
              .count();
      // No server leaves while the others do not suffice.
      boolean leaves = wanted == group.id().copies() && hasLeaver(map, group);
      if (current < wanted || leaves) return false;
    }
    return true;
  }

  private static boolean hasLeaver(RingMap map, Group group) {
    return map.seats().stream()
        .filter(seat -> seat.stay() == SeatEntry.Stay.LEAVING)
        .anyMatch(seat -> group.indexOf(seat.id()) >= 0);
  }

  private static boolean lives(World world, @Nullable SeatEntry seat) {
    return seat != null && world.seatAt(seat.server()).isAlive();
  }
}
