// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.backing.BackingFailure.Advice;
import io.forebay.testing.TestSeed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RetryPaceTest {
  private static final long FIRST = 1_000;
  private static final long MAX = 60_000;

  private final RetryPace pace =
      new RetryPace(FIRST, MAX, new SplittableRandom(TestSeed.next("retry pace")));

  @Test
  void pausesGrowToTheBoundAndAreNotAllTheSame() {
    long expected = FIRST;
    for (int i = 0; i < 100; i++) {
      assertThat(pace.failed(Advice.TRY_AGAIN)).isBetween(expected / 2, expected);
      expected = Math.min(2 * expected, MAX);
    }
    assertThat(pace.failures()).isEqualTo(100);
    long distinct =
        java.util.stream.LongStream.generate(() -> pace.failed(Advice.TRY_AGAIN))
            .limit(50)
            .distinct()
            .count();
    assertThat(distinct).isGreaterThan(10);
  }

  @Test
  void successBeginsAnew() {
    for (int i = 0; i < 10; i++) pace.failed(Advice.TRY_AGAIN);
    pace.worked();
    assertThat(pace.failures()).isZero();
    assertThat(pace.failed(Advice.TRY_AGAIN)).isLessThanOrEqualTo(FIRST);
  }

  @Test
  void whatPeopleHaveToMendIsTriedSlowly() {
    assertThat(pace.failed(Advice.TELL_AND_WAIT)).isBetween(MAX / 2, MAX);
  }
}
