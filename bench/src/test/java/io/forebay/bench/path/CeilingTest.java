// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.transfer.Cost;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CeilingTest {
  private static final long GIB = 1L << 30;

  /** A hop with that rate, and that processor time. */
  private static Hop hop(String name, double mibPerSecond, double cpuSecondsPerGib) {
    long second = TimeUnit.SECONDS.toNanos(1);
    long nanos = (long) (second * 1024 / mibPerSecond);
    return new Hop(name, List.of(new Cost(GIB, nanos, (long) (second * cpuSecondsPerGib))));
  }

  @Test
  void theSlowestHopLimitsByWhatGoesThroughIt() {
    Ceiling ceiling =
        new Ceiling()
            .hop(hop("client", 3000, 0), 1, 1)
            .hop(hop("network", 2000, 0), 2, 2)
            .hop(hop("server", 1600, 0), 3, 2);
    assertThat(ceiling.lowest().name()).isEqualTo("network");
    assertThat(ceiling.bounds())
        .extracting(Ceiling.Bound::name)
        .containsExactly("network", "server", "client");
    assertThat(ceiling.bounds().get(1).mibPerSecond()).isBetween(2399.0, 2401.0);
    assertThat(ceiling.sentence("write", 1000))
        .isEqualTo(
            "write: 1000 MiB/s of at most 2000 (0.50); 'network' limits it, then 'server' (2400)");
  }

  @Test
  void aPathFarBelowAllBoundsIsNotExplained() {
    assertThat(new Ceiling().hop(hop("network", 2000, 0), 1, 1).sentence("write", 100))
        .isEqualTo(
            "write: 100 MiB/s of at most 2000 (0.05); no hop measured alone explains that; the"
                + " lowest bound is 'network'");
  }

  @Test
  void processorsOfOneMachineAreAHopToo() {
    Ceiling ceiling = new Ceiling().hop(hop("network", 5000, 0.5), 1, 1).cpu(0.5).cpu(0.5);
    assertThat(ceiling.lowest().name()).isEqualTo("network");
    assertThat(ceiling.onOneMachine(2).lowest())
        .satisfies(
            lowest -> {
              assertThat(lowest.name()).isEqualTo("processors");
              assertThat(lowest.mibPerSecond()).isBetween(2047.0, 2049.0);
            });
    assertThat(new Ceiling().hop(hop("far away", 100, 0), 1, 1).onOneMachine(2).lowest().name())
        .isEqualTo("far away");
  }
}
