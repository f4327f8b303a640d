// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.simulation.planted.NegatedSearch.Scene;
import io.forebay.simulation.planted.RuleMethods.RuleMethod;
import io.forebay.simulation.planted.border.Player.Course;
import java.util.List;
import org.junit.jupiter.api.Test;

class NegatedSearchTest {
  private final NegatedSearch search = new NegatedSearch();

  private static RuleMethod rule(String type, String method) {
    return RuleMethods.find().stream()
        .filter(each -> each.type().endsWith("." + type) && each.method().equals(method))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aSearchBeginsWithTheKnownSeedOfAPlantedFaultInTheSameMethod() {
    List<Scene> scenes = search.scenes(rule("AttemptJob", "isReadBack"), 2);
    Long known = PlantedSeeds.read().get(PlantedBug.DRAIN_SKIPS_VERIFICATION);
    assertThat(known).isNotNull();
    assertThat(scenes).hasSize(3);
    assertThat(scenes.getFirst()).isEqualTo(new Scene(known, Course.DRAINED));
  }

  @Test
  void otherSeedsArePlayedInEveryCourse() {
    RuleMethod rule = new RuleMethod("P1", "io.forebay.NoSuchClass", "isSo", true);
    assertThat(search.scenes(rule, 8))
        .extracting(Scene::course)
        .containsExactly(
            Course.UNDRAINED,
            Course.DRAINED,
            Course.STRANGER,
            Course.LOCKED,
            Course.UNDRAINED,
            Course.DRAINED,
            Course.STRANGER,
            Course.LOCKED);
  }
}
