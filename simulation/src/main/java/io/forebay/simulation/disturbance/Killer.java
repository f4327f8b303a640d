// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.disturbance;

import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.simulation.fault.FaultCounts;
import io.forebay.simulation.fault.FaultKind;
import io.forebay.simulation.user.SimulatedUser;
import io.forebay.simulation.world.ManagerNode;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Data;
import io.forebay.wire.message.Journals;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Kills processes at random points, and restarts them after a while: seats and the manager with
 * their data, users as new clients.
 */
public final class Killer {
  /** Creates a new user in place of a dead one. */
  public interface Users {
    List<SimulatedUser> alive();
  }

  /** Deaths come in bursts, with time to recover in between. */
  private static final int CALM_ONE_IN = 3;

  private static final long PAUSE_NANOS_MAX = 400_000_000L;
  private static final long CALM_NANOS_MAX = 8_000_000_000L;
  private static final long AWAY_NANOS_MAX = 4_000_000_000L;

  /** The period of kills after which a process stays away much longer. */
  private static final int LONG_ONE_IN = 12;

  private static final long LONG_NANOS = 30_000_000_000L;

  /** How long each lasts: a dead seat, and a seat that is paused or partitioned and resumes. */
  private static final long LASTING_NANOS_MIN = 10_000_000_000L;

  private static final long LASTING_NANOS_MAX = 60_000_000_000L;
  private static final long STOPPED_NANOS_MIN = 5_000_000_000L;
  private static final long STOPPED_NANOS_MAX = 20_000_000_000L;

  private static final int LOST_MIN = 3;

  /** The period of kills at which the power of all machines is cut instead. */
  private static final int CUT_ONE_IN = 12;

  private record Return(long atNanos, Runnable start) {}

  private final World world;
  private final Users users;
  private final SplittableRandom random;
  private final FaultCounts counts;
  private final MessageTrigger moments;
  private final List<Return> returns = new ArrayList<>();
  private final List<SeatNode> cutOff = new ArrayList<>();
  private long nextNanos;
  private boolean parts;
  private boolean lasting;
  private int forGood;
  private long lastReturnNanos;
  private boolean loses;
  private int lost;
  private boolean cuts;
  private int cut;
  private boolean atMoments;
  private @Nullable Recoveries recoveries;

  public Killer(World world, Users users, FaultCounts counts, SplittableRandom random) {
    this.counts = counts;
    this.moments = new MessageTrigger(world);
    this.world = world;
    this.users = users;
    this.random = random;
    this.nextNanos = world.nanos() + random.nextLong(PAUSE_NANOS_MAX);
  }

  /** Also partitions seats, clients and the manager from each other for a while. */
  public void alsoPart() {
    parts = true;
  }

  /**
   * Seats stay away long enough for others to replace them: some permanently, some paused or
   * partitioned.
   */
  public void alsoForLong() {
    lasting = true;
  }

  /** Also kills processes just after they have sent a message of a certain kind. */
  public void alsoAtMoments() {
    atMoments = true;
  }

  /**
   * Also lets machines lose their memory. Only while all members are current: otherwise the only
   * copy of a record would be lost, as it must be.
   */
  public void alsoLose() {
    loses = true;
  }

  /** The only manager also loses its log. */
  public void alsoLoseLogs(Recoveries others) {
    recoveries = others;
  }

  /** Also cuts the power of all servers at once, where all writes are forced. */
  public void alsoCutPower() {
    cuts = true;
  }

  public boolean lostEnough() {
    return (!loses || lost >= LOST_MIN) && (!cuts || cut > 0);
  }

  /** Whether, by the manager's map, every member of every group is current. */
  boolean allCurrent() {
    RingMap map = world.map();
    if (map == null) return false;
    return map.groups().stream()
        .flatMap(group -> group.members().stream())
        .allMatch(Group.Member::current);
  }

  /** The same without seats that are permanently dead, or that wait because they were too slow. */
  public boolean allLivingCurrent() {
    RingMap map = world.map();
    if (map == null) return false;
    return map.groups().stream()
        .flatMap(group -> group.members().stream())
        .allMatch(
            member -> member.current() || member.resting() || !lives(map.seat(member.seat())));
  }

  private boolean lives(@Nullable SeatEntry seat) {
    return seat != null && world.seatAt(seat.server()).isAlive();
  }

  /** Performs the kills and starts that are due. */
  public void act() {
    startDue(world.nanos());
    moments.act();
    if (recoveries != null) recoveries.act();
    if (world.nanos() < nextNanos) return;
    boolean calm = random.nextInt(CALM_ONE_IN) == 0;
    nextNanos = world.nanos() + random.nextLong(calm ? CALM_NANOS_MAX : PAUSE_NANOS_MAX);
    if (cuts && random.nextInt(CUT_ONE_IN) == 0) {
      cutPower();
      return;
    }
    int choice = random.nextInt(100);
    if (lasting && choice < 50) silence(choice);
    else if (parts && (lasting ? choice - 50 : choice) < 20) part();
    else if (choice < 70) killSeat();
    else if (choice < 80) killManager();
    else killUser();
  }

  /** Everything is started again, and nothing more is killed. */
  public void stop() {
    moments.stop();
    startDue(Long.MAX_VALUE);
    nextNanos = Long.MAX_VALUE;
    if (recoveries != null) recoveries.stop();
  }

  private void startDue(long nanos) {
    for (Return each : List.copyOf(returns)) {
      if (each.atNanos > nanos) continue;
      returns.remove(each);
      lastReturnNanos = world.nanos();
      each.start.run();
    }
  }

  private void part() {
    String one = someHost();
    String other = someHost();
    if (one.equals(other)) return;
    boolean oneWay = random.nextBoolean();
    counts.add(oneWay ? FaultKind.ONE_WAY_PARTITION : FaultKind.PARTITION);
    world.network().partition(one, other, oneWay);
    returns.add(new Return(world.nanos() + awayNanos(), world.network()::healAll));
  }

  private String someHost() {
    int seats = world.seats().size();
    int choice = random.nextInt(seats + 2);
    if (choice < seats) return world.seats().get(choice).host();
    List<SimulatedUser> alive = users.alive();
    if (choice == seats || alive.isEmpty()) return world.anyManager(random).host();
    return alive.get(random.nextInt(alive.size())).host();
  }

  private void killSeat() {
    SeatNode seat = world.seats().get(random.nextInt(world.seats().size()));
    if (!atMoments || random.nextBoolean()) killSeat(seat);
    else moments.await(seat.host(), seatMoment(), () -> killSeat(seat));
  }

  /**
   * Messages that report something as done: the death of the sender right after must not change it.
   */
  private Class<? extends Message> seatMoment() {
    return switch (random.nextInt(5)) {
      case 0, 1 -> Data.Confirm.class;
      case 2 -> Data.PutDone.class;
      case 3 -> Journals.Append.class;
      default -> Journals.Appended.class;
    };
  }

  private void killSeat(SeatNode seat) {
    if (!seat.isRunning()) return;
    counts.add(FaultKind.SEAT_KILLED);
    if (loses && allCurrent() && nobodyElseLost()) {
      lost++;
      counts.add(FaultKind.MEMORY_LOST);
      seat.killAndLoseMemory();
    } else {
      seat.kill();
    }
    returns.add(new Return(world.nanos() + awayNanos(), seat::start));
  }

  /**
   * Whether a seat can lose its memory while no other seat has. Others may be paused, partitioned
   * or dead at that time, and be removed by a manager that has not noticed the loss: they hold
   * everything. But a seat with a failing disk may be about to report that it lacks data.
   */
  private boolean nobodyElseLost() {
    return world.seats().stream().noneMatch(seat -> seat.lossUnknown() || seat.failing());
  }

  /**
   * All servers lose power, including those with dead processes, and often the manager's machine
   * with them; they come back one after the other.
   */
  private void cutPower() {
    RingMap map = world.map();
    if (map == null) return;
    cut++;
    counts.add(FaultKind.POWER_CUT_OF_ALL);
    for (SeatNode seat : world.seats()) {
      if (seat.hasLeft()) continue;
      if (seat.isPaused()) world.resume(seat);
      if (seat.isAlive()) {
        seat.killAndLoseMemory();
        returns.add(new Return(world.nanos() + awayNanos(), seat::start));
      } else {
        seat.loseMemory();
      }
    }
    for (ManagerNode manager : world.managers()) {
      if (!manager.isAlive() || random.nextBoolean()) continue;
      manager.killAndLoseMemory();
      returns.add(new Return(world.nanos() + awayNanos(), manager::start));
    }
  }

  /** Silences a seat long enough for the manager to notice, unless too many are silent already. */
  private void silence(int choice) {
    SeatNode seat = world.seats().get(random.nextInt(world.seats().size()));
    long silent =
        world.seats().stream().filter(each -> !each.isRunning() || cutOff.contains(each)).count();
    boolean tooMany = silent >= world.options().copies() - 1;
    if (!seat.isRunning() || tooMany) return;
    if (choice < 10) {
      counts.add(FaultKind.SEAT_CUT_OFF);
      cutOff(seat);
    } else if (choice < 20) {
      counts.add(FaultKind.SEAT_STOPPED);
      world.pause(seat);
      long nanos = random.nextLong(STOPPED_NANOS_MIN, STOPPED_NANOS_MAX);
      returns.add(new Return(world.nanos() + nanos, () -> resume(seat)));
    } else {
      seat.kill();
      if (choice >= 40 && othersHoldAll(seat)) {
        forGood++;
        counts.add(FaultKind.SEAT_KILLED_FOR_GOOD);
        return;
      }
      counts.add(FaultKind.SEAT_KILLED);
      long nanos = random.nextLong(LASTING_NANOS_MIN, LASTING_NANOS_MAX);
      returns.add(new Return(world.nanos() + nanos, seat::start));
    }
  }

  private void resume(SeatNode seat) {
    if (seat.isPaused()) world.resume(seat);
  }

  /** Partitions a seat from all others and the manager; some users are on its side. */
  private void cutOff(SeatNode seat) {
    List<String> others = new ArrayList<>();
    for (ManagerNode each : world.managers()) others.add(each.host());
    for (SeatNode each : world.seats()) if (!each.equals(seat)) others.add(each.host());
    List<String> with = new ArrayList<>(List.of(seat.host()));
    for (SimulatedUser user : users.alive()) if (random.nextBoolean()) with.add(user.host());
    for (String one : with) {
      for (String other : others) world.network().partition(one, other, false);
    }
    cutOff.add(seat);
    long nanos = random.nextLong(STOPPED_NANOS_MIN, STOPPED_NANOS_MAX);
    returns.add(
        new Return(
            world.nanos() + nanos,
            () -> {
              cutOff.clear();
              world.network().healAll();
            }));
  }

  /** Whether nothing is lost if neither that seat nor the permanently dead ones come back. */
  private boolean othersHoldAll(SeatNode seat) {
    RingMap map = world.map();
    // Before that, the manager may be about to remove a seat that has just come back from the
    // current members.
    boolean calm = returns.isEmpty() && world.nanos() - lastReturnNanos > CALM_NANOS_MAX;
    if (map == null || !calm || forGood + 1 >= world.options().copies()) return false;
    for (Group group : map.groups()) {
      boolean held =
          group.members().stream()
              .filter(Group.Member::current)
              .map(member -> map.seat(member.seat()))
              .filter(entry -> entry != null && !entry.server().equals(seat.host()))
              .anyMatch(this::lives);
      if (!held) return false;
    }
    return true;
  }

  private void killManager() {
    ManagerNode manager = world.anyManager(random);
    if (!atMoments || random.nextBoolean()) killManager(manager);
    else moments.await(manager.host(), Maps.MapIs.class, () -> killManager(manager));
  }

  private void killManager(ManagerNode manager) {
    if (!manager.isAlive()) return;
    counts.add(FaultKind.MANAGER_KILLED);
    manager.kill();
    returns.add(new Return(world.nanos() + awayNanos(), manager::start));
  }

  private void killUser() {
    List<SimulatedUser> alive = users.alive();
    if (alive.isEmpty()) return;
    counts.add(FaultKind.CLIENT_KILLED);
    alive.get(random.nextInt(alive.size())).kill();
  }

  private long awayNanos() {
    boolean isLong = random.nextInt(LONG_ONE_IN) == 0;
    return isLong ? LONG_NANOS : random.nextLong(AWAY_NANOS_MAX);
  }
}
