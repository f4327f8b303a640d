// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.disturbance;

import io.forebay.base.SeatId;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.consensus.SavedLog;
import io.forebay.seat.manager.recovery.NewestMap;
import io.forebay.seat.manager.recovery.SeatAnswer;
import io.forebay.seat.manager.recovery.SoundState;
import io.forebay.seat.manager.state.ManagerState;
import io.forebay.seat.manager.state.RecoveredState;
import io.forebay.simulation.fault.FaultCounts;
import io.forebay.simulation.fault.FaultKind;
import io.forebay.simulation.world.ManagerNode;
import io.forebay.simulation.world.SeatNode;
import io.forebay.simulation.world.World;
import io.forebay.wire.message.Statuses;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The only manager loses its log, at a bad moment: some seats follow its last map, and others have
 * not got it. An operator brings it back (P36) with what {@code forebay manager recover} decides
 * and writes by:
 *
 * <ol>
 *   <li>What is left of the log is nothing, an old copy, or all of it.
 *   <li>Now and then the operator asks the seats that run, and reads what the others remember. One
 *       of those that have the newest map answers much later than the others.
 *   <li>Once two looks in a row have found the same map, from which the manager may go on, it gets
 *       a new log and starts.
 * </ol>
 */
public final class Recoveries {
  private static final long SECOND = 1_000_000_000L;

  /** The time of day at which every world begins. */
  private static final long BEGIN_SECONDS = 1_700_000_000L;

  /**
   * How long the log is whole; then comes the next moment at which seats follow different maps. So
   * fewer terms begin than seconds pass.
   */
  private static final long WHOLE_NANOS_MIN = 4 * SECOND;

  private static final long WHOLE_NANOS_MAX = 12 * SECOND;
  private static final long LOOK_NANOS = SECOND;
  private static final long LATE_NANOS_MAX = 8 * SECOND;
  private static final int COPIED_ONE_IN = 3;
  private static final int LOOKS_MAX = 100;

  private final World world;
  private final FaultCounts counts;
  private final SplittableRandom random;
  private SavedLog copy = SavedLog.NOTHING;
  private SoundState left = SoundState.none("");
  private @Nullable SeatNode late;
  private boolean lost;
  private long lateNanos;
  private long nextNanos;
  private long foundEpoch;
  private int done;

  public Recoveries(World world, FaultCounts counts, SplittableRandom random) {
    this.world = world;
    this.counts = counts;
    this.random = random;
    this.nextNanos = random.nextLong(WHOLE_NANOS_MAX);
  }

  /** How often the manager was brought back. */
  public int done() {
    return done;
  }

  /** What is due; between two steps. */
  void act() {
    if (world.nanos() < nextNanos) return;
    if (lost) {
      look();
    } else if (world.manager().isAlive()) {
      List<SeatNode> ahead = ahead();
      if (!ahead.isEmpty()) lose(ahead);
    }
  }

  /** The manager is there again. */
  void stop() {
    nextNanos = Long.MAX_VALUE;
    late = null;
    for (int looks = 0; lost; looks++) {
      if (looks == LOOKS_MAX) throw new IllegalStateException("not recovered: " + found());
      look();
      nextNanos = Long.MAX_VALUE;
      world.runFor(LOOK_NANOS);
    }
  }

  /** The seats that follow the newest map, if others follow an older one. */
  private List<SeatNode> ahead() {
    long newest = 0;
    long oldest = Long.MAX_VALUE;
    for (SeatNode seat : world.seats()) {
      long epoch = epochOf(seat);
      newest = Math.max(newest, epoch);
      if (epoch > 0) oldest = Math.min(oldest, epoch);
    }
    long epoch = newest;
    if (oldest >= epoch) return List.of();
    return world.seats().stream().filter(seat -> epochOf(seat) == epoch).toList();
  }

  private static long epochOf(SeatNode seat) {
    RingMap map = seat.isRunning() ? seat.knownMap() : null;
    return map == null ? 0 : map.epoch();
  }

  private void lose(List<SeatNode> ahead) {
    ManagerNode manager = world.manager();
    counts.add(FaultKind.MANAGER_LOG_LOST);
    manager.kill();
    SavedLog whole = manager.savedLog();
    SavedLog kept =
        switch (random.nextInt(3)) {
          case 0 -> SavedLog.NOTHING;
          case 1 -> copy;
          default -> whole;
        };
    if (random.nextInt(COPIED_ONE_IN) == 0) copy = whole;
    left = SoundState.of(kept);
    late = ahead.get(random.nextInt(ahead.size()));
    lateNanos = world.nanos() + random.nextLong(LATE_NANOS_MAX);
    nextNanos = world.nanos() + random.nextLong(LOOK_NANOS);
    foundEpoch = 0;
    lost = true;
  }

  private void look() {
    nextNanos = world.nanos() + LOOK_NANOS;
    if (!(found() instanceof NewestMap.Found.Newest newest) || !newest.mayGoOn()) return;
    long before = foundEpoch;
    foundEpoch = newest.map().epoch();
    if (foundEpoch != before) return;
    RecoveredState state = RecoveredState.of(newest.map(), left.state(), nowSeconds());
    nextNanos = world.nanos() + random.nextLong(WHOLE_NANOS_MIN, WHOLE_NANOS_MAX);
    lost = false;
    done++;
    world.manager().recover(newest.map(), state.snapshot());
  }

  private long nowSeconds() {
    return BEGIN_SECONDS + world.nanos() / SECOND;
  }

  /** What the operator finds, who goes on without servers that say that they saw no map. */
  private NewestMap.Found found() {
    List<SeatAnswer> answers = new ArrayList<>();
    Set<String> blank = new TreeSet<>();
    for (SeatNode seat : world.seats()) {
      if (seat.isPaused() || (seat.equals(late) && world.nanos() < lateNanos)) continue;
      RingMap map = seat.knownMap();
      if (map == null) blank.add(seat.host());
      else answers.add(new SeatAnswer(seat.host(), idOf(seat, map), map));
    }
    NewestMap.Found found = NewestMap.among(answers, mapOfLog(), Set.of());
    if (!(found instanceof NewestMap.Found.Newest newest)) return found;
    blank.retainAll(newest.missingServers());
    return NewestMap.among(answers, mapOfLog(), blank);
  }

  private @Nullable RingMap mapOfLog() {
    ManagerState state = left.state();
    return state.formed() ? state.map() : null;
  }

  private static SeatId idOf(SeatNode node, RingMap map) {
    for (SeatEntry seat : map.seats()) {
      if (seat.server().equals(node.host())) return seat.id();
    }
    return Statuses.NO_PLACE;
  }
}
