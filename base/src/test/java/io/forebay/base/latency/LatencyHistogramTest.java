// SPDX-License-Identifier: Apache-2.0

package io.forebay.base.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static final int LAST_BOUNDED = LatencyHistogram.BUCKETS - 2;

  @Test
  void boundsDoubleFrom16MicrosecondsOn() {
    assertThat(LatencyHistogram.boundNanos(0)).isEqualTo(16_000);
    for (int i = 1; i <= LAST_BOUNDED; i++) {
      assertThat(LatencyHistogram.boundNanos(i)).isEqualTo(2 * LatencyHistogram.boundNanos(i - 1));
    }
    assertThatThrownBy(() -> LatencyHistogram.boundNanos(LAST_BOUNDED + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBucketCountsWhatIsAtMostItsBound() {
    for (int i = 0; i <= LAST_BOUNDED; i++) {
      assertThat(LatencyHistogram.bucketOf(LatencyHistogram.boundNanos(i))).isEqualTo(i);
      assertThat(LatencyHistogram.bucketOf(LatencyHistogram.boundNanos(i) + 1)).isEqualTo(i + 1);
    }
  }

  @Test
  void extremesAreCounted() {
    LatencyHistogram histogram = new LatencyHistogram();
    histogram.add(-5);
    histogram.add(0);
    histogram.add(Long.MAX_VALUE / 2);
    Latencies now = histogram.now();
    assertThat(now.count(0)).isEqualTo(2);
    assertThat(now.count(LatencyHistogram.BUCKETS - 1)).isEqualTo(1);
    assertThat(now.count()).isEqualTo(3);
    assertThat(now.totalNanos()).isEqualTo(Long.MAX_VALUE / 2);
  }

  @Test
  void aCopyDoesNotChange() {
    LatencyHistogram histogram = new LatencyHistogram();
    histogram.add(20_000);
    Latencies before = histogram.now();
    histogram.add(20_000);
    assertThat(before.count()).isEqualTo(1);
    assertThat(before.with(histogram.now()).count(1)).isEqualTo(3);
    assertThat(before.with(histogram.now()).totalNanos()).isEqualTo(60_000);
  }
}
