// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.geos5.Geos5Bundles;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.file.BundleDraft;
import io.forebay.netcdf.bundle.file.BundleFiles;
import io.forebay.parallel.Operation;
import io.forebay.parallel.RankProgram;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What takes virtual time, and how much, on a machine of round numbers. */
class SimulatedTimesTest {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;

  /** 2 ranks per node; 1 GB/s, so that a byte takes a nanosecond. */
  private static final SimulatedMachine ROUND =
      new SimulatedMachine(
          2,
          new SimulatedMachine.Messages(MICRO, MICRO, 0, 1_000, 2),
          new SimulatedMachine.Links(1e9, 10 * MICRO, 100, 0, 4, 0),
          new SimulatedMachine.Copies(1e9, 0),
          new SimulatedMachine.Store(
              4e9,
              1e9,
              2e9,
              10 * MILLI,
              new SimulatedMachine.Calls(0, MILLI, MILLI, MILLI, MICRO)));

  private static final long LENGTH = MILLI;

  private static MemorySegment message(long bytes) {
    return new SimulatedMemory().allocate(Arena.ofAuto(), bytes);
  }

  private static long run(int ranks, RankProgram program) throws IOException {
    return new SimulatedRanks(ROUND, ranks).run(program);
  }

  /** Each rank of the first nodes sends to a rank of the last one. */
  private static long manyToOne(int senders) throws IOException {
    int ranks = 2 * senders + 2;
    return run(
        ranks,
        group -> {
          int last = ranks - 2;
          List<Operation> all = new ArrayList<>();
          if (group.rank() == last) {
            for (int i = 0; i < senders; i++) all.add(group.postReceive(2 * i, 0, message(LENGTH)));
          } else if (group.rank() % 2 == 0) {
            all.add(group.postSend(last, 0, message(LENGTH)));
          }
          for (Operation each : all) group.await(each);
        });
  }

  @Test
  void aLongMessageIsAskedForAndTakesTheLink() throws IOException {
    // Work at both ends, three times the latency, and the bytes.
    assertThat(manyToOne(1)).isEqualTo(2 * MICRO + 30 * MICRO + LENGTH);
  }

  @Test
  void sendersShareTheReceiversLink() throws IOException {
    assertThat(manyToOne(4)).isBetween(4 * LENGTH, 4 * LENGTH + 100 * MICRO);
  }

  @Test
  void moreConnectionsThanAtHandSlowAReceiverDown() throws IOException {
    SimulatedMachine.Links links = new SimulatedMachine.Links(1e9, 10 * MICRO, 100, 0, 4, MILLI);
    SimulatedMachine slow =
        new SimulatedMachine(2, ROUND.messages(), links, ROUND.copies(), ROUND.store());
    RankProgram program =
        group -> {
          if (group.rank() == 0) {
            List<Operation> all = new ArrayList<>();
            for (int from = 2; from < group.size(); from++) {
              all.add(group.postReceive(from, 0, message(1_000)));
            }
            for (Operation each : all) group.await(each);
          } else if (group.rank() > 1) {
            group.send(0, 0, message(1_000));
          }
        };
    long few = new SimulatedRanks(slow, 6).run(program);
    long many = new SimulatedRanks(slow, 18).run(program);
    assertThat(few).isLessThan(MILLI);
    assertThat(many).isGreaterThan(4 * MILLI);
  }

  @Test
  void aShortMessageDoesNotWaitForItsReceiver() throws IOException {
    SimulatedRanks cluster = new SimulatedRanks(ROUND, 4);
    long[] sent = new long[4];
    cluster.run(
        group -> {
          MemorySegment memory = message(500);
          if (group.rank() == 0) {
            for (int i = 0; i < 4; i++) {
              group.send(2, 0, memory);
              sent[i] = cluster.time().nanos();
            }
          } else if (group.rank() == 2) {
            cluster.time().sleepUntil(MILLI);
            for (int i = 0; i < 4; i++) group.receive(0, 0, memory);
          }
        });
    assertThat(sent[1]).isLessThan(10 * MICRO);
    assertThat(sent[2]).as("the receiver has room for two").isGreaterThan(MILLI);
  }

  @Test
  void neighboursCopyWithoutTheLink() throws IOException {
    long end =
        run(
            2,
            group -> {
              if (group.rank() == 0) group.send(1, 0, message(LENGTH));
              else group.receive(0, 0, message(LENGTH));
            });
    assertThat(end).isEqualTo(2 * MICRO + 100 + LENGTH);
  }

  @Test
  void aTaskGoesOnBesideItsRank() throws IOException {
    SimulatedRanks cluster = new SimulatedRanks(ROUND, 1);
    long end =
        cluster.run(
            group -> {
              Operation task = group.postTask(() -> cluster.time().spend(3 * MILLI));
              cluster.time().spend(2 * MILLI);
              group.await(task);
              assertThat(cluster.time().nanos()).isEqualTo(3 * MILLI);
            });
    assertThat(end).isEqualTo(3 * MILLI);
  }

  @Test
  void writesWaitForTheStoreWhenTheCacheIsFull() throws IOException {
    Bundle bundle = bundles(7).getFirst();
    SimulatedRanks cluster = new SimulatedRanks(ROUND, 1);
    long end =
        cluster.run(
            group -> {
              BundleFiles files = cluster.ground().files().apply(bundle);
              BundleDraft file = files.create(bundle, "one");
              assertThat(cluster.time().nanos()).isEqualTo(MILLI);
              file.write(0, 0, message(8 * MILLI));
              assertThat(cluster.time().nanos()).as("a copy").isEqualTo(9 * MILLI);
              file.close();
              file.commit();
            });
    assertThat(end).isEqualTo(10 * MILLI);
    SimulatedRanks both = new SimulatedRanks(ROUND, 2);
    long ended =
        both.run(
            group -> {
              BundleFiles files = both.ground().files().apply(bundle);
              files.create(bundle, "file" + group.rank()).write(0, 0, message(20 * MILLI));
            });
    // The node's 40 MB pass at 1 GB/s, all but the 10 that its cache holds.
    assertThat(ended).isBetween(31 * MILLI, 33 * MILLI);
  }

  @Test
  void theSameProgramTakesTheSameTime() throws IOException {
    List<StepTimes> first = baselines();
    assertThat(baselines()).isEqualTo(first);
    StepTimes master = first.getFirst();
    assertThat(master.createNanos() + master.moveNanos() + master.writeNanos())
        .isEqualTo(master.totalNanos());
    assertThat(master.moveNanos()).isPositive();
    StepTimes collective = first.getLast();
    assertThat(collective.createNanos()).isPositive().isLessThan(collective.totalNanos());
  }

  @Test
  void mastersAreOnDifferentNodes() throws IOException {
    SimulatedRanks cluster = new SimulatedRanks(SimulatedMachine.discover(), 32);
    List<Integer> masters = new ArrayList<>();
    cluster.run(
        group -> {
          if (group.rank() > 0) return;
          MasterWriter writer =
              new MasterWriter(group, bundles(7), cluster.ground(), cluster.elements());
          for (int bundle = 0; bundle < 7; bundle++) masters.add(writer.master(bundle));
        });
    assertThat(masters).containsExactly(0, 8, 16, 24, 1, 9, 17);
  }

  private static List<StepTimes> baselines() throws IOException {
    List<StepTimes> times = new ArrayList<>();
    SimulatedRanks first = new SimulatedRanks(SimulatedMachine.discover(), 24);
    first.run(
        group -> {
          StepTimes each =
              new MasterWriter(group, bundles(20), first.ground(), first.elements()).write("a-");
          if (group.rank() == 0) times.add(each);
        });
    SimulatedRanks second = new SimulatedRanks(SimulatedMachine.discover(), 24);
    second.run(
        group -> {
          StepTimes each = new CollectiveWriter(group, bundles(20), second).write("b-");
          if (group.rank() == 0) times.add(each);
        });
    return times;
  }

  private static List<Bundle> bundles(int planes) {
    return Geos5Bundles.of(Geos5Bundles.HALF_DEGREE, planes, BundleFormat.CDF5);
  }
}
