// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import org.junit.jupiter.api.Test;

class PromiseTest {
  private static final SeatId ONE = new SeatId(1);
  private static final SeatId OTHER = new SeatId(2);
  private static final long NOW = 100;

  @Test
  void itIsAgainstEveryHomeButItsOwn() {
    assertThat(new Promise(ONE, 200).isAgainst(ONE)).isFalse();
    assertThat(new Promise(ONE, 200).isAgainst(OTHER)).isTrue();
    assertThat(new Promise(null, 200).isAgainst(ONE)).isTrue();
  }

  @Test
  void itEnds() {
    assertThat(new Promise(ONE, 101).holds(NOW)).isTrue();
    assertThat(new Promise(ONE, 100).holds(NOW)).isFalse();
  }

  @Test
  void twoToDifferentHomesAreAgainstBothUntilTheLastOneEnds() {
    assertThat(new Promise(ONE, 300).and(new Promise(OTHER, 200), NOW))
        .isEqualTo(new Promise(null, 300));
    assertThat(new Promise(ONE, 200).and(new Promise(OTHER, 300), NOW))
        .isEqualTo(new Promise(null, 300));
  }

  @Test
  void aLaterOneToTheSameHomeReplacesTheEarlierOne() {
    assertThat(new Promise(ONE, 200).and(new Promise(ONE, 300), NOW))
        .isEqualTo(new Promise(ONE, 300));
  }

  @Test
  void whatIsOverBindsNobody() {
    assertThat(new Promise(ONE, 50).and(new Promise(OTHER, 200), NOW))
        .isEqualTo(new Promise(OTHER, 200));
    assertThat(new Promise(ONE, 200).and(new Promise(OTHER, 50), NOW))
        .isEqualTo(new Promise(ONE, 200));
  }
}
