// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cli.CommandOutcome;
import io.forebay.cli.JsonReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SimulateCommandTest {
  @Test
  void seedsArePlayedAndCounted() {
    CommandOutcome played = CommandOutcome.run("simulate", "--seeds", "3", "--json");
    assertThat(played.exitCode()).as(played.err() + played.out()).isZero();
    Map<?, ?> report = (Map<?, ?>) JsonReader.read(played.out());
    assertThat(report.get("seeds")).isEqualTo(3.0);
    assertThat((Double) report.get("operations")).isGreaterThanOrEqualTo(600);
    assertThat((Double) report.get("faults")).isGreaterThanOrEqualTo(15);
    assertThat((List<?>) report.get("failures")).isEmpty();
  }

  @Test
  void aSeedIsTheSameCourseOfEvents() {
    CommandOutcome once = CommandOutcome.run("simulate", "--seed", "2", "--trace");
    assertThat(once.exitCode()).as(once.err()).isZero();
    assertThat(once.out()).contains("1 seed, ", "everything promised was kept");
    assertThat(events(CommandOutcome.run("simulate", "--seed", "2", "--trace")))
        .isEqualTo(events(once));
  }

  /** Without what depends on the machine. */
  private static List<String> events(CommandOutcome outcome) {
    return outcome.out().lines().filter(line -> line.contains(" us  ")).toList();
  }

  @Test
  void whatMakesNoSenseIsSaid() {
    assertThat(CommandOutcome.run("simulate", "--trace").err()).contains("--trace needs --seed");
    assertThat(CommandOutcome.run("simulate", "--seed", "1", "--seeds", "2").err())
        .contains("plays one seed");
    assertThat(CommandOutcome.run("simulate", "--minutes", "-1").err())
        .contains("--minutes must be more than 0");
    assertThat(CommandOutcome.run("simulate", "--seeds", "0").exitCode()).isEqualTo(2);
  }
}
