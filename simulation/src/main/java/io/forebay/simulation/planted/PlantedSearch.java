// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import io.forebay.simulation.Scenario;
import io.forebay.simulation.fault.Trouble;
import io.forebay.simulation.planted.body.SeedPlayer;
import io.forebay.simulation.planted.border.Player;
import io.forebay.store.tier.StoreConfig;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Plants one fault after the other and plays scenarios until an audit or the checker of histories
 * notices it; then the same scenario must pass without the fault. The search for each fault begins
 * with a seed that is known to show it, so that it is short; if the code has changed since, the
 * search continues with other seeds.
 */
public final class PlantedSearch {
  /** Scenarios played for one fault at most. */
  public static final int SEEDS_MAX = 60;

  /** Scenarios looked at for one that may show the fault. */
  private static final int LOOKED_AT_MAX = 100_000;

  /**
   * The result of a search.
   *
   * @param by the broken rule, or an empty text
   * @param seeds how many scenarios were played with the fault
   * @param problem what was noticed, in a sentence
   * @param clean whether the same scenario passes without the fault
   */
  public record Found(
      PlantedBug bug,
      boolean caught,
      String by,
      long seed,
      int seeds,
      String problem,
      boolean clean) {}

  private final Map<PlantedBug, Long> seeds;
  private final ClassSource source = new ClassSource();
  private final Player unplanted = new SeedPlayer();

  /** Many faults show in the same seed, which is played once without any. */
  private final Map<NegatedSearch.Scene, Boolean> clean = new ConcurrentHashMap<>();

  public PlantedSearch() {
    this(PlantedSeeds.read());
  }

  PlantedSearch(Map<PlantedBug, Long> seeds) {
    this.seeds = new EnumMap<>(seeds);
  }

  /** Searches; takes seconds. Several threads may search at the same time. */
  public Found search(PlantedBug bug) {
    Player planted = new RewritingLoader(source, bug.edits()).player();
    Player.Course course = courseOf(bug);
    Long known = seeds.get(bug);
    SplittableRandom random = new SplittableRandom(known == null ? bug.label().hashCode() : known);
    long seed = known == null ? next(bug, random) : known;
    for (int played = 1; ; played++) {
      List<Player.Noticed> noticed = told(planted.play(seed, course));
      // A scenario that fails without the fault proves nothing.
      boolean clean = noticed.isEmpty() || isClean(seed, course);
      if (!noticed.isEmpty() && clean) {
        Player.Noticed first = noticed.getFirst();
        return new Found(bug, true, first.rule(), seed, played, first.sentence(), true);
      }
      if (played == SEEDS_MAX) return new Found(bug, false, "", seed, played, "", clean);
      seed = next(bug, random);
    }
  }

  private boolean isClean(long seed, Player.Course course) {
    return clean.computeIfAbsent(
        new NegatedSearch.Scene(seed, course),
        scene -> unplanted.play(scene.seed(), scene.course()).isEmpty());
  }

  /** Draining is left out for faults that have nothing to do with it, to save time. */
  static Player.Course courseOf(PlantedBug bug) {
    if (bug.isOfLocks()) return Player.Course.LOCKED;
    if (bug.isOfProtection()) return Player.Course.PROTECTED;
    if (bug.isOfEnds()) return Player.Course.ENDED;
    if (bug.isOfManagers()) return Player.Course.MANAGED;
    if (bug.isOfRecovery()) return Player.Course.RECOVERED;
    if (bug.isOfDrain()) return Player.Course.DRAINED;
    return bug.isOfRights() ? Player.Course.STRANGER : Player.Course.UNDRAINED;
  }

  /**
   * The problem that names a rule which a fault can break. A lack of progress (I5) is no proof: a
   * fault changes the course of events, and some courses are slow for other reasons.
   */
  private static List<Player.Noticed> told(List<Player.Noticed> noticed) {
    return noticed.stream().filter(each -> !each.rule().equals("I5")).toList();
  }

  private static long next(PlantedBug bug, SplittableRandom random) {
    for (int i = 0; i < LOOKED_AT_MAX; i++) {
      long seed = random.nextLong();
      if (mayShow(bug, SeedPlayer.scenario(seed, courseOf(bug)))) return seed;
    }
    throw new IllegalStateException("no scenario can show " + bug);
  }

  /** Whether the fault can do harm in that scenario; most can in all. */
  private static boolean mayShow(PlantedBug bug, Scenario scenario) {
    int copies = scenario.world().copies();
    return switch (bug) {
      case CHECKSUM_UNVERIFIED_BY_SEAT, CHECKSUM_UNVERIFIED_BY_READER ->
          scenario.troubles().contains(Trouble.DAMAGED_PAYLOADS);
      case CONFIRMATIONS_OF_ANY_EPOCH -> copies == 3 && scenario.isLate();
      case JOURNAL_OF_ANY_EPOCH, SERVE_BEFORE_ALL_AGREE, SEAT_TAKES_LOWER_MAP ->
          copies > 1 && scenario.isLate();
      case LEASE_FROM_ARRIVAL -> scenario.isLate() && scenario.silent();
      case ADOPT_SHORTEST_JOURNAL -> copies == 3 && scenario.isLate() && scenario.silent();
      case NON_CURRENT_TAKES_OVER, LOCKS_OF_ONE_HOME -> scenario.silent();
      // Only homes without other current members ask managers for leases.
      case MANAGERS_GRANT_UNCONFIRMED -> copies == 1;
      case MANAGERS_IGNORE_LEASES -> copies == 1 && scenario.growing();
      case KEEP_DIVERGING_TAIL -> copies > 1 && (scenario.silent() || scenario.losing());
      case SAME_INCARNATION_AFTER_LOSS -> scenario.losing();
      case FORCE_COVERS_LATER_FILLS ->
          scenario.losing() && scenario.forced() && scenario.troubles().contains(Trouble.MOMENTS);
      case SENT_SLICE_UNPINNED ->
          // In other scenarios damage in transit is expected.
          scenario.isSmall()
              && !scenario.troubles().contains(Trouble.DAMAGED_PAYLOADS)
              && !scenario.troubles().contains(Trouble.BIT_FLIPS);
      case COMPACTION_LOSES_RECORD -> scenario.isSmall();
      case DYING_MEMORY_KEEPS -> scenario.world().store().mode() == StoreConfig.Mode.SSD;
      default -> copies > 1;
    };
  }
}
