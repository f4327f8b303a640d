// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.plan.Bounds;
import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.netcdf.bundle.plan.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The memory of one rank for steps of one plan, used again in each step. */
public final class Buffers implements AutoCloseable {
  /** One is filled while the other is emptied. */
  static final int PAIR = 2;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment arriving;
  private final MemorySegment[] held = new MemorySegment[PAIR];
  private final MemorySegment[] windows = new MemorySegment[PAIR];
  private final MemorySegment[] shares = new MemorySegment[PAIR];
  private final MemorySegment shuffled;
  private final MemorySegment gathered;
  private long totalBytes;

  /** Takes as much memory as the plan needs of this rank, within the bounds of the plan. */
  public Buffers(StepPlan plan, Bounds bounds, int rank, Memory memory) {
    GroupPlan group = plan.groupOf(rank);
    int member = plan.memberOf(rank);
    long heldBytes = 0;
    long windowBytes = 0;
    for (int round = 0; round < group.rounds(); round++) {
      heldBytes = Math.max(heldBytes, group.receivedBytes(round, member));
      for (Window window : group.windows(round)) {
        if (window.aggregator() != member) continue;
        windowBytes = Math.max(windowBytes, group.stripBytes(window.first(), window.end()));
      }
    }
    boolean isShared = group.holdsShares();
    arriving = take(memory, isShared ? 0 : heldBytes);
    for (int i = 0; i < PAIR; i++) {
      held[i] = take(memory, heldBytes);
      windows[i] = take(memory, windowBytes);
      shares[i] = take(memory, isShared ? windowBytes : 0);
    }
    shuffled = take(memory, Math.min(bounds.sendBytes(), sentBytes(plan, rank)));
    gathered = take(memory, isShared ? Math.min(bounds.windowBytes(), heldBytes) : 0);
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

  private MemorySegment take(Memory memory, long bytes) {
    totalBytes += bytes;
    return bytes == 0 ? MemorySegment.NULL : memory.allocate(arena, bytes);
  }

  /** How much memory there is in all. */
  public long totalBytes() {
    return totalBytes;
  }

  /** Parts of planes as they arrive, before they are put together. */
  MemorySegment arriving() {
    return arriving;
  }

  /** What this member holds of a round. */
  MemorySegment held(int which) {
    return held[which];
  }

  /** What this aggregator writes at a time. */
  MemorySegment window(int which) {
    return windows[which];
  }

  /** Shares of a window as they arrive. */
  MemorySegment shares(int which) {
    return shares[which];
  }

  /** Packed messages of the shuffle. */
  MemorySegment shuffled() {
    return shuffled;
  }

  /** Packed messages of shares to aggregators. */
  MemorySegment gathered() {
    return gathered;
  }

  @Override
  public void close() {
    arena.close();
  }
}
