// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.pace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainYieldTest {
  private static final int MIB = 1 << 20;
  private static final int WRITE_BYTES = 8 * MIB;

  /**
   * A machine that both share: what they do takes a part of each tick. Who has something to do gets
   * half of it, or all that the other leaves.
   */
  private static final class Machine {
    private final DrainYield pace = new DrainYield();
    private final double ingestMost;
    private final double drainMost;
    private final double storeMost;
    private long written;
    private double ingested;
    private double drained;
    private double underWay;

    /**
     * A machine at rest.
     *
     * @param ingestMost MiB per tick if clients have it for themselves
     * @param drainMost the same for the drain
     * @param storeMost MiB per tick that the backing store takes
     */
    Machine(double ingestMost, double drainMost, double storeMost) {
      this.ingestMost = ingestMost;
      this.drainMost = drainMost;
      this.storeMost = storeMost;
    }

    /** Clients want to write so much per tick. */
    void run(int ticks, double wanted, boolean drains, int fullPercent) {
      ingested = 0;
      drained = 0;
      for (int tick = 0; tick < ticks; tick++) {
        pace.tick(written, fullPercent, DrainYield.TICK_NANOS);
        while (drains && pace.allowsMore() && underWay < 2.0 * WRITE_BYTES / MIB) {
          pace.begins(WRITE_BYTES);
          underWay += (double) WRITE_BYTES / MIB;
        }
        double draining = Math.min(Math.min(underWay, storeMost), drainMost) / drainMost;
        double writing = Math.min(wanted / ingestMost, 1);
        double left = 1 - Math.min(draining, Math.max(0.5, 1 - writing));
        writing = Math.min(writing, left);
        draining = Math.min(draining, 1 - writing);
        ingested += writing * ingestMost;
        written += (long) (writing * ingestMost * MIB);
        drained += draining * drainMost;
        underWay -= draining * drainMost;
        pace.ends((int) (draining * drainMost * MIB));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"20, 10, 1000", "20, 40, 1000", "40, 5, 1000", "20, 10, 4", "20, 40, 4", "5, 50, 40"})
  void bothGetWhatTheyShouldWhenBothWantEverything(double ingest, double drain, double store) {
    Machine machine = new Machine(ingest, drain, store);
    machine.run(500, 1000, false, 10);
    double ingestAlone = machine.ingested;
    machine.run(500, 0, true, 10);
    double drainAlone = machine.drained;
    machine.run(500, 1000, true, 10);
    assertThat(machine.pace.yields()).isTrue();
    assertThat(machine.ingested / ingestAlone).isGreaterThanOrEqualTo(0.7);
    assertThat(machine.drained / drainAlone).isGreaterThanOrEqualTo(0.25);
    machine.run(500, 0, true, 10);
    assertThat(machine.drained / drainAlone).isGreaterThan(0.9);
  }

  @Test
  void whatItManagesAloneIsKnownFromShortDrainsToo() {
    Machine machine = new Machine(20, 10, 1000);
    machine.run(500, 1000, false, 10);
    double ingestAlone = machine.ingested;
    for (int i = 0; i < 20; i++) {
      machine.run(6, 0, true, 10);
      machine.run(44, 0, false, 10);
    }
    machine.run(500, 1000, true, 10);
    assertThat(machine.drained / (500 * 10)).isGreaterThanOrEqualTo(0.25);
    assertThat(machine.ingested / ingestAlone).isGreaterThanOrEqualTo(0.7);
  }

  @Test
  void whoTicksTooLateDrainsNoLess() {
    long[] drained = new long[2];
    for (int late = 1; late <= 2; late++) {
      DrainYield pace = new DrainYield();
      long written = 0;
      for (int tick = 0; tick < 1000 / late; tick++) {
        pace.tick(written, 10, late * DrainYield.TICK_NANOS);
        written += (long) late * 20 * MIB;
        while (pace.allowsMore()) {
          pace.begins(WRITE_BYTES);
          pace.ends(WRITE_BYTES);
          if (pace.yields()) drained[late - 1] += WRITE_BYTES;
          else break;
        }
      }
    }
    assertThat((double) drained[1] / drained[0]).isBetween(0.9, 1.1);
  }

  @Test
  void whoWritesLittleOfWhatHeCouldHoldsUpLittle() {
    Machine machine = new Machine(20, 20, 1000);
    machine.run(500, 1000, false, 10);
    machine.run(500, 0, true, 10);
    double drainAlone = machine.drained;
    machine.run(500, 4, true, 10);
    assertThat(machine.pace.yields()).isTrue();
    assertThat(machine.drained / drainAlone).isGreaterThan(0.65);
    assertThat(machine.ingested).isGreaterThan(500 * 4 * 0.95);
    machine.run(500, 0.1, true, 10);
    assertThat(machine.pace.yields()).isFalse();
  }

  @Test
  void soonAfterABurstThereIsNothingToYieldFor() {
    Machine machine = new Machine(20, 10, 1000);
    machine.run(100, 1000, true, 10);
    machine.run(4, 0, true, 10);
    assertThat(machine.pace.yields()).as("a gap between two pieces").isTrue();
    machine.run(8, 0, true, 10);
    assertThat(machine.pace.yields()).isFalse();
  }

  @Test
  void neverAloneItStillGoesOnAndLeavesMost() {
    Machine machine = new Machine(20, 10, 1000);
    machine.run(500, 1000, true, 10);
    assertThat(machine.drained).isGreaterThan(500);
    assertThat(machine.ingested / (500 * 20)).isGreaterThan(0.65);
  }

  @Test
  void inAFullBufferItDoesNotYield() {
    Machine machine = new Machine(20, 10, 1000);
    machine.run(200, 1000, true, DrainYield.FULL_PERCENT);
    assertThat(machine.pace.yields()).isFalse();
    assertThat(machine.drained).isGreaterThan(200 * 10 * 0.45);
  }
}
