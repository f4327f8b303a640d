// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted.body;

import io.forebay.simulation.Scenario;
import io.forebay.simulation.SimulationRun;
import io.forebay.simulation.planted.border.Player;
import java.util.List;

/** Plays scenarios with the classes of the loader that defined this one. */
public final class SeedPlayer implements Player {
  @Override
  public List<Noticed> play(long seed, Course course) {
    CallBound.reset();
    Scenario scenario = scenario(seed, course);
    SimulationRun.Outcome outcome =
        switch (course) {
          case STRANGER -> scenario.playWithStranger();
          case PROTECTED -> scenario.playProtected();
          case ENDED -> scenario.playWithEnds();
          case RECOVERED -> scenario.playWithRecoveries();
          case UNDRAINED, DRAINED, LOCKED, MANAGED -> scenario.play();
        };
    return outcome.problems().stream()
        .map(each -> new Noticed(each.rule(), each.sentence()))
        .toList();
  }

  /** What is played of a seed. */
  public static Scenario scenario(long seed, Course course) {
    Scenario scenario = Scenario.of(seed);
    return switch (course) {
      case UNDRAINED, STRANGER, PROTECTED, ENDED -> scenario.withoutDraining();
      case DRAINED -> scenario.withDraining();
      case LOCKED -> scenario.withLocks();
      case RECOVERED -> scenario.withoutDraining().withoutLosses();
      case MANAGED -> scenario.withoutDraining().withManagers();
    };
  }
}
