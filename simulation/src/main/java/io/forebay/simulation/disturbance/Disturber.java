// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.disturbance;

import io.forebay.simulation.fault.FaultCounts;
import io.forebay.simulation.fault.FaultKind;
import io.forebay.simulation.fault.Trouble;
import io.forebay.simulation.user.SimulatedUser;
import io.forebay.simulation.world.Node;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.store.disk.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Disturbs a cluster without killing processes: pauses, clock jumps, failing disks. */
public final class Disturber {
  private static final long SECOND = 1_000_000_000L;
  private static final long PAUSE_NANOS_MAX = 4 * SECOND;
  private static final long CLIENT_STOP_NANOS_MIN = 15 * SECOND;
  private static final long CLIENT_STOP_NANOS_MAX = 45 * SECOND;
  private static final long BETWEEN_NANOS_MAX = SECOND;

  /**
   * How long a monotonic clock stands still at most: leases have a margin of twice as much for
   * clocks that run at different speeds, and each lasts two seconds.
   */
  private static final long STILL_NANOS_MAX = SECOND / 10;

  private static final long STILL_AGAIN_NANOS = 5 * SECOND;
  private static final long JUMP_NANOS_MAX = 100_000 * SECOND;
  private static final long DISK_NANOS_MAX = 3 * SECOND;
  private static final double READ_ERROR = 0.3;
  private static final double WRITE_ERROR = 0.3;

  private static final int WENT_ON_MIN = 2;

  private record End(long atNanos, Runnable action) {}

  private final World world;
  private final Killer.Users users;
  private final FaultCounts counts;
  private final SplittableRandom random;
  private final List<Trouble> troubles;
  private final BitFlips flips;
  private final List<End> ends = new ArrayList<>();
  private final Map<String, Long> stoodStillNanos = new TreeMap<>();
  private long nextNanos;
  private int wentOn;

  public Disturber(
      World world,
      Killer.Users users,
      FaultCounts counts,
      Set<Trouble> troubles,
      SplittableRandom random) {
    this.world = world;
    this.users = users;
    this.counts = counts;
    this.random = random;
    this.troubles = List.copyOf(troubles);
    this.flips = new BitFlips(world, random);
    this.nextNanos = world.nanos() + random.nextLong(BETWEEN_NANOS_MAX);
  }

  public void act() {
    end(world.nanos());
    if (troubles.isEmpty() || world.nanos() < nextNanos) return;
    nextNanos = world.nanos() + random.nextLong(BETWEEN_NANOS_MAX);
    switch (troubles.get(random.nextInt(troubles.size()))) {
      case PAUSES -> pause();
      case STOPPED_CLIENTS -> stopClient();
      case CLOCKS -> {
        if (random.nextBoolean()) standStill();
        else jump();
      }
      case READ_ERRORS -> disk(FaultKind.READ_ERRORS, Faults.NONE.withReadError(READ_ERROR));
      case FULL_DISKS -> disk(FaultKind.DISK_FULL, Faults.NONE.withCreateNoSpace(1));
      case WRITE_ERRORS -> writeErrors();
      case BIT_FLIPS -> {
        if (flips.flip()) counts.add(FaultKind.BIT_FLIP);
      }
      // The killer and the network handle these.
      case MOMENTS, DAMAGED_PAYLOADS -> {}
    }
  }

  public BitFlips flips() {
    return flips;
  }

  /** Whether enough paused clients have resumed, if the scenario pauses clients. */
  public boolean enough() {
    return wentOn >= WENT_ON_MIN || !troubles.contains(Trouble.STOPPED_CLIENTS);
  }

  /** Resumes everything, and causes no more faults. */
  public void stop() {
    end(Long.MAX_VALUE);
    nextNanos = Long.MAX_VALUE;
  }

  private void end(long nanos) {
    for (End each : List.copyOf(ends)) {
      if (each.atNanos > nanos) continue;
      ends.remove(each);
      each.action.run();
    }
  }

  private void later(long nanos, Runnable action) {
    ends.add(new End(world.nanos() + nanos, action));
  }

  private void pause() {
    int seats = world.seats().size();
    int choice = random.nextInt(seats + 1);
    Node node = choice == seats ? world.anyManager(random) : world.seats().get(choice);
    if (!node.isRunning()) return;
    counts.add(FaultKind.PAUSE);
    world.pause(node);
    later(random.nextLong(PAUSE_NANOS_MAX), () -> resume(node));
  }

  private void resume(Node node) {
    if (node.isPaused()) world.resume(node);
  }

  private void stopClient() {
    List<SimulatedUser> alive = users.alive();
    long stopped = alive.stream().filter(SimulatedUser::isStopped).count();
    // Most clients keep running, or no operations would be done.
    if (alive.isEmpty() || 2 * (stopped + 1) > alive.size()) return;
    SimulatedUser user = alive.get(random.nextInt(alive.size()));
    if (!user.stop()) return;
    counts.add(FaultKind.CLIENT_STOPPED);
    later(random.nextLong(CLIENT_STOP_NANOS_MIN, CLIENT_STOP_NANOS_MAX), () -> goOn(user));
  }

  private void goOn(SimulatedUser user) {
    wentOn++;
    user.goOn();
  }

  private void standStill() {
    SeatNode node = someSeat();
    Long last = stoodStillNanos.get(node.host());
    boolean again = last != null && world.nanos() - last < STILL_AGAIN_NANOS;
    if (!node.isRunning() || again) return;
    counts.add(FaultKind.CLOCK_STOOD_STILL);
    stoodStillNanos.put(node.host(), world.nanos());
    long nanos = random.nextLong(STILL_NANOS_MAX);
    world.pause(node);
    later(
        nanos,
        () -> {
          if (!node.isPaused()) return;
          node.clock().stoodStill(nanos);
          world.resume(node);
        });
  }

  private void jump() {
    counts.add(FaultKind.CLOCK_JUMP);
    someSeat().wallClockJumps(random.nextLong(-JUMP_NANOS_MAX, JUMP_NANOS_MAX));
  }

  private void disk(FaultKind kind, Faults faults) {
    SeatNode node = someSeat();
    counts.add(kind);
    node.disks().setFaults(faults);
    later(random.nextLong(DISK_NANOS_MAX), () -> node.disks().setFaults(Faults.NONE));
  }

  /** A disk fails until its seat has been started again; one at a time. */
  private void writeErrors() {
    SeatNode node = someSeat();
    // If the manager has not noticed yet that another seat lost its memory, it would rely on that
    // seat when this one reports that it lacks data.
    boolean trouble = world.seats().stream().anyMatch(seat -> seat.failing() || seat.lossUnknown());
    if (!node.isRunning() || trouble) return;
    counts.add(FaultKind.WRITE_ERRORS);
    node.setFailing(true);
    Faults faults = Faults.NONE.withWriteError(WRITE_ERROR).withForceError(WRITE_ERROR);
    node.disks().setFaults(faults);
    later(
        random.nextLong(DISK_NANOS_MAX),
        () -> {
          node.disks().setFaults(Faults.NONE);
          if (node.isRunning()) {
            node.kill();
            node.start();
          }
          // Its earlier messages may still be in flight.
          later(SECOND, () -> node.setFailing(false));
        });
  }

  private SeatNode someSeat() {
    return world.seats().get(random.nextInt(world.seats().size()));
  }
}
