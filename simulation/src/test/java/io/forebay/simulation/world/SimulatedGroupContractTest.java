// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.world;

import io.forebay.base.Timers;
import io.forebay.seat.consensus.Consensus;
import io.forebay.seat.consensus.contract.ConsensusContract;
import io.forebay.seat.consensus.contract.ConsensusWorld;
import io.forebay.testing.TestSeed;
import io.forebay.wire.Address;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The contract of all implementations, kept by the simulated group although leaders change. */
class SimulatedGroupContractTest {
  private static final long STEPS_MAX = 60_000;
  private static final long STEP_NANOS = 1_000_000;
  private static final int NODES = 3;
  private static final int SEEDS = 5;

  @TestFactory
  Stream<DynamicTest> contract() {
    long first = TestSeed.first("SimulatedGroupContractTest");
    return Stream.iterate(first, seed -> seed + 1)
        .limit(SEEDS)
        .flatMap(
            seed ->
                new ConsensusContract(() -> new Nodes(seed), true)
                    .cases().stream()
                        .map(
                            each ->
                                DynamicTest.dynamicTest(
                                    each.name() + ", -Dforebay.seed=" + seed, each.check()::run)));
  }

  /** A node without a manager. */
  private static final class Place implements GroupNode {
    private final String host;
    private Timers timers;
    private SimulatedConsensus agreement;

    Place(String host) {
      this.host = host;
    }

    @Override
    public String host() {
      return host;
    }

    @Override
    public Address address() {
      return new Address.Inet(host, 7070);
    }

    @Override
    public boolean isRunning() {
      return true;
    }

    @Override
    public @Nullable SimulatedConsensus agreement() {
      return agreement;
    }
  }

  private static final class Nodes implements ConsensusWorld {
    private final List<Place> places = new ArrayList<>();
    private final Set<String> isolated = new HashSet<>();
    private final SimulatedGroup group;
    private final Timers timers;
    private long now;

    Nodes(long seed) {
      timers = new Timers(() -> now);
      group =
          new SimulatedGroup(
              timers,
              new SplittableRandom(seed),
              (from, to) -> isolated.contains(from) || isolated.contains(to));
      for (int i = 0; i < NODES; i++) {
        Place place = new Place("node" + i);
        places.add(place);
        group.add(place);
      }
      for (int i = 0; i < NODES; i++) restart(i);
      group.start();
    }

    @Override
    public int nodes() {
      return NODES;
    }

    @Override
    public Consensus consensus(int node) {
      return places.get(node).agreement;
    }

    @Override
    public boolean step(long steps) {
      now += STEP_NANOS;
      timers.runDue();
      for (Place place : places) place.timers.runDue();
      return steps < STEPS_MAX;
    }

    @Override
    public void restart(int node) {
      Place place = places.get(node);
      place.timers = new Timers(() -> now);
      place.agreement = new SimulatedConsensus(group, place, places, place.timers);
    }

    @Override
    public void isolate(int node) {
      isolated.add(places.get(node).host());
    }

    @Override
    public void heal() {
      isolated.clear();
    }

    @Override
    public boolean hasMoved() {
      return group.term() > 1;
    }

    @Override
    public int tooLongBytes() {
      return SimulatedConsensus.COMMAND_BYTES_MAX + 1;
    }

    @Override
    public int snapshotCommands() {
      return 50;
    }

    @Override
    public void close() {}
  }
}
