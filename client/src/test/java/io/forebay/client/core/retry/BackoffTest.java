// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final long FIRST = 2_000_000L;
  private static final long MAX = 500_000_000L;

  /** Draws the smallest or the largest value that it is asked for. */
  private static RandomGenerator always(boolean largest) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        throw new AssertionError("asked without a bound");
      }

      @Override
      public long nextLong(long bound) {
        return largest ? bound - 1 : 0;
      }
    };
  }

  @Test
  void doublesWithEachFailureUpToItsBound() {
    Backoff backoff = Backoff.exact(FIRST, MAX);
    assertThat(backoff.nanos(0)).isEqualTo(FIRST);
    assertThat(backoff.nanos(1)).isEqualTo(FIRST);
    assertThat(backoff.nanos(2)).isEqualTo(2 * FIRST);
    assertThat(backoff.nanos(3)).isEqualTo(4 * FIRST);
    assertThat(backoff.nanos(8)).isEqualTo(128 * FIRST);
    assertThat(backoff.nanos(9)).isEqualTo(MAX);
    assertThat(backoff.nanos(100)).isEqualTo(MAX);
  }

  @Test
  void staysAtItsBoundHoweverOftenItDoubles() {
    Backoff backoff = Backoff.exact(3, Long.MAX_VALUE);
    long before = 0;
    for (int failures = 1; failures < 62; failures++) {
      assertThat(backoff.nanos(failures)).as("failure %d", failures).isGreaterThan(before);
      before = backoff.nanos(failures);
    }
    for (int failures : new int[] {63, 64, 65, 66, 128, Integer.MAX_VALUE}) {
      assertThat(backoff.nanos(failures)).isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void jitterTakesBetweenHalfAndAll() {
    Backoff least = Backoff.jittered(FIRST, MAX, always(false));
    Backoff most = Backoff.jittered(FIRST, MAX, always(true));
    Backoff whole = Backoff.exact(FIRST, MAX);
    for (int failures = 0; failures < 20; failures++) {
      assertThat(least.nanos(failures)).isEqualTo(whole.nanos(failures) / 2);
      assertThat(most.nanos(failures)).isEqualTo(whole.nanos(failures));
    }
  }

  @Test
  void twoClientsDoNotComeBackTogether() {
    Backoff one = Backoff.jittered(FIRST, MAX, new Random(1));
    Backoff other = Backoff.jittered(FIRST, MAX, new Random(2));
    assertThat(one.nanos(5)).isNotEqualTo(other.nanos(5));
  }

  @Test
  void boundsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> Backoff.exact(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Backoff.exact(2, 1)).hasMessageContaining("2 to 1 ns");
  }
}
