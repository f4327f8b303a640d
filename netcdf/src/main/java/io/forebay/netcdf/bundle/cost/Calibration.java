// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.bundle.cost.MachineCosts.Link;
import io.forebay.netcdf.bundle.flow.Memory;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.parallel.Group;
import io.forebay.parallel.Operation;
import io.forebay.parallel.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Measures what messages and writes cost on this machine; collective, in some milliseconds. */
public final class Calibration {
  /** Writes to the store of a set of bundles, and removes what was written. */
  public interface WriteProbe {
    /** Creates a file; returns the nanoseconds that this took, 0 where it failed. */
    long create();

    /** Writes to it; returns bytes a second. */
    double write();

    void remove();
  }

  private static final int TAG = 5;
  private static final int ROUND_TRIPS = 8;
  private static final long SHORT_BYTES = 8;
  private static final long LONG_BYTES = 256 << 10;
  private static final int LONG_MESSAGES = 4;
  private static final double NANOS = 1e9;

  /** What a store that could not be measured is taken for. */
  private static final double UNKNOWN_RATE = 1e9;

  private final Group ranks;
  private final Memory memory;
  private final MonotonicClock clock;
  private final int[] nodes;

  public Calibration(Group ranks, Memory memory, MonotonicClock clock) {
    this.ranks = ranks;
    this.memory = memory;
    this.clock = clock;
    nodes = new int[ranks.size()];
    for (int rank = 0; rank < nodes.length; rank++) nodes[rank] = ranks.node(rank);
  }

  /**
   * A choice between schemes by what was measured.
   *
   * @param plans the plan of each scheme
   * @param probe of this rank
   * @param roots the ranks that write together, the first of which also writes alone
   */
  public SchemeChoice choice(Map<Scheme, StepPlan> plans, WriteProbe probe, List<Integer> roots) {
    CostModel model = new CostModel(measure(probe, roots), nodes);
    Map<Scheme, Double> predicted = new EnumMap<>(Scheme.class);
    plans.forEach((scheme, plan) -> predicted.put(scheme, model.stepNanos(plan)));
    return new SchemeChoice(predicted);
  }

  private MachineCosts measure(WriteProbe probe, List<Integer> roots) {
    Link near;
    Link far;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment out = memory.allocate(arena, LONG_BYTES);
      MemorySegment in = memory.allocate(arena, LONG_BYTES);
      near = link(nearPartner(), out, in);
      far = isOneNode() ? near : link(farPartner(), out, in);
    }
    boolean writes = roots.contains(ranks.rank());
    long create = writes ? probe.create() : 0;
    boolean isFirst = ranks.rank() == roots.getFirst();
    ranks.barrier();
    double alone = isFirst ? probe.write() : 0;
    ranks.barrier();
    double together = writes ? probe.write() : 0;
    if (writes) probe.remove();
    double[] highest = ranks.allReduce(new double[] {alone, (double) create}, Reduction.MAX);
    double sum = ranks.allReduce(new double[] {together}, Reduction.SUM)[0];
    return new MachineCosts(
        near,
        far,
        highest[0] > 0 ? highest[0] : UNKNOWN_RATE,
        sum > 0 ? sum : UNKNOWN_RATE,
        (long) highest[1]);
  }

  private boolean isOneNode() {
    for (int node : nodes) {
      if (node != nodes[0]) return false;
    }
    return true;
  }

  /** The next rank, in pairs; usually on the same node. The last of an odd number has none. */
  private int nearPartner() {
    int partner = ranks.rank() ^ 1;
    return partner < ranks.size() ? partner : ranks.rank();
  }

  /** A rank half of all ranks away, in pairs. */
  private int farPartner() {
    int half = ranks.size() / 2;
    int rank = ranks.rank();
    if (rank < half) return rank + half;
    return rank < 2 * half ? rank - half : rank;
  }

  /** Exchanges messages with a partner while all other ranks do the same. */
  private Link link(int partner, MemorySegment out, MemorySegment in) {
    MemorySegment shortOut = out.asSlice(0, SHORT_BYTES);
    MemorySegment shortIn = in.asSlice(0, SHORT_BYTES);
    // The first messages are those that load code and touch memory.
    exchange(partner, shortOut, shortIn, 1);
    exchange(partner, out, in, 1);
    ranks.barrier();
    long shortNanos = exchange(partner, shortOut, shortIn, ROUND_TRIPS);
    ranks.barrier();
    long longNanos = exchange(partner, out, in, LONG_MESSAGES);
    double[] slowest = ranks.allReduce(new double[] {shortNanos, longNanos}, Reduction.MAX);
    double message = slowest[0] / ROUND_TRIPS;
    double bytesNanos = Math.max(1, slowest[1] / LONG_MESSAGES - message);
    return new Link(message, LONG_BYTES / bytesNanos * NANOS);
  }

  private long exchange(int partner, MemorySegment out, MemorySegment in, int times) {
    if (partner == ranks.rank()) return 0;
    long start = clock.nanos();
    for (int i = 0; i < times; i++) {
      Operation receive = ranks.postReceive(partner, TAG, in);
      Operation send = ranks.postSend(partner, TAG, out);
      ranks.await(receive);
      ranks.await(send);
    }
    return clock.nanos() - start;
  }
}
