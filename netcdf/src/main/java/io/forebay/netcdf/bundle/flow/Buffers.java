// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.memory.RankMemory;
import io.forebay.netcdf.bundle.plan.Bounds;
import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.netcdf.bundle.plan.Window;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.List;

/** The memory of one rank for steps of one plan, used again in each step. */
public final class Buffers {
  /** One is filled while the other is emptied. */
  static final int PAIR = 2;

  private final MemorySegment arriving;
  private final List<MemorySegment> held;
  private final List<MemorySegment> windows;
  private final List<MemorySegment> shares;
  private final MemorySegment shuffled;
  private final MemorySegment gathered;

  /**
   * How much memory a plan needs of a rank.
   *
   * @param heldBytes what it receives in a round at the most
   * @param windowBytes what it writes at a time
   * @param windows how many windows it writes, of which two may be under way
   */
  private record Needs(
      long heldBytes, int rounds, long windowBytes, int windows, long sentBytes, boolean shares) {
    static Needs of(StepPlan plan, Bounds bounds, int rank) {
      GroupPlan group = plan.groupOf(rank);
      int member = plan.memberOf(rank);
      long heldBytes = 0;
      long windowBytes = 0;
      int windows = 0;
      for (int round = 0; round < group.rounds(); round++) {
        heldBytes = Math.max(heldBytes, group.receivedBytes(round, member));
        for (Window window : group.windows(round)) {
          if (window.aggregator() != member || GatherIn.isHeldAlone(group, window)) continue;
          windows++;
          windowBytes = Math.max(windowBytes, group.stripBytes(window.first(), window.end()));
        }
      }
      long sent = Math.min(bounds.sendBytes(), sentBytes(plan, rank));
      return new Needs(heldBytes, group.rounds(), windowBytes, windows, sent, group.holdsShares());
    }

    private static long sentBytes(StepPlan plan, int rank) {
      long bytes = 0;
      for (GroupPlan group : plan.groups()) {
        for (int round = 0; round < group.rounds(); round++) {
          bytes += group.heldBytes(group.firstStrip(round), group.endStrip(round), rank);
        }
      }
      return bytes;
    }

    /** The length of one of a pair, which is nothing where there is no second round or window. */
    long heldBytes(int which) {
      return which < rounds ? heldBytes : 0;
    }

    long windowBytes(int which) {
      return which < windows ? windowBytes : 0;
    }

    long arrivingBytes() {
      return shares ? 0 : heldBytes;
    }

    long shareBytes(int which) {
      return shares ? windowBytes(which) : 0;
    }

    long gatheredBytes(Bounds bounds) {
      return shares ? Math.min(bounds.windowBytes(), heldBytes) : 0;
    }
  }

  /** Divides a rank's memory for a plan. */
  public Buffers(StepPlan plan, Bounds bounds, int rank, RankMemory memory) {
    Needs needs = Needs.of(plan, bounds, rank);
    List<MemorySegment> divided =
        memory.divide(
            needs.arrivingBytes(),
            needs.sentBytes,
            needs.gatheredBytes(bounds),
            needs.heldBytes(0),
            needs.heldBytes(1),
            needs.windowBytes(0),
            needs.windowBytes(1),
            needs.shareBytes(0),
            needs.shareBytes(1));
    Iterator<MemorySegment> each = divided.iterator();
    arriving = each.next();
    shuffled = each.next();
    gathered = each.next();
    held = List.of(each.next(), each.next());
    windows = List.of(each.next(), each.next());
    shares = List.of(each.next(), each.next());
  }

  /** Parts of planes as they arrive, before they are put together. */
  MemorySegment arriving() {
    return arriving;
  }

  /** What this member holds of a round. */
  MemorySegment held(int which) {
    return held.get(which);
  }

  /** What this aggregator writes at a time. */
  MemorySegment window(int which) {
    return windows.get(which);
  }

  /** Shares of a window as they arrive. */
  MemorySegment shares(int which) {
    return shares.get(which);
  }

  /** Packed messages of the shuffle. */
  MemorySegment shuffled() {
    return shuffled;
  }

  /** Packed messages of shares to aggregators. */
  MemorySegment gathered() {
    return gathered;
  }
}
