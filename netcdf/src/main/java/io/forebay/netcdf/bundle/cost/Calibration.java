// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.bundle.cost.MachineCosts.Link;
import io.forebay.netcdf.bundle.memory.Memory;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.parallel.Group;
import io.forebay.parallel.Operation;
import io.forebay.parallel.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Prepares the choice of a scheme; collective:
 *
 * <ol>
 *   <li>Ranks exchange a few messages in pairs, within and between nodes, and take the time.
 *   <li>For each scheme one rank computes the load of its groups: plans take longer than messages.
 *   <li>One reduction gives all ranks the times and loads of all.
 * </ol>
 */
public final class Calibration {
  private static final int TAG = 5;
  private static final long SHORT_BYTES = 8;
  private static final int SHORT_MESSAGES = 2;
  private static final long LONG_BYTES = 64 << 10;
  private static final double NANOS = 1e9;

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
   * A choice between schemes.
   *
   * @param plans the plan of a scheme
   * @param bundles how many there are, and so how many groups at the most
   * @param stepBytes what all groups write in a step
   */
  public SchemeChoice choice(Function<Scheme, StepPlan> plans, int bundles, long stepBytes) {
    Scheme[] schemes = Scheme.values();
    long[] own = new long[2 * Times.NUMBERS + schemes.length * bundles * GroupLoad.NUMBERS];
    LongBuffer numbers = LongBuffer.wrap(own);
    // 1.
    // Collected as garbage: to close a shared arena every thread of the process is stopped.
    Arena arena = Arena.ofAuto();
    MemorySegment out = memory.allocate(arena, LONG_BYTES);
    MemorySegment in = memory.allocate(arena, LONG_BYTES);
    times(nearPartner(), out, in).write(numbers);
    times(farPartner(), out, in).write(numbers);
    // 2.
    for (int i = 0; i < schemes.length; i++) {
      if (i % ranks.size() != ranks.rank()) continue;
      numbers.position(2 * Times.NUMBERS + i * bundles * GroupLoad.NUMBERS);
      for (GroupPlan group : plans.apply(schemes[i]).groups()) {
        GroupLoad.of(group, nodes).write(numbers);
      }
    }
    // 3. A load is 0 on all ranks but one. Sums of integers are the same on all ranks.
    LongBuffer sums = LongBuffer.wrap(ranks.allReduce(own, Reduction.SUM));
    Link near = Times.read(sums).link();
    Link far = Times.read(sums).link();
    Map<Scheme, List<GroupLoad>> loads = new EnumMap<>(Scheme.class);
    for (Scheme scheme : schemes) {
      List<GroupLoad> groups = new ArrayList<>();
      for (int i = 0; i < bundles; i++) groups.add(GroupLoad.read(sums));
      loads.put(scheme, groups);
    }
    return new SchemeChoice(
        new StepLoads(loads, stepBytes), new MachineCosts(near, far, StoreCosts.UNKNOWN));
  }

  /** The next rank, in pairs; usually on the same node. The last of an odd number has none. */
  private int nearPartner() {
    int partner = ranks.rank() ^ 1;
    return partner < ranks.size() ? partner : ranks.rank();
  }

  /** A rank half of all ranks away, in pairs; usually on another node if there are several. */
  private int farPartner() {
    int half = ranks.size() / 2;
    int rank = ranks.rank();
    if (rank < half) return rank + half;
    return rank < 2 * half ? rank - half : rank;
  }

  /**
   * Times of exchanges, of some ranks together.
   *
   * @param ranks how many ranks had a partner
   */
  private record Times(long shortNanos, long longNanos, long ranks) {
    static final int NUMBERS = 3;
    static final Times NONE = new Times(0, 0, 0);

    void write(LongBuffer numbers) {
      numbers.put(shortNanos).put(longNanos).put(ranks);
    }

    static Times read(LongBuffer numbers) {
      return new Times(numbers.get(), numbers.get(), numbers.get());
    }

    /** The mean of all ranks. With so few messages a short one may take as long as a long one. */
    Link link() {
      double all = Math.max(1, ranks);
      double bytesNanos = Math.max(longNanos / 2.0, (double) longNanos - shortNanos) / all;
      return new Link(shortNanos / all, LONG_BYTES / Math.max(1, bytesNanos) * NANOS);
    }
  }

  /** Exchanges messages with a partner while all other ranks do the same. */
  private Times times(int partner, MemorySegment out, MemorySegment in) {
    if (partner == ranks.rank()) return Times.NONE;
    // The first message waits for the partner to come here, and others may be disturbed.
    long least = Long.MAX_VALUE;
    for (int i = 0; i < SHORT_MESSAGES; i++) {
      MemorySegment shortIn = in.asSlice(0, SHORT_BYTES);
      least = Math.min(least, exchangeNanos(partner, out.asSlice(0, SHORT_BYTES), shortIn));
    }
    return new Times(least, exchangeNanos(partner, out, in), 1);
  }

  private long exchangeNanos(int partner, MemorySegment out, MemorySegment in) {
    long start = clock.nanos();
    Operation receive = ranks.postReceive(partner, TAG, in);
    Operation send = ranks.postSend(partner, TAG, out);
    ranks.await(receive);
    ranks.await(send);
    return clock.nanos() - start;
  }
}
