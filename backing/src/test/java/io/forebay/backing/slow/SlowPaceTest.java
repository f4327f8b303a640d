// SPDX-License-Identifier: Apache-2.0

package io.forebay.backing.slow;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowPaceTest {
  private static final long MIB_NANOS = (1L << 20) * 1_000_000_000 / SlowPace.BYTES_PER_SECOND;

  private long now = 7_000_000_000L;
  private final SlowPace.Busy busy = new SlowDevice.OwnBusy();
  private final SlowPace pace = new SlowPace(busy, SlowPace.BYTES_PER_SECOND, () -> now);

  @Test
  void bytesQueueForTheWholeStoreAndCallsOverlap() {
    long start = now;
    assertThat(pace.endNanos(0)).isEqualTo(start + SlowPace.CALL_NANOS);
    assertThat(pace.endNanos(1 << 20)).isEqualTo(start + MIB_NANOS + SlowPace.CALL_NANOS);
    assertThat(pace.endNanos(1 << 20)).isEqualTo(start + (2 * MIB_NANOS) + SlowPace.CALL_NANOS);
    assertThat(pace.endNanos(0)).isEqualTo(start + SlowPace.CALL_NANOS);
    now += 100 * MIB_NANOS;
    assertThat(pace.endNanos(1 << 20)).isEqualTo(now + MIB_NANOS + SlowPace.CALL_NANOS);
  }

  @Test
  void anotherRateTakesAsMuchLonger() {
    SlowPace slower = new SlowPace(busy, SlowPace.BYTES_PER_SECOND / 4, () -> now);
    assertThat(slower.endNanos(1 << 20)).isEqualTo(now + (4 * MIB_NANOS) + SlowPace.CALL_NANOS);
  }

  @Test
  void whatAnotherBootLeftIsNotWaitedFor() {
    assertThat(busy.change(0, now + SlowPace.QUEUE_NANOS_MAX + 1)).isTrue();
    assertThat(pace.endNanos(1 << 20)).isEqualTo(now + MIB_NANOS + SlowPace.CALL_NANOS);
  }

  @Test
  void processesShareTheDevice(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("deeper/busy");
    SharedBusy made = new SharedBusy(file);
    SharedBusy found = new SharedBusy(file);
    SlowPace one = new SlowPace(made, SlowPace.BYTES_PER_SECOND, () -> now);
    SlowPace other = new SlowPace(found, SlowPace.BYTES_PER_SECOND, () -> now);
    one.endNanos(1 << 20);
    assertThat(other.endNanos(1 << 20)).isEqualTo(now + (2 * MIB_NANOS) + SlowPace.CALL_NANOS);
    found.close();
    assertThat(file).exists();
    made.close();
    assertThat(directory).isEmptyDirectory();
    assertThat(one.endNanos(1 << 20)).isEqualTo(now + (3 * MIB_NANOS) + SlowPace.CALL_NANOS);
  }
}
