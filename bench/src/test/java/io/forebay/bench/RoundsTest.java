// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Measurements take turns. */
class RoundsTest {
  private final StringBuilder order = new StringBuilder();

  private Rounds.Trial<Double> trial(char name, double figure) {
    return () -> {
      order.append(name);
      return figure;
    };
  }

  @Test
  void roundsGoForwardsAndBackwards() throws Exception {
    List<Samples> samples = Rounds.figures(5, 0, List.of(trial('a', 1), trial('b', 2)));
    assertThat(order).hasToString("abbaabbaab");
    assertThat(samples).extracting(Samples::median).containsExactly(1.0, 2.0);
    assertThat(samples).extracting(Samples::count).containsExactly(5, 5);
  }

  @Test
  void warmUpsDoNotCount() throws Exception {
    List<Integer> calls = new ArrayList<>();
    Rounds.Trial<Integer> trial =
        () -> {
          calls.add(calls.size());
          return calls.size();
        };
    assertThat(Rounds.run(5, 2, List.of(trial))).containsExactly(List.of(3, 4, 5, 6, 7));
    assertThat(calls).hasSize(7);
  }

  @Test
  void tooFewRoundsAreRefused() {
    assertThatThrownBy(() -> Rounds.figures(4, 0, List.of(trial('a', 1))))
        .hasMessage("only 4 rounds");
  }
}
