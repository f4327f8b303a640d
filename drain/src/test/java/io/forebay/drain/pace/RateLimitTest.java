// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.drain.Seeds;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void theRateIsKeptWhateverTheSizes() {
    Seeds.run(
        50,
        random -> {
          long bytesPerSecond = 1 + random.nextLong(1L << (1 + random.nextInt(40)));
          long start = random.nextLong();
          RateLimit limit = new RateLimit(bytesPerSecond, start);
          int bytesMax = 1 + (int) Math.min(64 << 20, bytesPerSecond);
          long now = start;
          double taken = 0;
          int last = 0;
          while (now - start < 20 * SECOND && taken < 20.0 * bytesPerSecond) {
            long wait = limit.waitNanos(now);
            assertThat(wait).isBetween(0L, SECOND * 2);
            now += wait;
            last = 1 + random.nextInt(bytesMax);
            limit.take(last, now);
            taken += last;
            if (taken > 1_000L * bytesMax) break;
          }
          double allowed = bytesPerSecond * ((now - start) / 1e9 + 0.1) + last;
          // A nanosecond per take is rounded away.
          assertThat(taken).isLessThanOrEqualTo(allowed * 1.001 + bytesPerSecond * 1e-5);
        });
  }

  @Test
  void littleIsSavedUp() {
    RateLimit limit = new RateLimit(1000, 0);
    limit.take(100, 100 * SECOND);
    assertThat(limit.waitNanos(100 * SECOND)).isZero();
    limit.take(1000, 100 * SECOND);
    assertThat(limit.waitNanos(100 * SECOND)).isEqualTo(SECOND);
  }

  @Test
  void noLimitIsNone() {
    RateLimit limit = new RateLimit(RateLimit.UNLIMITED, 5);
    limit.take(Integer.MAX_VALUE, 5);
    assertThat(limit.waitNanos(5)).isZero();
    assertThatThrownBy(() -> new RateLimit(-1, 0)).hasMessageContaining("-1");
  }
}
