// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A history refuses what cannot have been written down right. */
class HistoryTest {
  private final History history = new History();

  @Test
  void valuesAreUnique() {
    history.begin(1, Script.write(10, 0, 8), 1);
    assertThatThrownBy(() -> history.begin(2, new Action.PutPair("k", 10, 8), 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("value 10");
  }

  @Test
  void timeGoesForward() {
    history.begin(1, Script.publish(), 5);
    assertThatThrownBy(() -> history.begin(1, Script.publish(), 4))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void endsOnceAndFittingly() {
    Operation read = history.begin(1, Script.read(0, 8), 1);
    assertThatThrownBy(() -> history.end(read, new Ending.Done(), 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> history.end(read, new Ending.Saw(List.of(new Run(4, 8, 0))), 2))
        .isInstanceOf(IllegalArgumentException.class);
    history.end(read, new Ending.Saw(List.of()), 2);
    assertThatThrownBy(() -> history.end(read, new Ending.Unknown(), 3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEndedClientDoesNothing() {
    history.begin(1, new Action.EndSession(), 1);
    assertThatThrownBy(() -> history.begin(1, Script.publish(), 2))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
