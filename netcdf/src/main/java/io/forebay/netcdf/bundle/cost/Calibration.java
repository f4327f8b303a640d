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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Prepares the choice of a scheme:
 *
 * <ol>
 *   <li>Ranks exchange a few messages in pairs, within and between nodes, and take the time.
 *   <li>For each scheme one rank computes the load of its groups: plans take longer than messages.
 *   <li>The ranks agree on the highest of each number. The caller does this together with what it
 *       has to agree on anyway, since a further exchange may take longer than all messages.
 * </ol>
 */
public final class Calibration {
  private static final int TAG = 5;
  private static final long SHORT_BYTES = 8;
  private static final int SHORT_MESSAGES = 2;
  private static final long LONG_BYTES = 64 << 10;
  private static final double NANOS = 1e9;

  /** All ranks exchange messages, but only as many as this tell the others their times. */
  private static final int TIMES_RANKS_MAX = 16;

  /** What such a rank tells: times within and between nodes. */
  private static final int RANK_NUMBERS = 2 * Times.NUMBERS;

  private final Group ranks;
  private final Memory memory;
  private final MonotonicClock clock;
  private final int[] nodes;
  private final List<Scheme> schemes;

  /**
   * For some ranks.
   *
   * @param nodes of each rank, its node
   * @param schemes to choose from; the same on all ranks
   */
  public Calibration(
      Group ranks, Memory memory, MonotonicClock clock, int[] nodes, List<Scheme> schemes) {
    this.ranks = ranks;
    this.memory = memory;
    this.clock = clock;
    this.nodes = nodes.clone();
    this.schemes = List.copyOf(schemes);
  }

  /**
   * Steps 1 and 2; collective. Every rank has some of the numbers, and 0 for the others.
   *
   * @param plans the plan of a scheme
   * @param bundles how many there are, and so how many groups at the most
   */
  public long[] numbers(Function<Scheme, StepPlan> plans, int bundles) {
    int timesEnd = timesRanks() * RANK_NUMBERS;
    int schemeNumbers = bundles * GroupLoad.NUMBERS;
    long[] own = new long[timesEnd + schemes.size() * schemeNumbers];
    LongBuffer numbers = LongBuffer.wrap(own);
    // 1. Collected as garbage: to close a shared arena every thread of the process is stopped.
    Arena arena = Arena.ofAuto();
    MemorySegment out = memory.allocate(arena, LONG_BYTES);
    MemorySegment in = memory.allocate(arena, LONG_BYTES);
    Times near = times(nearPartner(), out, in);
    Times far = times(farPartner(), out, in);
    if (ranks.rank() < timesRanks()) {
      numbers.position(ranks.rank() * RANK_NUMBERS);
      near.write(numbers);
      far.write(numbers);
    }
    // 2.
    for (int i = 0; i < schemes.size(); i++) {
      if (i % ranks.size() != ranks.rank()) continue;
      numbers.position(timesEnd + i * schemeNumbers);
      for (GroupPlan group : plans.apply(schemes.get(i)).groups()) {
        GroupLoad.of(group, nodes).write(numbers);
      }
    }
    return own;
  }

  /**
   * A choice between schemes, the same on all ranks.
   *
   * @param highest of all ranks, of each of their numbers
   * @param bundles how many there are
   * @param stepBytes what all groups write in a step
   */
  public SchemeChoice choice(long[] highest, int bundles, long stepBytes) {
    LongBuffer numbers = LongBuffer.wrap(highest);
    List<Times> near = new ArrayList<>();
    List<Times> far = new ArrayList<>();
    for (int rank = 0; rank < timesRanks(); rank++) {
      near.add(Times.read(numbers));
      far.add(Times.read(numbers));
    }
    Map<Scheme, List<GroupLoad>> loads = new EnumMap<>(Scheme.class);
    for (Scheme scheme : schemes) {
      List<GroupLoad> groups = new ArrayList<>();
      for (int i = 0; i < bundles; i++) groups.add(GroupLoad.read(numbers));
      loads.put(scheme, groups);
    }
    MachineCosts costs = new MachineCosts(link(near), link(far), StoreCosts.UNKNOWN);
    return new SchemeChoice(new StepLoads(loads, stepBytes), costs);
  }

  /** How many ranks tell the others their times. */
  private int timesRanks() {
    return Math.min(TIMES_RANKS_MAX, ranks.size());
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
   * Times of exchanges of one rank.
   *
   * @param longNanos 0 if the rank had no partner
   */
  private record Times(long shortNanos, long longNanos) {
    static final int NUMBERS = 2;
    static final Times NONE = new Times(0, 0);

    void write(LongBuffer numbers) {
      numbers.put(shortNanos).put(longNanos);
    }

    static Times read(LongBuffer numbers) {
      return new Times(numbers.get(), numbers.get());
    }

    boolean hadPartner() {
      return longNanos > 0;
    }
  }

  /** By the medians of ranks. With so few messages a short one may take as long as a long one. */
  private static Link link(List<Times> all) {
    long shortNanos = median(all, Times::shortNanos);
    long longNanos = median(all, Times::longNanos);
    double bytesNanos = Math.max(longNanos / 2.0, (double) longNanos - shortNanos);
    return new Link(shortNanos, LONG_BYTES / Math.max(1, bytesNanos) * NANOS);
  }

  private static long median(List<Times> all, ToLongFunction<Times> nanos) {
    long[] sorted = all.stream().filter(Times::hadPartner).mapToLong(nanos).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
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
    return new Times(least, Math.max(1, exchangeNanos(partner, out, in)));
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
