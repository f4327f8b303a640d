// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import io.forebay.simulation.planted.RuleMethods.RuleMethod;
import io.forebay.simulation.planted.body.SeedPlayer;
import io.forebay.simulation.planted.border.Player;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Negates one rule after the other and plays seeds until something notices. A rule that nothing
 * notices lacks an audit, or a scenario that needs it. As with planted faults, a seed counts only
 * if it passes with the rule as it is.
 *
 * <p>Most rules matter only in few scenarios. If a planted fault rewrites the same method, its
 * known seed is such a scenario, so the search begins there.
 */
public final class NegatedSearch {
  /** The default maximum of seeds played for one rule. */
  public static final int SEEDS_DEFAULT = 10;

  /** A core that throws breaks no rule by name. */
  public static final String BY_EXCEPTION = "error";

  private static final Player.Course[] COURSES = {
    Player.Course.UNDRAINED, Player.Course.DRAINED, Player.Course.STRANGER, Player.Course.LOCKED
  };

  /**
   * The result for one rule.
   *
   * @param rule its number
   * @param method the class and the method that keeps it
   * @param by the rule that noticed it, {@link #BY_EXCEPTION}, or an empty text
   * @param seeds how many seeds were played
   */
  public record Found(
      String rule, String method, boolean noticed, String by, long seed, int seeds, String what) {}

  /** A seed and what is played of it. */
  record Scene(long seed, Player.Course course) {}

  private final Map<PlantedBug, Long> plantedSeeds = PlantedSeeds.read();
  private final ClassSource source = new ClassSource();
  private final Player usual = new SeedPlayer();
  private final List<RuleMethod> rules;

  public NegatedSearch() {
    this.rules = RuleMethods.find().stream().filter(RuleMethod::isPredicate).toList();
  }

  /** How many rules can be negated. */
  public int size() {
    return rules.size();
  }

  /**
   * Searches for the rule of that index. Several threads may search at the same time.
   *
   * @param seedsMax how many seeds are played at most, besides those of planted faults
   */
  public Found search(int index, int seedsMax) {
    RuleMethod rule = rules.get(index);
    Player negated = new RewritingLoader(source, List.of(rule.negated())).player();
    int played = 0;
    long seed = 0;
    for (Scene scene : scenes(rule, seedsMax)) {
      played++;
      seed = scene.seed;
      Player.Noticed noticed = play(negated, seed, scene.course);
      if (noticed != null && usual.play(seed, scene.course).isEmpty()) {
        return found(rule, true, noticed, seed, played);
      }
    }
    return found(rule, false, new Player.Noticed("", ""), seed, played);
  }

  /** In the order in which they are played. */
  List<Scene> scenes(RuleMethod rule, int seedsMax) {
    List<Scene> scenes = new ArrayList<>();
    plantedSeeds.forEach(
        (bug, seed) -> {
          boolean same = bug.edits().stream().anyMatch(rule::isRewrittenBy);
          if (same) scenes.add(new Scene(seed, PlantedSearch.courseOf(bug)));
        });
    SplittableRandom random = new SplittableRandom(rule.toString().hashCode());
    for (int i = 0; i < seedsMax; i++) {
      scenes.add(new Scene(random.nextLong(), COURSES[i % COURSES.length]));
    }
    return scenes;
  }

  private static Player.@Nullable Noticed play(Player negated, long seed, Player.Course course) {
    try {
      List<Player.Noticed> noticed = negated.play(seed, course);
      return noticed.isEmpty() ? null : noticed.getFirst();
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      return new Player.Noticed(BY_EXCEPTION, e.toString());
    }
  }

  private static Found found(
      RuleMethod rule, boolean noticed, Player.Noticed by, long seed, int seeds) {
    String method = rule.type() + "." + rule.method();
    return new Found(rule.rule(), method, noticed, by.rule(), seed, seeds, by.sentence());
  }
}
