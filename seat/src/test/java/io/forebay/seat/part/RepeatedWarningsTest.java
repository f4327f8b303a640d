// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.Timers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatedWarningsTest {
  private long now;
  private final Timers timers = new Timers(() -> now);
  private final List<String> said = new ArrayList<>();
  private final RepeatedWarnings warnings =
      new RepeatedWarnings(
          timers,
          new SeatEvents() {
            @Override
            public void told(String sentence) {}

            @Override
            public void warned(String sentence) {
              said.add(sentence);
            }
          });

  private void pass() {
    now += RepeatedWarnings.PAUSE_NANOS;
    timers.runDue();
  }

  @Test
  void aFloodIsCounted() {
    for (int i = 1; i <= 1000; i++) warnings.warn("seat 1", "record " + i);
    warnings.warn("seat 2", "another");
    assertThat(said).containsExactly("record 1", "another");
    pass();
    assertThat(said).containsExactly("record 1", "another", "record 1000 (and 998 times before)");
    warnings.warn("seat 1", "record 1001");
    pass();
    assertThat(said).hasSize(4).endsWith("record 1001");
  }

  @Test
  void afterAPauseItIsToldAtOnce() {
    warnings.warn("seat 1", "first");
    pass();
    warnings.warn("seat 1", "second");
    assertThat(said).containsExactly("first", "second");
    pass();
    pass();
    assertThat(said).hasSize(2);
  }

  @Test
  void whatNoLongerAppliesIsNotRepeated() {
    boolean[] applies = {true};
    warnings.warnWhile("instance 1", "first", () -> applies[0]);
    warnings.warnWhile("instance 1", "second", () -> applies[0]);
    applies[0] = false;
    pass();
    warnings.warnWhile("instance 1", "third", () -> applies[0]);
    pass();
    assertThat(said).containsExactly("first");
  }
}
