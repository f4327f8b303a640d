// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.Window;
import io.forebay.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives an aggregator's windows and has them written, two at a time: one is filled while the
 * other is written. Windows that this member holds alone are not among them.
 */
final class GatherIn implements Part {
  /** A window on its way. */
  private final class Slot {
    final int which;
    @Nullable Window window;
    final List<Operation> receives = new ArrayList<>();
    boolean awaitsOwn;
    @Nullable Operation write;

    Slot(int which) {
      this.which = which;
    }

    MemorySegment memory(Window of) {
      return buffers.window(which).asSlice(0, position.own().stripBytes(of.first(), of.end()));
    }
  }

  private final Position position;
  private final Elements elements;
  private final Buffers buffers;
  private final StepWriter writer;
  private final List<Slot> slots = new ArrayList<>();
  private final Deque<Window> next = new ArrayDeque<>();
  private int roundsListed;

  GatherIn(Position position, Elements elements, Buffers buffers, StepWriter writer) {
    this.position = position;
    this.elements = elements;
    this.buffers = buffers;
    this.writer = writer;
    for (int i = 0; i < Buffers.PAIR; i++) slots.add(new Slot(i));
    listMore();
  }

  private void listMore() {
    GroupPlan own = position.own();
    while (next.isEmpty() && roundsListed < own.rounds()) {
      for (Window window : own.windows(roundsListed)) {
        if (window.aggregator() == position.member() && !isHeldAlone(own, window)) {
          next.add(window);
        }
      }
      roundsListed++;
    }
  }

  /** Whether the aggregator of a window holds all of it. */
  static boolean isHeldAlone(GroupPlan own, Window window) {
    return !own.holdsShares()
        && own.contributedBytes(window, window.aggregator())
            == own.stripBytes(window.first(), window.end());
  }

  @Override
  public boolean advance() {
    boolean any = false;
    for (Slot slot : slots) any |= advance(slot);
    return any;
  }

  private boolean advance(Slot slot) {
    boolean any = false;
    if (slot.write != null && slot.write.isDone()) {
      slot.write = null;
      slot.window = null;
      any = true;
    }
    if (slot.window == null) {
      if (next.isEmpty() || !isTurnOf(slot)) return any;
      begin(slot, next.removeFirst());
      listMore();
      any = true;
    }
    Window window = slot.window;
    slot.receives.removeIf(Operation::isDone);
    if (window == null || slot.write != null || slot.awaitsOwn || !slot.receives.isEmpty()) {
      return any;
    }
    if (position.own().holdsShares()) placeShares(slot, window);
    slot.write = writer.write(window, slot.memory(window));
    return true;
  }

  /** Windows are begun in their order: not before an earlier one has its slot. */
  private boolean isTurnOf(Slot slot) {
    return slots.get(begun % slots.size()) == slot;
  }

  private int begun;

  private void begin(Slot slot, Window window) {
    begun++;
    slot.window = window;
    GroupPlan own = position.own();
    slot.awaitsOwn = own.contributedBytes(window, position.member()) > 0;
    long at = 0;
    for (int member = 0; member < own.group().size(); member++) {
      long bytes = own.contributedBytes(window, member);
      if (bytes == 0) continue;
      if (member != position.member()) {
        // Whole strips of one member after the other are just what is written.
        MemorySegment memory =
            own.holdsShares() ? buffers.shares(slot.which) : buffers.window(slot.which);
        slot.receives.add(
            position
                .ranks()
                .postReceive(
                    position.rankOf(member), Position.GATHER_TAG, memory.asSlice(at, bytes)));
      }
      at += bytes;
    }
  }

  private void placeShares(Slot slot, Window window) {
    GroupPlan own = position.own();
    Range range = new Range(own, window.first(), window.end());
    MemorySegment whole = slot.memory(window);
    long at = 0;
    for (int member = 0; member < own.group().size(); member++) {
      for (int rank : own.sources(member)) {
        long bytes = own.heldBytes(window.first(), window.end(), rank);
        if (bytes > 0 && member != position.member()) {
          range.place(elements, rank, buffers.shares(slot.which).asSlice(at, bytes), whole);
        }
        at += bytes;
      }
    }
  }

  /** The memory of a window, once it is being filled; null before. */
  @Nullable MemorySegment memoryOf(Window window) {
    for (Slot slot : slots) {
      if (window.equals(slot.window)) return slot.memory(window);
    }
    return null;
  }

  /** This member has put what it holds of a window into the window's memory. */
  void ownIsHere(Window window) {
    for (Slot slot : slots) {
      if (window.equals(slot.window)) slot.awaitsOwn = false;
    }
  }

  @Override
  public boolean isDone() {
    if (!next.isEmpty()) return false;
    for (Slot slot : slots) {
      if (slot.window != null) return false;
    }
    return true;
  }

  @Override
  public void pending(List<Operation> operations) {
    for (Slot slot : slots) operations.addAll(slot.receives);
  }
}
