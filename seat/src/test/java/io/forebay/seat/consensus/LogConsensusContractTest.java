// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import io.forebay.base.Timers;
import io.forebay.seat.consensus.contract.ConsensusContract;
import io.forebay.seat.consensus.contract.ConsensusWorld;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The contract of all implementations, kept by the one of a single node. */
class LogConsensusContractTest {
  private static final long STEPS_MAX = 20_000;

  @TestFactory
  Stream<DynamicTest> contract() {
    long seed = SimulatedLog.seed("LogConsensusContractTest");
    return new ConsensusContract(() -> new World(seed), false)
        .cases().stream().map(each -> DynamicTest.dynamicTest(each.name(), each.check()::run));
  }

  /** One node on a simulated SSD. */
  private static final class World implements ConsensusWorld {
    private final SimulatedLog log;
    private SimulatedLog.Life life;
    private Timers timers;
    private long now;

    World(long seed) throws IOException {
      log = new SimulatedLog(new SplittableRandom(seed));
      log.surplusEntriesMax = snapshotCommands();
      begin();
    }

    private void begin() throws IOException {
      timers = new Timers(() -> now);
      try {
        life = log.open(() -> now, timers);
      } catch (Exception e) {
        throw new IOException(e);
      }
    }

    @Override
    public int nodes() {
      return 1;
    }

    @Override
    public Consensus consensus(int node) {
      return life.consensus();
    }

    @Override
    public boolean step(long steps) {
      now += 1_000_000;
      life.consensus().poll();
      timers.runDue();
      return steps < STEPS_MAX;
    }

    @Override
    public void restart(int node) throws IOException {
      log.ssd.killProcess();
      begin();
    }

    @Override
    public boolean cutPower() throws IOException {
      log.ssd.powerCut();
      begin();
      return true;
    }

    @Override
    public int tooLongBytes() {
      return 100_000;
    }

    @Override
    public int snapshotCommands() {
      return 50;
    }

    @Override
    public void close() {}
  }
}
